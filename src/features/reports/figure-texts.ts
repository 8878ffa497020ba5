import { addMoney, formatMoney, type Money, negateMoney } from '../../telephony/money.ts'
import type { Direction } from '../../telephony/types.ts'
import { lengthText } from '../../time/labels.ts'
import { numberText } from '../../util/text.ts'
import type { CallFigures, Figures } from './aggregate.ts'

// Figures and their changes in words. Nothing here is escaped.

/** What there is no telling of. */
const unknown = '–'

/** In tenths of a percent: of all calls, those that nobody took. */
const rateOf = ({ calls, missed }: CallFigures): number | undefined =>
  calls === undefined || missed === undefined || calls === 0 ? undefined : Math.round((missed * 1000) / calls)

/** In tenths of a point, from the exact rates: the difference of rounded ones may be one off. */
function rateChange(now: CallFigures, before: CallFigures): number | undefined {
  if (!now.calls || !before.calls || now.missed === undefined || before.missed === undefined) return undefined
  const share = (now.missed * before.calls - before.missed * now.calls) / (now.calls * before.calls)
  return Math.sign(share) * Math.round(Math.abs(share) * 1000)
}

const rateText = (tenths: number) => `${Math.floor(tenths / 10)}.${tenths % 10}`

/** `21.8%` */
export function missedRate(figures: CallFigures): string {
  const rate = rateOf(figures)
  return rate === undefined ? unknown : `${rateText(rate)}%`
}

/** `(+12)`, `(−3)`, `(no change)`; nothing where one of both isn't known. */
function change(now: number | undefined, before: number | undefined, text: (size: number) => string): string {
  if (now === undefined || before === undefined) return ''
  const difference = now - before
  if (difference === 0) return ' (no change)'
  return ` (${difference > 0 ? '+' : '−'}${text(Math.abs(difference))})`
}

function costChange(now: Money | undefined, before: Money | undefined): string {
  const difference = now && before && addMoney([now, negateMoney(before)])
  if (!difference) return ''
  if (difference.units === 0n) return ' (no change)'
  const size = difference.units < 0n ? negateMoney(difference) : difference
  return ` (${difference.units > 0n ? '+' : '−'}${formatMoney(size)})`
}

export const costText = (cost: Money | undefined): string =>
  cost === undefined ? unknown : formatMoney(cost)

/** A figure by its name, with its change. */
export interface Fact {
  readonly name: string
  readonly value: string
}

const callNames: Readonly<Record<Direction, string>> = {
  incoming: 'Incoming calls',
  outgoing: 'Outgoing calls',
}
/** What nobody took, by the glossary. */
export const missedNames: Readonly<Record<Direction, string>> = { incoming: 'Missed', outgoing: 'No answer' }

function factsOf(direction: Direction, now: CallFigures, before: CallFigures, isAlone: boolean): Fact[] {
  const counted = (value: number | undefined, earlier: number | undefined) =>
    `${value === undefined ? unknown : numberText(value)}${change(value, earlier, numberText)}`
  const long = (value: number | undefined, earlier: number | undefined) =>
    `${value === undefined ? unknown : lengthText(value)}${change(value, earlier, lengthText)}`
  const rate = `${missedRate(now)}${change(rateChange(now, before), 0, (size) => `${rateText(size)} points`)}`
  const of = isAlone ? '' : direction === 'incoming' ? ', incoming' : ', outgoing'
  return [
    { name: callNames[direction], value: counted(now.calls, before.calls) },
    { name: missedNames[direction], value: `${counted(now.missed, before.missed)} · ${rate}` },
    { name: `Answered${of}`, value: counted(now.answered, before.answered) },
    { name: `Talk time${of}`, value: long(now.seconds, before.seconds) },
    { name: `Average length${of}`, value: long(now.averageSeconds, before.averageSeconds) },
    { name: `Cost${of}`, value: `${costText(now.cost)}${costChange(now.cost, before.cost)}` },
  ]
}

/** What a report says first, of each direction. */
export const factsFor = (
  directions: readonly Direction[],
  figures: Figures,
  before: Figures,
): readonly (readonly Fact[])[] =>
  directions.map((direction) =>
    factsOf(direction, figures[direction], before[direction], directions.length === 1),
  )
