import type { types } from '@slack/bolt'
import { type Block, button, LIMITS, plain } from './blocks.ts'

export interface PagingRow {
  /** What the action ids begin with, such as `calls`. */
  readonly feature: string
  /** The page shown, from 1; it may lie beyond the last one. */
  readonly page: number
  /** `undefined` where the length of the list is unknown. */
  readonly last: number | undefined
  readonly next: number | undefined
  /** A button's value for a page. */
  readonly valueFor: (page: number) => string
  readonly nonce: string
}

/** First, previous, next and last; those that lead nowhere are left out, and so is an empty row. */
export function pagingRow({ feature, page, last, next, valueFor, nonce }: PagingRow): Block[] {
  const to = (name: string, text: string, number: number) =>
    button(`${feature}.page.${name}`, text, valueFor(number))
  // From beyond the end, the way back leads to the last page.
  const previous = Math.min(page - 1, last ?? page - 1)
  const elements = [
    ...(page > 1 ? [to('first', 'First', 1), to('previous', 'Previous', previous)] : []),
    ...(next === undefined ? [] : [to('next', 'Next', next)]),
    ...(next === undefined || last === undefined ? [] : [to('last', 'Last', last)]),
  ]
  return elements.length > 0 ? [{ type: 'actions', block_id: `${feature}.paging|${nonce}`, elements }] : []
}

/** The menu for the rest. An option's value is too short for a query: the menu's block carries it. */
export const moreMenu = (feature: string): types.Overflow => ({
  type: 'overflow',
  action_id: `${feature}.more`,
  options: [
    { text: plain('Refresh', LIMITS.optionText), value: 'refresh' },
    { text: plain('Share in this channel', LIMITS.optionText), value: 'share' },
  ],
})
