import { z } from 'zod'
import type { Services } from '../../services.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton, tryAgainButton } from '../../slack/blocks/buttons.ts'
import { ToolAction } from '../../slack/blocks/tool-action.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import * as routing from '../../slack/routing/routes.ts'
import { isPlainWord, joinWords, unknownWordsMessage, type Word } from '../../slack/routing/words.ts'
import { nearestWord } from '../../util/text.ts'
import { readBilling } from './post.ts'
import { type Bill, postButton, renderBill, renderPrivateBill } from './view.ts'

const helpText = [
  '`/billing` – see the total, the next billing date and what you pay for',
  "`/billing post #finance` – post the bill in a channel; you'll see a preview before anything is posted",
  '`/billing schedule` – post it on each billing date, each month or each week',
].join('\n')

const deletionText =
  '`/billing delete-customer CUSTOMER-ID` deletes a customer at the phone service and returns their invoices. You confirm it first.'

const helpButtons = [
  commandButton('show', 'Show billing', '/billing'),
  postButton,
  commandButton('schedules', 'Scheduled posts', '/billing schedules'),
]

function helpAnswer(mayDelete: boolean): Answer {
  const content = [blocks.header('Billing'), blocks.section(helpText), ...blocks.actionRow(helpButtons)]
  if (mayDelete) content.push(blocks.context(deletionText))
  return { message: { text: helpText, blocks: content } }
}

/** Suggested for a misspelled word: nothing that deletes. */
const billingSubcommands = ['post', 'schedule', 'schedules', 'settings', 'audit', 'invoices', 'help']

function suggestBillingCommand(words: readonly Word[]): string | undefined {
  const [first, ...others] = words
  if (!isPlainWord(first)) return undefined
  const subcommand = nearestWord(first.value, billingSubcommands)
  if (subcommand === undefined) return undefined
  return `/billing ${subcommand} ${joinWords(others)}`.trim()
}

async function readBill(services: Services, { tenant }: routing.Interaction): Promise<Bill> {
  const makeOffers = () => ({ retry: tryAgainButton('/billing'), request: 'the billing details' })
  const reading = Promise.all([readBilling(services, tenant), services.workspaces.getLineNames(tenant)])
  const [billing, lines] = await offerOnFailure(makeOffers, reading)
  return { billing, lines }
}

async function showBill(services: Services, { interaction, words }: routing.CommandRequest): Promise<Answer> {
  if (words.length > 0) {
    const help = commandButton('help', 'Help', '/billing help')
    return { message: unknownWordsMessage(words, suggestBillingCommand(words), [help]) }
  }
  const bill = await readBill(services, interaction)
  return renderPrivateBill(bill, interaction.actor.person.isAdmin)
}

const invoicesText =
  "The phone service has no list of invoices. `/billing` shows today's bill; ask your phone provider for earlier ones."

const billingToolAction = new ToolAction('show_billing', z.strictObject({}))
const toolDescription =
  "Shows what the company's phone account costs a month: its items, the total, the next billing date and how it is paid. Only for people who can see billing. It shows today's bill only: no earlier bills and no invoices."

export function billing(services: Services): routing.FeatureRoutes {
  const { config, audit } = services
  const billingTool = routing.tool(
    billingToolAction,
    { needs: 'billing', title: 'Show the bill', description: toolDescription },
    async (interaction) => {
      const bill = await readBill(services, interaction)
      // Recorded first: if that fails, the bill isn't shown.
      await audit.record(interaction.actor, 'viewed the bill through Slackbot')
      return renderBill(bill)
    },
  )

  return {
    tools: [async () => [billingTool]],
    commands: [
      {
        command: 'billing',
        word: 'help',
        needs: 'member',
        async handle({ interaction }) {
          // The service's operation for a customer's invoices also deletes the customer.
          const mayDelete = interaction.actor.person.isAdmin && config.invoiceOperation
          return helpAnswer(mayDelete)
        },
      },
      {
        command: 'billing',
        word: 'invoices',
        moreWords: 'read',
        needs: 'billing',
        // More words don't change the answer.
        handle: async () => textAnswer(invoicesText),
      },
      { command: 'billing', needs: 'billing', handle: (request) => showBill(services, request) },
    ],
  }
}
