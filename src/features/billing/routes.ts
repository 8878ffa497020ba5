import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { AccessRecord } from '../../store/workspaces.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { peopleDetail, readSettings, settingsDetail, settingsModal } from './settings-modal.ts'
import { billingMessage } from './view.ts'

const usage = [
  '`/billing` – plan, add-ons, payment, next date and total',
  '`/billing post [#channel]` – shows you what would be posted, and then posts it',
  '`/billing schedule` – a post on each billing date, each month or each week; `/billing schedules` lists them',
  '`/billing invoices CUSTOMER-ID` – the invoice operation, behind a confirmation (admins)',
  '`/billing settings` – who may see calls, recordings, agents and billing, and who may manage Callboard (admins)',
  '`/billing audit` – who did what, with a CSV file of it (admins)',
]

export function helpMessage(unknown?: readonly Word[]): Message {
  const wrong = unknown?.map(({ written }) => `"${written}"`).join(', ')
  const text =
    wrong === undefined
      ? "Shows the account's billing."
      : `Nothing was looked up: ${wrong} is not understood.`
  return {
    text: escapeText(text),
    blocks: [
      ...(wrong === undefined ? [header('Billing')] : []),
      section(escapeText(text)),
      section(usage.join('\n')),
      context('Answers are visible to you alone.'),
    ],
  }
}

export const savedModal = noticeModal('Saved. It holds at once.', { title: 'Who may see what' })

/** `/billing`, and what admins look after with it: who may see what. */
export function billing({ workspaces, telephony, accessRules, audit, now }: Services): FeatureRoutes {
  async function show(interaction: Interaction): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const retry = { actionId: ACTIONS.billingRefresh, value: 'refresh' }
    interaction.fallback = { retry, request: 'the billing details' }
    const [account, { zone }] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
    ])
    const at = new Date(now())
    const view = {
      billing: await telephony.billing(account),
      today: localDay(zone, at),
      zoneLabel: zoneLabel(zone, at),
      isAdmin: actor.person.isAdmin,
    }
    return { message: billingMessage(view) }
  }

  const openSettings = async ({ actor: { team, installation }, tenant, channel }: Interaction) =>
    settingsModal(team, channel, await accessRules.of(tenant), installation.hasSlackRoles)

  /** Keeps the rules, and notes what is new in them; nothing, where nothing is. */
  async function saveSettings({ actor, tenant }: Interaction, rules: AccessRecord): Promise<void> {
    const before = await accessRules.of(tenant)
    await accessRules.set(tenant, rules)
    if (isDeepStrictEqual(before, rules)) return
    const [named, former] = [rules.administrators, before.administrators]
    const added = named.filter((person) => !former.includes(person))
    const removed = former.filter((person) => !named.includes(person))
    await audit.record(actor, 'settings', settingsDetail(rules))
    if (added.length > 0) await audit.record(actor, 'may manage Callboard', peopleDetail(added))
    if (removed.length > 0) await audit.record(actor, 'may no longer manage Callboard', peopleDetail(removed))
  }

  return {
    commands: [
      { command: 'billing', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      { command: 'billing', word: 'settings', needs: 'admin', openModal: openSettings },
      {
        command: 'billing',
        needs: 'billing',
        handle: async (interaction, words) =>
          words.length > 0 ? { message: helpMessage(words) } : show(interaction),
      },
    ],
    actions: [
      { action: ACTIONS.billingRefresh, needs: 'billing', handle: show },
      { action: ACTIONS.settings, needs: 'admin', openModal: openSettings },
    ],
    submissions: [
      {
        view: VIEWS.settings,
        needs: 'admin',
        async handle(interaction, view) {
          const read = readSettings(view)
          if ('errors' in read) return read
          await saveSettings(interaction, read.rules)
          return { view: savedModal }
        },
      },
    ],
  }
}
