import { action } from '../../slack/blocks/action.ts'
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
import { type Option, option } from '../../slack/blocks/inputs.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { Billing } from '../../telephony/wire.ts'
import type { LocalDay } from '../../time/types.ts'
import { scheduleInfo } from '../subscriptions/schedule-kind.ts'
import { type Schedule, WEEKLY_RHYTHMS } from '../subscriptions/schedule-rows.ts'
import {
  type BillingItem,
  billingTitle,
  callCostsText,
  checkText,
  dateText,
  differenceText,
  lastPostText,
  listItems,
  listOtherFacts,
  listSubtotals,
  listTotal,
  nextDateText,
  paymentText,
} from './bill.ts'

/** Shown in a channel only if the poster ticks it. */
export const extraOptions = [
  option('Show the payment card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies readonly Option[]

export const refreshAction = action('billing.refresh')

export const postActions = {
  channel: action('billing.post.channel'),
  include: action('billing.post.include'),
}

export const billingSchedule = scheduleInfo('billing.schedule', {
  needs: 'billing',
  command: 'billing',
  post: 'billing post',
  audit: 'schedule',
  posted: 'post billing',
  rhythms: ['billing-date', 'monthly first', 'monthly last', ...WEEKLY_RHYTHMS, 'weekdays', 'daily'],
  perPage: 7,
  invitation: 'A team can get the phone bill on each billing date, month or week.',
})

export const chooseChannel = postActions.channel.button('Post to a channel…')

/** Items that fit into the table of a message. */
const MAX_ITEMS = 30

/** Renders a bill with a table, and with lines for workspaces that reject tables. @param summary escaped */
function renderRows(
  billing: Billing,
  items: readonly BillingItem[],
  { summary, facts, below }: { summary: string; facts: readonly string[]; below: readonly Block[] },
): Answer {
  const total = listTotal(billing)
  const table: Block = {
    type: 'table',
    // Names wrap, so that a phone shows the amounts.
    column_settings: [{ align: 'left', is_wrapped: true }, { align: 'right' }],
    rows: [
      [cell('Item'), cell('Per month')],
      ...items.map(({ name, amount }) => [cell(name), cell(amount)]),
      ...total.map(({ name, amount }) => [boldCell(name), boldCell(amount)]),
    ],
  }
  const lines = [...items, ...total].map(
    ({ name, amount }) => `• ${escapeText(name)}: *${escapeText(amount || '–')}*`,
  )
  const title = billingTitle(billing)
  const text = escapeText(`${title}. `) + summary
  const blocksWith = (rows: readonly Block[]) => [header(title), fields(facts), ...rows, ...below]
  return {
    message: { text: textOfLines([text, ...lines]), blocks: blocksWith([table]) },
    otherwise: [() => ({ text, blocks: blocksWith(sections(lines)) })],
  }
}

export interface Bill {
  readonly billing: Billing
  /** Local day of the channel. */
  readonly today: LocalDay
  readonly lines: LineNames
}

/** Renders the whole bill for a person. */
export function renderBill({ billing, today, lines }: Bill, buttons: readonly Block[]): Answer {
  const all = listItems(billing, lines)
  const hidden = all.length - MAX_ITEMS
  const more = hidden > 0 ? [{ name: `… and ${hidden} more`, amount: '' }] : []
  const next = nextDateText(billing, today)
  const payment = paymentText(billing)
  const check = escapeText(checkText(billing))
  const otherFacts = listOtherFacts(billing).join(' · ')
  return renderRows(billing, [...all.slice(0, MAX_ITEMS), ...more], {
    summary: `Next billing date: ${escapeText(next)}. ${check}`,
    facts: [fact('Next billing date', next), ...(payment === '' ? [] : [fact('Payment method', payment)])],
    below: [section(check), ...(otherFacts === '' ? [] : [context(escapeText(otherFacts))]), ...buttons],
  })
}

export const billingAnswer = (bill: Bill, isAdmin: boolean): Answer =>
  renderBill(
    bill,
    actionRow([
      chooseChannel,
      billingSchedule.actions.new.button('Schedule posts…', {}),
      refreshAction.button('Refresh'),
      ...(isAdmin ? [settingsAction.button('Change access…')] : []),
    ]),
  )

/**
 * Renders the bill for a channel, without the person who posts it.
 * @param include what the poster ticked
 * @param last the schedule's last post
 */
export function billingPost(
  billing: Billing,
  include: NonNullable<Schedule['include']>,
  last?: Schedule['postedBill'],
): Answer {
  const next = dateText(billing.nextBillingDay)
  const difference = differenceText(billing)
  const plan = billing.plan.name === '' ? '' : ` ${billing.plan.name}.`
  return renderRows(billing, listSubtotals(billing), {
    summary: escapeText(`Next billing date: ${next}.${plan}`),
    facts: [
      fact('Next billing date', next),
      ...(last ? [fact('Last posted', lastPostText(last))] : []),
      ...(include.includes('card') ? [fact('Payment method', paymentText(billing))] : []),
      ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
    ],
    below: [...(difference ? [section(escapeText(difference))] : []), context(callCostsText)],
  })
}
