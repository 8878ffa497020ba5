import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton, settingsAction } from '../../slack/blocks/buttons.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { checkboxes } from '../../slack/forms/fields.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'
import { createScheduleInfo } from '../subscriptions/kind.ts'
import * as schedules from '../subscriptions/schedule.ts'
import * as figures from './figures.ts'

export type BillExtras = NonNullable<schedules.Schedule['include']>

const includeOptions = [
  blocks.option('Show the payment card', 'card'),
  blocks.option('Show the credit limit', 'limit'),
]

export const includeField = (include: BillExtras) =>
  checkboxes('Also show', schedules.billExtraSchema, includeOptions, include, { isOptional: true })

export const billingScheduleInfo = createScheduleInfo({
  needs: 'billing',
  command: 'billing',
  post: 'billing post',
  intro:
    'Each post shows the plan, add-on subtotals, next billing date, monthly total and what has changed. It says that you scheduled it.',
  audit: 'a bill schedule',
  posted: 'posted the bill',
  metric: 'billing_posts_total',
  showCommand: { id: 'show', text: 'Show bill', command: '/billing' },
  rhythms: ['billing-date', 'monthly first', 'monthly last', ...schedules.WEEKLY_RHYTHMS],
  invitation: 'A channel can get the phone bill on each billing date, or every month or week.',
})

export const postButton = commandButton('post', 'Post to a channel…', '/billing post')

/** Items that fit into the table of a message. */
const MAX_ITEMS = 30

type BillFact = readonly [name: string, value: string]
type BillingItems = readonly figures.BillingItem[]

function buildTable(items: BillingItems, totals: BillingItems): blocks.Block {
  const titles = [blocks.cell('Item'), blocks.cell('Per month')]
  const rows = items.map(({ name, amount }) => [blocks.cell(name), blocks.cell(amount)])
  const boldRows = totals.map(({ name, amount }) => [blocks.boldCell(name), blocks.boldCell(amount)])
  return {
    type: 'table',
    // Names wrap, so that a phone shows the amounts.
    column_settings: [{ align: 'left', is_wrapped: true }, { align: 'right' }],
    rows: [titles, ...rows, ...boldRows],
  }
}

interface BillParts {
  readonly items: BillingItems
  /** Empty ones are left out. */
  readonly facts: readonly BillFact[]
  readonly footer: readonly blocks.Block[]
}

/** Falls back to lines for workspaces that reject tables. */
function renderBillParts(billing: Billing, { items, facts, footer }: BillParts): Answer {
  const { totalMonthly } = billing
  const totals = totalMonthly === '' ? [] : [figures.createItem('Total per month', totalMonthly)]
  const itemLines: string[] = []
  for (const { name, amount } of [...items, ...totals])
    itemLines.push(`• ${blocks.escapeText(name)}: *${blocks.escapeText(amount || '–')}*`)
  const title = parseMoney(totalMonthly) ? `Billing: ${totalMonthly} a month` : 'Billing'
  const top = [blocks.header(title)]
  const knownFacts = facts.filter(([, value]) => value !== '')
  if (knownFacts.length > 0) top.push(blocks.facts(knownFacts))
  const sentences = [`${title}.`]
  for (const [name, value] of knownFacts) sentences.push(`${name} ${value}.`)
  const summary = blocks.escapeText(sentences.join(' '))
  const check = `${figures.checkText(billing)} Call costs aren't included.`
  const bottom = [blocks.section(blocks.escapeText(check)), ...footer]
  return {
    message: {
      text: blocks.textOfLines([summary, ...itemLines]),
      blocks: [...top, buildTable(items, totals), ...bottom],
    },
    fallbacks: [() => ({ text: summary, blocks: [...top, ...blocks.sections(itemLines), ...bottom] })],
  }
}

export interface Bill {
  readonly billing: Billing
  readonly lines: LineNames
}

export function renderBill({ billing, lines }: Bill, footer: readonly blocks.Block[] = []): Answer {
  const allItems = figures.listItems(billing, lines)
  const items = allItems.slice(0, MAX_ITEMS)
  const omittedCount = allItems.length - items.length
  if (omittedCount > 0) items.push(figures.createItem(`… and ${omittedCount} more`, ''))
  const facts: BillFact[] = [
    ['Next billing date', figures.nextDateText(billing)],
    ['Payment method', figures.paymentText(billing)],
    ['Plan includes', figures.includedText(billing)],
    ['Credit limit', figures.creditLimitText(billing)],
  ]
  return renderBillParts(billing, { items, facts, footer })
}

export function renderPrivateBill(bill: Bill, isAdmin: boolean): Answer {
  const buttons = [postButton, billingScheduleInfo.actions.create.button('Schedule posts…', {})]
  if (isAdmin) buttons.push(settingsAction.button('Change access…'))
  return renderBill(bill, blocks.actionRow(buttons))
}

function buildChanges(former: schedules.PostedBill, posted: schedules.PostedBill): blocks.Block {
  const since = dayLabel(former.day)
  const changes = figures.listChanges(former, posted)
  if (changes.length === 0) return blocks.section(`Nothing has changed since ${since}.`)
  const lines = changes.map((change) => `• ${blocks.escapeText(change)}`)
  return blocks.section([`*Changed since ${since}*`, ...lines].join('\n'))
}

/** Renders what a channel sees. @param scheduled the figures that a schedule stores for this post, and those of the one before */
export function renderBillingPost(
  billing: Billing,
  include: BillExtras,
  scheduled?: { readonly posted: schedules.PostedBill; readonly former: schedules.PostedBill | undefined },
): Answer {
  const facts: BillFact[] = []
  const footer: blocks.Block[] = []
  if (scheduled) {
    const { posted, former } = scheduled
    facts.push(['Bill of', dayLabel(posted.day)])
    if (former) footer.push(buildChanges(former, posted))
  }
  facts.push(['Next billing date', figures.nextDateText(billing)])
  if (include.includes('card')) facts.push(['Payment method', figures.paymentText(billing)])
  if (include.includes('limit')) facts.push(['Credit limit', figures.creditLimitText(billing)])
  return renderBillParts(billing, { items: figures.listSubtotals(billing), facts, footer })
}
