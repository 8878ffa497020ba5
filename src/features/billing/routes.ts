import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { type Block, context, header, type Message, sectionWith } from '../../slack/blocks/blocks.ts'
import { commandAgain, commandButton } from '../../slack/blocks/command-button.ts'
import { ToolAction } from '../../slack/blocks/tool-action.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import { type FeatureRoutes, type Interaction, tool } from '../../slack/routing/routes.ts'
import { joinWords, unknownWordsMessage, type Word } from '../../slack/routing/words.ts'
import { localDay } from '../../time/zones.ts'
import { suggest } from '../../util/suggest.ts'
import { type Bill, billingAnswer, postButton, renderBill } from './view.ts'

const example = (command: string, about: string, accessory: types.Button): Block =>
  sectionWith(`\`${command}\` – ${about}`, accessory)

const billingExamples = [
  example(
    '/billing',
    'see the total, the next billing date and what you pay for',
    commandButton('show', 'Show billing', '/billing'),
  ),
  example(
    '/billing post #finance',
    "post the bill in a channel; you'll see a preview before anything is posted",
    postButton,
  ),
  example(
    '/billing schedule',
    'post it on each billing date, each month or each week',
    commandButton('schedules', 'Scheduled posts', '/billing schedules'),
  ),
]

const deletionText =
  '`/billing delete-customer CUSTOMER-ID` deletes a customer at the phone service and returns their invoices. You confirm it first.'

const billingSubcommands = ['post', 'schedule', 'schedules', 'settings', 'audit', 'invoices', 'help']

function suggestBillingCommand([first, ...others]: readonly Word[]): string | undefined {
  if (first === undefined || first.key !== undefined) return undefined
  const nearest = suggest([first.value], billingSubcommands)?.[0]
  if (nearest === undefined) return undefined
  return joinWords([{ written: '/billing' }, { written: nearest }, ...others])
}

const billingToolAction = new ToolAction('show_billing', z.strictObject({}))
const toolDescription =
  "Shows what the company's phone account costs a month: its items, the total, the next billing date and how it is paid. Only for people who can see billing. It shows today's bill only: no earlier bills and no invoices."

export function billing({ config, workspaces, telephony, audit, now }: Services): FeatureRoutes {
  function load(interaction: Interaction): Promise<Bill> {
    const makeOffers = () => ({ retry: commandAgain('/billing'), request: 'the billing details' })
    return offerOnFailure(makeOffers, loadBill(interaction))
  }

  async function loadBill({ actor, tenant, channel }: Interaction): Promise<Bill> {
    const [account, { zone }, lines] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    return { billing: await telephony.billing(account), today: localDay(zone, new Date(now())), lines }
  }

  async function showBill(interaction: Interaction): Promise<Answer> {
    const bill = await load(interaction)
    return billingAnswer(bill, interaction.actor.person.isAdmin)
  }

  function help({ actor }: Interaction, unknownWords: readonly Word[]): Answer {
    let message: Message = { text: 'Billing: what you can do.', blocks: [header('Billing')] }
    if (unknownWords.length > 0)
      message = unknownWordsMessage(unknownWords, suggestBillingCommand(unknownWords))
    const blocks = [...(message.blocks ?? []), ...billingExamples]
    if (actor.person.isAdmin && config.invoiceOperation) blocks.push(context(deletionText))
    return { message: { ...message, blocks } }
  }

  const billingTool = tool(
    billingToolAction,
    { needs: 'billing', title: 'Show the bill', description: toolDescription },
    async (interaction) => {
      const bill = await load(interaction)
      // Recorded first: if that fails, the bill isn't shown.
      await audit.record(interaction.actor, 'viewed the bill through Slackbot')
      return renderBill(bill, [])
    },
  )

  return {
    tools: [async () => [billingTool]],
    commands: [
      {
        command: 'billing',
        word: 'help',
        needs: 'member',
        handle: async ({ interaction }) => help(interaction, []),
      },
      {
        command: 'billing',
        needs: 'billing',
        handle: async ({ interaction, words }) =>
          words.length > 0 ? help(interaction, words) : showBill(interaction),
      },
    ],
  }
}
