import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { auditMessage } from './audit-view.ts'
import { readSettings, settingsDetail, settingsModal } from './settings-modal.ts'
import { billingMessage } from './view.ts'

const usage = [
  '`/billing` – plan, add-ons, payment, next date and total',
  '`/billing post [#channel]` – shows you what would be posted, and then posts it',
  '`/billing schedule` – a post on each billing date, each month or each week; `/billing schedules` lists them',
  '`/billing invoices CUSTOMER-ID` – the invoice operation, behind a confirmation (admins)',
  '`/billing settings` – who may see calls, recordings, agents and billing (admins)',
  '`/billing audit` – who did what (admins)',
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

/** `/billing`, and what admins look after with it: who may see what, and who did what. */
export function billing({ store, workspaces, telephony, accessRules, audit, now }: Services): FeatureRoutes {
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

  const openSettings = async ({ actor, tenant, channel }: Interaction) =>
    settingsModal(actor.team, channel, await accessRules.of(tenant))

  return {
    commands: [
      { command: 'billing', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      { command: 'billing', word: 'settings', needs: 'admin', openModal: openSettings },
      {
        command: 'billing',
        word: 'audit',
        needs: 'admin',
        async handle({ actor, tenant, channel }) {
          const { zone } = await workspaces.zone(tenant, channel, actor.person)
          return { message: auditMessage(await store.audit.latest(tenant), zone, new Date(now())) }
        },
      },
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
        async handle({ actor, tenant }, view) {
          const read = readSettings(view)
          if ('errors' in read) return read
          await accessRules.set(tenant, read.rules)
          await audit.record(actor, 'settings', settingsDetail(read.rules))
          return { view: savedModal }
        },
      },
    ],
  }
}
