import type { Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { localDay } from '../../time/zones.ts'
import { billingActions } from './actions.ts'
import { billingHelpMessage } from './help.ts'
import { type Bill, billingAnswer } from './view.ts'

export function billing({ config, workspaces, telephony, guards, audit, now }: Services): FeatureRoutes {
  async function load(interaction: Interaction): Promise<Bill> {
    const { actor, tenant, channel } = interaction
    const retry = billingActions.refresh.button('Try again')
    interaction.fallback = { retry, request: 'the billing details' }
    const [account, { zone }, lines] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    return { billing: await telephony.billing(account), today: localDay(zone, new Date(now())), lines }
  }

  async function show(interaction: Interaction): Promise<Answer> {
    return billingAnswer(await load(interaction), interaction.actor.person.isAdmin)
  }

  async function help({ actor }: Interaction, unknown: readonly Word[]): Promise<Answer> {
    const canBill = (await guards.areas(actor)).includes('billing')
    const { isAdmin } = actor.person
    const permissions = { canBill, isAdmin, canDeleteCustomers: config.invoiceOperation }
    return { message: billingHelpMessage(permissions, unknown) }
  }

  return {
    tools: [async () => (await import('./tools.ts')).billingTools(load, audit)],
    commands: [
      { command: 'billing', word: 'help', needs: 'member', handle: (interaction) => help(interaction, []) },
      {
        command: 'billing',
        needs: 'billing',
        handle: async (interaction, words) =>
          words.length > 0 ? help(interaction, words) : show(interaction),
      },
    ],
    actions: bind(billingActions, { refresh: { needs: 'billing', handle: show } }),
  }
}
