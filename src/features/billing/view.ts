import {
  actionRow,
  type Block,
  boldCell,
  cell,
  context,
  escapeText,
  fact,
  fields,
  header,
  section,
  sections,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { Schedule } from '../../store/schedules.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { Billing } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { billingActions, billingSchedule, chooseChannel } from './actions.ts'
import {
  type BillingItem,
  billingItems,
  billingSubtotals,
  billingTitle,
  callCostsText,
  checkText,
  differenceText,
  itemLines,
  lastText,
  nextDate,
  otherFacts,
  paymentText,
  totalItem,
} from './words.ts'

/** A bill's rows, as a table with its total in bold, and as lines where Slack takes no table. */
function receipt(items: readonly BillingItem[], total: readonly BillingItem[]) {
  const row = ({ name, amount }: BillingItem) => [cell(name), cell(amount)]
  const bold = ({ name, amount }: BillingItem) => [boldCell(name), boldCell(amount)]
  const table: Block = {
    type: 'table',
    // What is paid for goes on in another line, so that a phone shows the amounts.
    column_settings: [{ align: 'left', is_wrapped: true }, { align: 'right' }],
    rows: [[cell('Item'), cell('A month')], ...items.map(row), ...total.map(bold)],
  }
  return { table: [table], lines: itemLines([...items, ...total]) }
}

export interface Bill {
  readonly billing: Billing
  /** Of the channel's zone. */
  readonly today: LocalDay
  readonly lines: LineNames
}

/** As many as a table of a message holds beside everything else. */
const mostItems = 30

/**
 * The `/billing` message. Pure.
 * @param isAdmin whether the person may change who has access
 */
export const billingAnswer = (bill: Bill, isAdmin: boolean): Answer =>
  renderBill(
    bill,
    actionRow([
      chooseChannel,
      billingSchedule.actions.new.button('Schedule posts…', {}),
      billingActions.refresh.button('Refresh'),
      ...(isAdmin ? [settingsAction.button('Change access…')] : []),
    ]),
  )

/** The whole bill. Pure. @param below what can be clicked */
export function renderBill({ billing, today, lines: names }: Bill, below: readonly Block[]): Answer {
  const next = nextDate(billing.nextBillingDay, today)
  const payment = paymentText(billing)
  const all = billingItems(billing, names)
  const more = all.length - mostItems
  const items = [
    ...all.slice(0, mostItems),
    ...(more > 0 ? [{ name: `… and ${more} more`, amount: '' }] : []),
  ]
  const { table, lines } = receipt(items, totalItem(billing))
  const check = escapeText(checkText(billing))
  const others = escapeText(otherFacts(billing).join(' · '))
  const facts = [
    fact('Next billing date', next),
    ...(payment === '' ? [] : [fact('Payment method', payment)]),
  ]
  const summary = escapeText(`${billingTitle(billing)}. Next billing date: ${next}.`)
  const blocksWith = (rows: readonly Block[]) => [
    header(billingTitle(billing)),
    fields(facts),
    ...rows,
    section(check),
    ...(others === '' ? [] : [context(others)]),
    ...below,
  ]
  return {
    message: { text: textOfLines([`${summary} ${check}`, ...lines]), blocks: blocksWith(table) },
    otherwise: [
      () => ({ text: summary, blocks: blocksWith(table) }),
      () => ({ text: summary, blocks: blocksWith(sections(lines)) }),
    ],
  }
}

/**
 * What a channel is shown, without who posted it. Pure.
 * @param include what the poster ticked
 * @param last what its schedule posted before
 */
export function billingPost(
  billing: Billing,
  include: NonNullable<Schedule['include']>,
  last?: Schedule['postedBill'],
): Answer {
  const { nextBillingDay } = billing
  const next = typeof nextBillingDay === 'string' ? dayLabel(nextBillingDay) : nextBillingDay.raw
  const facts = [
    fact('Next billing date', next),
    ...(last ? [fact('Last posted', lastText(last))] : []),
    ...(include.includes('card') ? [fact('Payment method', paymentText(billing))] : []),
    ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
  ]
  const plan = billing.plan.name === '' ? '' : ` ${billing.plan.name}.`
  const difference = differenceText(billing)
  const { table, lines } = receipt(billingSubtotals(billing), totalItem(billing))
  const text = escapeText(`${billingTitle(billing)}. Next billing date: ${next}.${plan}`)
  const blocksWith = (rows: readonly Block[]) => [
    header(billingTitle(billing)),
    fields(facts),
    ...rows,
    ...(difference === undefined ? [] : [section(escapeText(difference))]),
    context(callCostsText),
  ]
  return {
    message: { text, blocks: blocksWith(table) },
    otherwise: [() => ({ text, blocks: blocksWith(sections(lines)) })],
  }
}
