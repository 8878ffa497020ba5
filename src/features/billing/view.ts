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
  noteBlock,
  type Option,
  option,
  section,
  sections,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { settingsAction } from '../../slack/blocks/shared-buttons.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, formatMoney, isZero, negateMoney, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'
import { dayLabel, daysIn, type LocalDay } from '../../time/days.ts'
import { countNoun } from '../../util/text.ts'
import { type Schedule, scheduleInfo, WEEKLY_RHYTHMS } from '../subscriptions/schedule.ts'
import { postActions } from './actions.ts'

// Figures and texts of a bill, not escaped.

/** @param count as the service writes it */
const pluralize = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`

function addAmounts(texts: readonly string[]) {
  const amounts = texts.map(parseMoney)
  return amounts.every((amount) => amount !== undefined) ? addMoney(amounts) : undefined
}

/** `Extra agents (3, $12.50 each)` @param details empty if unknown */
function item(name: string, amount: string, details: readonly string[] = []) {
  const known = details.filter((detail) => detail !== '').join(', ')
  return { name: cut(known === '' ? name : `${name} (${known})`, 60), amount: cut(amount, 24) }
}

type BillingItem = ReturnType<typeof item>

function numberItem({ number, country, monthly }: Billing['addOns']['numbers'][number], lines: LineNames) {
  const [name, written] = [lines.getName(number), lines.format(number)]
  return name === undefined ? item('Number', monthly, [written, country]) : item(name, monthly, [written])
}

/** @param lines if missing, items have no details, and all numbers have one total */
function listItems({ plan, addOns }: Billing, lines?: LineNames): readonly BillingItem[] {
  const { agents, storage, crm } = addOns
  const numbers = addOns.numbers.filter(hasContent)
  const items = [item(plan.name === '' ? 'Plan' : `${plan.name} plan`, plan.price)]
  if (hasContent(agents))
    items.push(
      item('Extra agents', agents.total, lines && [agents.count, agents.each && `${agents.each} each`]),
    )
  if (hasContent(storage))
    items.push(
      item('Extra storage', storage.total, lines && [storage.size, storage.perGb && `${storage.perGb} a GB`]),
    )
  if (hasContent(crm)) items.push(item('Extra CRMs', crm.total, lines && [crm.count]))
  if (lines) items.push(...numbers.map((one) => numberItem(one, lines)))
  else if (numbers.length > 0) {
    const total = addAmounts(numbers.map(({ monthly }) => monthly))
    items.push(item('Numbers', total ? formatMoney(total) : ''))
  }
  return items.filter(({ amount }, index) => index === 0 || !isZero(amount))
}

/** Whether the bill names the add-on: an absent part, or one without a value, is none. */
const hasContent = (part: Readonly<Record<string, string>>): boolean =>
  Object.values(part).some((value) => !/^(0\s*\D*)?$/.test(value.trim()))

/** `Visa ending 4242`, `Card ending 4242`; unchanged if it has no such end. */
export function paymentText({ paymentMethod, maskedCard }: Billing): string {
  const last = /\d{4}$/.exec(maskedCard)?.[0]
  return last === undefined
    ? `${paymentMethod} ${maskedCard}`.trim()
    : `${paymentMethod || 'Card'} ending ${last}`
}

/** `15 Dec 2026, in 24 days`; the date alone if it has passed, or without `today` */
function nextDateText({ nextBillingDay: day }: Billing, today?: LocalDay): string {
  if (typeof day !== 'string') return day.raw.trim()
  const days = today === undefined ? -1 : daysIn(today, day) - 1
  if (days < 0) return dayLabel(day)
  return `${dayLabel(day)}, ${days === 0 ? 'today' : `in ${countNoun(days, 'day')}`}`
}

const nextDateSentence = (date: string): string => (date === '' ? '' : `Next billing date: ${date}. `)

/** Leaves out facts without a value. */
const toFacts = (facts: readonly (readonly [name: string, value: string])[]): readonly string[] =>
  facts.filter(([, value]) => value !== '').map(([name, value]) => fact(name, value))

/** Returns a warning; empty if the items add up to the total, undefined if they can't be compared. */
export function differenceText(billing: Billing): string | undefined {
  const { plan, addOns, totalMonthly } = billing
  const parts = [addOns.agents, addOns.storage, addOns.crm].filter(hasContent).map(({ total }) => total)
  const numbers = addOns.numbers.filter(hasContent).map(({ monthly }) => monthly)
  const sum = addAmounts([plan.price, ...parts, ...numbers])
  const total = parseMoney(totalMonthly)
  const difference = sum && total && addMoney([total, negateMoney(sum)])
  if (!sum || !difference) return undefined
  if (difference.units === 0n) return ''
  return `⚠ Items add up to ${formatMoney(sum)}, but the total is ${totalMonthly}. Ask your phone provider about the difference.`
}

const callCostsText = "Call costs aren't included."

function listOtherFacts({ plan, creditLimit }: Billing): readonly string[] {
  const included = [
    [plan.agents, pluralize(plan.agents, 'agent')],
    [plan.storage, `${plan.storage} of storage`],
    [plan.crm, pluralize(plan.crm, 'CRM')],
  ].flatMap(([count = '', text = '']) => (count === '' || /^0\s*\D*$/.test(count) ? [] : [text]))
  return [
    ...(included.length > 0 ? [`The plan includes ${included.join(', ')}`] : []),
    ...(creditLimit === '' || isZero(creditLimit) ? [] : [`Credit limit ${creditLimit}`]),
  ]
}

/** Shown in a channel only if the poster ticks it. */
export const extraOptions = [
  option('Show the payment card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies readonly Option[]

export const billingSchedule = scheduleInfo({
  needs: 'billing',
  command: 'billing',
  post: 'billing post',
  intro:
    'Everyone in the channel will see the plan, add-on subtotals, next billing date and monthly total. Each post says that you scheduled it.',
  audit: 'a bill schedule',
  posted: 'posted the bill',
  rhythms: ['billing-date', 'monthly first', 'monthly last', ...WEEKLY_RHYTHMS],
  perPage: 7,
  invitation: 'A channel can get the phone bill on each billing date, or every month or week.',
})

export const postButton = postActions.channel.button('Post to a channel…')

/** Items that fit into the table of a message. */
const MAX_ITEMS = 30

/** Falls back to lines for workspaces that reject tables. @param summary escaped */
function renderRows(
  billing: Billing,
  items: readonly BillingItem[],
  { summary, facts, below }: { summary: string; facts: readonly string[]; below: readonly Block[] },
): Answer {
  const { totalMonthly } = billing
  const total = totalMonthly === '' ? [] : [item('Total per month', totalMonthly)]
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
  const title = parseMoney(totalMonthly) ? `Billing: ${totalMonthly} a month` : 'Billing'
  const text = escapeText(`${title}. `) + summary
  const factBlocks = facts.length === 0 ? [] : [fields(facts)]
  const blocksWith = (rows: readonly Block[]) => [header(title), ...factBlocks, ...rows, ...below]
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

export function renderBill({ billing, today, lines }: Bill, buttons: readonly Block[]): Answer {
  const all = listItems(billing, lines)
  const hidden = all.length - MAX_ITEMS
  const more = hidden > 0 ? [{ name: `… and ${hidden} more`, amount: '' }] : []
  const next = nextDateText(billing, today)
  const payment = paymentText(billing)
  const difference = differenceText(billing) ?? "Not every amount could be read, so the total wasn't checked."
  const check = escapeText(`${difference || '✓ Items add up to the total.'} ${callCostsText}`)
  const otherFacts = listOtherFacts(billing).join(' · ')
  return renderRows(billing, [...all.slice(0, MAX_ITEMS), ...more], {
    summary: `${escapeText(nextDateSentence(next))}${check}`,
    facts: toFacts([
      ['Next billing date', next],
      ['Payment method', payment],
    ]),
    below: [section(check), ...(otherFacts === '' ? [] : [noteBlock(otherFacts)]), ...buttons],
  })
}

export const billingAnswer = (bill: Bill, isAdmin: boolean): Answer =>
  renderBill(
    bill,
    actionRow([
      postButton,
      billingSchedule.actions.new.button('Schedule posts…', {}),
      ...(isAdmin ? [settingsAction.button('Change access…')] : []),
    ]),
  )

/** @param last the schedule's last post */
export function billingPost(
  billing: Billing,
  include: NonNullable<Schedule['include']>,
  last?: Schedule['postedBill'],
): Answer {
  const next = nextDateText(billing)
  const difference = differenceText(billing)
  const plan = billing.plan.name === '' ? '' : `${billing.plan.name}.`
  return renderRows(billing, listItems(billing), {
    summary: escapeText(`${nextDateSentence(next)}${plan}`).trim(),
    facts: toFacts([
      ['Next billing date', next],
      ['Last posted', last ? `${last.total || '–'} a month, on ${dayLabel(last.day)}` : ''],
      ['Payment method', include.includes('card') ? paymentText(billing) : ''],
      ['Credit limit', include.includes('limit') ? billing.creditLimit : ''],
    ]),
    below: [...(difference ? [section(escapeText(difference))] : []), context(callCostsText)],
  })
}
