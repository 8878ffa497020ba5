import { numberText } from '../../util/text.ts'
import type { ValueAction } from './action.ts'
import type { Block } from './blocks.ts'

/** First, previous, next and last; those that lead nowhere are left out, and so is an empty row. */
export function pagingRow<Value>(list: {
  /** What the buttons begin with, such as `calls.page.`. */
  readonly action: ValueAction<Value>
  /** From 1; it may lie beyond the last one. */
  readonly page: number
  /** `undefined` where the length of the list is unknown. */
  readonly last: number | undefined
  readonly next: number | undefined
  /** A button's value for a page. */
  readonly valueFor: (page: number) => Value
  readonly nonce: string
}): Block[] {
  const { action, page, last, next, valueFor, nonce } = list
  const to = (name: string, text: string, number: number) => action.named(name).button(text, valueFor(number))
  const isBeyond = last !== undefined && page > last
  const elements = isBeyond
    ? [...(last > 1 ? [to('last', 'Last page', last)] : []), to('first', 'First page', 1)]
    : [
        ...(page > 1 ? [to('first', 'First', 1), to('previous', 'Previous', page - 1)] : []),
        ...(next === undefined ? [] : [to('next', 'Next', next)]),
        ...(next === undefined || last === undefined ? [] : [to('last', 'Last', last)]),
      ]
  const blockId = `${action.id.replace(/page\.$/, 'paging')}|${nonce}`
  return elements.length > 0 ? [{ type: 'actions', block_id: blockId, elements }] : []
}

/** For a page that lies beyond the last one. */
export const beyondLastText = (last: number): string => `This list ends at page ${numberText(last)}.`
