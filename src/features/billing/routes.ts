import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { AccessRecord } from '../../store/workspaces.ts'
import { localDay } from '../../time/zones.ts'
import { helpMessage } from './help.ts'
import { peopleDetail, readSettings, settingsDetail, settingsModal } from './settings-modal.ts'
import { billingMessage } from './view.ts'

export const savedModal = noticeModal('Saved. It holds at once.', { title: 'Who may see what' })

/** `/billing`, and what admins look after with it: who may see what. */
export function billing({ config, workspaces, telephony, accessRules, audit, now }: Services): FeatureRoutes {
  async function show(interaction: Interaction): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const retry = { actionId: ACTIONS.billingRefresh, value: 'refresh' }
    interaction.fallback = { retry, request: 'the billing details' }
    const [account, { zone }] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
    ])
    const view = {
      billing: await telephony.billing(account),
      today: localDay(zone, new Date(now())),
      isAdmin: actor.person.isAdmin,
    }
    return { message: billingMessage(view) }
  }

  async function help({ actor, tenant }: Interaction, unknown?: readonly Word[]): Promise<Answer> {
    const mayBill = await accessRules.allow(tenant, actor.person, 'billing')
    const { isAdmin } = actor.person
    return { message: helpMessage({ mayBill, isAdmin, hasInvoices: config.invoiceOperation }, unknown) }
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
      { command: 'billing', word: 'help', needs: 'member', handle: (interaction) => help(interaction) },
      { command: 'billing', word: 'settings', needs: 'admin', openModal: openSettings },
      {
        command: 'billing',
        needs: 'billing',
        handle: async (interaction, words) =>
          words.length > 0 ? help(interaction, words) : show(interaction),
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
