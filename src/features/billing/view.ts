import {
  actionRow,
  type Block,
  context,
  escapeText,
  fact,
  fields,
  header,
  type Message,
  section,
  sections,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import type { Billing } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { billingActions, billingSchedule, chooseChannel, type Extra } from './actions.ts'
import {
  billingItems,
  billingSubtotals,
  billingTitle,
  checkText,
  differenceText,
  itemLines,
  nextDate,
  otherFacts,
  paymentText,
  totalLines,
} from './words.ts'

const billBlocks = (billing: Billing, facts: readonly string[], lines: readonly string[]): Block[] => [
  header(billingTitle(billing)),
  fields(facts),
  ...sections(lines),
]

/** As many as a section holds. */
const mostItems = 30

/**
 * The `/billing` message. Pure.
 * @param today of the channel's zone
 * @param isAdmin whether the person may change who has access
 */
export function billingMessage(billing: Billing, today: LocalDay, isAdmin: boolean): Message {
  const next = nextDate(billing.nextBillingDay, today)
  const payment = paymentText(billing)
  const items = itemLines(billingItems(billing))
  const more = items.length - mostItems
  const lines = [
    ...items.slice(0, mostItems),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...totalLines(billing),
  ]
  const check = escapeText(checkText(billing))
  const others = escapeText(otherFacts(billing).join(' · '))
  const facts = [
    fact('Next billing date', next),
    ...(payment === '' ? [] : [fact('Payment method', payment)]),
  ]
  const summary = escapeText(`${billingTitle(billing)}. Next billing date: ${next}.`)
  return {
    text: textOfLines([`${summary} ${check}`, ...lines]),
    blocks: [
      ...billBlocks(billing, facts, lines),
      section(check),
      ...(others === '' ? [] : [context(others)]),
      ...actionRow([
        chooseChannel,
        billingSchedule.actions.new.button('Schedule posts…', {}),
        billingActions.refresh.button('Refresh'),
        ...(isAdmin ? [settingsAction.button('Access…')] : []),
      ]),
    ],
  }
}

/** What a channel is shown, without who posted it. Pure. */
export function billingPost(billing: Billing, include: readonly Extra[]): Message {
  const { nextBillingDay } = billing
  const next = typeof nextBillingDay === 'string' ? dayLabel(nextBillingDay) : nextBillingDay.raw
  const facts = [
    fact('Next billing date', next),
    ...(include.includes('card') ? [fact('Payment method', paymentText(billing))] : []),
    ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
  ]
  const plan = billing.plan.name === '' ? '' : ` ${billing.plan.name}.`
  const difference = differenceText(billing)
  const lines = [...itemLines(billingSubtotals(billing)), ...totalLines(billing)]
  return {
    text: escapeText(`${billingTitle(billing)}. Next billing date: ${next}.${plan}`),
    blocks: [
      ...billBlocks(billing, facts, lines),
      ...(difference === undefined ? [] : [section(escapeText(difference))]),
    ],
  }
}
