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
  itemLines,
  nextDate,
  otherFacts,
  unreadableTotal,
} from './words.ts'

interface BillingView {
  readonly billing: Billing
  /** Of the channel's zone. */
  readonly today: LocalDay
  /** Whether the person may change who has access. */
  readonly isAdmin: boolean
}

/** As many as a section holds. */
const mostItems = 30

function buttonsFor(isAdmin: boolean): Block[] {
  return actionRow([
    chooseChannel,
    billingSchedule.actions.new.button('Schedule posts…', {}),
    billingActions.refresh.button('Refresh'),
    ...(isAdmin ? [settingsAction.button('Access…')] : []),
  ])
}

/** The `/billing` message. Pure. */
export function billingMessage({ billing, today, isAdmin }: BillingView): Message {
  const title = billingTitle(billing)
  const next = nextDate(billing.nextBillingDay, today)
  const payment = `${billing.paymentMethod} ${billing.maskedCard}`.trim()
  const items = itemLines([...billingItems(billing), ...unreadableTotal(billing)])
  const shown = items.slice(0, mostItems)
  const more = items.length - shown.length
  const lines = [...shown, ...(more > 0 ? [`… and ${more} more`] : [])]
  const check = escapeText(checkText(billing))
  const others = escapeText(otherFacts(billing).join(' · '))
  return {
    text: textOfLines([`${escapeText(`${title}. Next billing date: ${next}.`)} ${check}`, ...lines]),
    blocks: [
      header(title),
      fields([fact('Next billing date', next), ...(payment === '' ? [] : [fact('Payment method', payment)])]),
      section(lines.join('\n')),
      section(check),
      ...(others === '' ? [] : [context(others)]),
      ...buttonsFor(isAdmin),
    ],
  }
}

/** What a channel is shown, without who posted it. Pure. */
export function billingPost(
  billing: Billing,
  include: readonly Extra[],
): Message & { readonly blocks: Block[] } {
  const { nextBillingDay } = billing
  const next = typeof nextBillingDay === 'string' ? dayLabel(nextBillingDay) : nextBillingDay.raw
  const title = billingTitle(billing)
  const facts = [
    fact('Next billing date', next),
    ...(include.includes('card')
      ? [fact('Payment method', `${billing.paymentMethod} ${billing.maskedCard}`.trim())]
      : []),
    ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
  ]
  const lines = itemLines([...billingSubtotals(billing), ...unreadableTotal(billing)])
  const plan = billing.plan.name === '' ? '' : ` ${billing.plan.name}.`
  return {
    text: escapeText(`${title}. Next billing date: ${next}.${plan}`),
    blocks: [header(title), fields(facts), section(lines.join('\n'))],
  }
}
