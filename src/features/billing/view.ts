import { action, settingsAction } from '../../slack/blocks/action.ts'
import {
  actionRow,
  type Block,
  boldCell,
  cell,
  context,
  cut,
  escapeText,
  fact,
  fields,
  header,
  type Option,
  option,
  section,
  sections,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, formatMoney, isZero, negateMoney, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'
import { compareDays, dayLabel, daysIn, type LocalDay, parseDay } from '../../time/days.ts'
import { scheduleInfo } from '../subscriptions/schedule-kind.ts'
import { type Schedule, WEEKLY_RHYTHMS } from '../subscriptions/schedule-rows.ts'

// Figures and texts of a bill, not escaped.

interface BillingItem {
  readonly name: string
  /** Per month, as the service writes it. */
  readonly amount: string
}

const item = (name: string, amount: string): BillingItem => ({ name: cut(name, 60), amount: cut(amount, 24) })

const planItem = ({ plan }: Billing) => item(plan.name === '' ? 'Plan' : `${plan.name} plan`, plan.price)

/** False for what costs nothing. Items whose amount is unreadable or missing are shown. */
const isCharged = ({ amount }: BillingItem) => !isZero(amount)

const pluralize = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`
const extra = (count: string, noun: string) =>
  count === '' ? `Extra ${noun}s` : pluralize(count, `extra ${noun}`)
const priceText = (price: string, unit: string) => (price === '' ? '' : ` at ${price} ${unit}`)

function formatNumberItem(number: string, country: string, lines: LineNames): string {
  const [name, written] = [lines.getName(number), lines.write(number)]
  if (name !== undefined) return `${name} (${written})`
  return `Number ${written}${country === '' ? '' : `, ${country}`}`
}

/** Lists the plan and all add-ons. */
function listItems(billing: Billing, lines: LineNames): readonly BillingItem[] {
  const { agents, storage, crm, numbers } = billing.addOns
  const size = storage.size === '' ? 'Extra storage' : `${storage.size} of extra storage`
  const addOns = [
    item(`${extra(agents.count, 'agent')}${priceText(agents.each, 'each')}`, agents.total),
    item(`${size}${priceText(storage.perGb, 'a GB')}`, storage.total),
    item(extra(crm.count, 'CRM'), crm.total),
    ...numbers.map(({ number, country, monthly }) => item(formatNumberItem(number, country, lines), monthly)),
  ]
  return [planItem(billing), ...addOns.filter(isCharged)]
}

/** Returns undefined if an amount can't be read. */
function addTexts(texts: readonly string[]) {
  const amounts = texts.map(parseMoney)
  return amounts.every((amount) => amount !== undefined) ? addMoney(amounts) : undefined
}

const listNumberPrices = ({ addOns }: Billing) => addOns.numbers.map(({ monthly }) => monthly)

/** Lists the plan and one total for each kind of add-on. */
function listSubtotals(billing: Billing): readonly BillingItem[] {
  const { agents, storage, crm } = billing.addOns
  const numbers = addTexts(listNumberPrices(billing))
  const addOns = [
    item('Extra agents', agents.total),
    item('Extra storage', storage.total),
    item('Extra CRMs', crm.total),
    item('Numbers', numbers ? formatMoney(numbers) : ''),
  ]
  return [planItem(billing), ...addOns.filter(isCharged)]
}

/** Returns the service's own total, or nothing if it has none. */
const listTotal = ({ totalMonthly }: Billing): readonly BillingItem[] =>
  totalMonthly === '' ? [] : [item('Total per month', totalMonthly)]

const billingTitle = ({ totalMonthly }: Billing): string =>
  parseMoney(totalMonthly) ? `Billing: ${totalMonthly} a month` : 'Billing'

/** `Visa ending 4242`, `Card ending 4242`; unchanged if it has no such end. */
export function paymentText({
  paymentMethod,
  maskedCard,
}: Pick<Billing, 'paymentMethod' | 'maskedCard'>): string {
  const last = /\d{4}$/.exec(maskedCard)?.[0]
  return last === undefined
    ? `${paymentMethod} ${maskedCard}`.trim()
    : `${paymentMethod || 'Card'} ending ${last}`
}

const dateText = (day: Billing['nextBillingDay']): string =>
  typeof day === 'string' ? dayLabel(day) : day.raw

/** `15 Dec 2026, in 24 days` */
function nextDateText({ nextBillingDay: day }: Billing, today: LocalDay): string {
  if (typeof day !== 'string') return day.raw
  const order = compareDays(day, today)
  if (order === 0) return `${dayLabel(day)}, today`
  const days = pluralize(String((order > 0 ? daysIn(today, day) : daysIn(day, today)) - 1), 'day')
  return `${dayLabel(day)}, ${order > 0 ? `in ${days}` : `${days} ago`}`
}

/** `$244.99 a month, on 1 Oct 2026` */
function lastPostText({ day, total }: NonNullable<Schedule['postedBill']>): string {
  const on = parseDay(day)
  return `${total === '' ? '–' : `${total} a month`}${on === undefined ? '' : `, on ${dayLabel(on)}`}`
}

/** Returns a warning if the items don't add up to the total, nothing if they do; `undefined` if they can't be compared. */
export function differenceText(billing: Billing): string | undefined {
  const { plan, addOns, totalMonthly } = billing
  const { agents, storage, crm } = addOns
  const sum = addTexts([plan.price, agents.total, storage.total, crm.total, ...listNumberPrices(billing)])
  const total = parseMoney(totalMonthly)
  const difference = sum && total && addMoney([total, negateMoney(sum)])
  if (!sum || !difference) return undefined
  const { units } = difference
  if (units === 0n) return ''
  const amount =
    units > 0n ? `${formatMoney(difference)} more` : `${formatMoney(negateMoney(difference))} less`
  return `⚠ Items add up to ${formatMoney(sum)}, but the total is ${totalMonthly} (${amount}). Ask your phone provider about the difference.`
}

const callCostsText = "Call costs aren't included."

function checkText(billing: Billing): string {
  const difference = differenceText(billing)
  if (difference === undefined)
    return `Not every amount could be read, so the total wasn't checked. ${callCostsText}`
  return `${difference || '✓ Items add up to the total.'} ${callCostsText}`
}

/** Lists what the account has besides its items, without zeros. */
function listOtherFacts({ plan, creditLimit, callRoute }: Billing): readonly string[] {
  const included = [
    [plan.agents, pluralize(plan.agents, 'agent')],
    [plan.storage, `${plan.storage} of storage`],
    [plan.crm, pluralize(plan.crm, 'CRM')],
  ].flatMap(([count = '', text = '']) => (count === '' || /^0\s*\D*$/.test(count) ? [] : [text]))
  return [
    ...(included.length > 0 ? [`The plan includes ${included.join(', ')}`] : []),
    ...(creditLimit === '' || isZero(creditLimit) ? [] : [`Credit limit ${creditLimit}`]),
    ...(callRoute === '' ? [] : [`Call routing ${callRoute}`]),
  ]
}

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
