import type { types } from '@slack/bolt'
import { numberText } from '../../util/text.ts'
import { type Block, button } from './blocks.ts'
import { type Option, option } from './inputs.ts'

/** First, previous, next and last; those that lead nowhere are left out, and so is an empty row. */
export function pagingRow(list: {
  /** What the action ids begin with, such as `calls.page.`. */
  readonly action: string
  /** From 1; it may lie beyond the last one. */
  readonly page: number
  /** `undefined` where the length of the list is unknown. */
  readonly last: number | undefined
  readonly next: number | undefined
  /** A button's value for a page. */
  readonly valueFor: (page: number) => string
  readonly nonce: string
}): Block[] {
  const { action, page, last, next, valueFor, nonce } = list
  const to = (name: string, text: string, number: number) =>
    button(`${action}${name}`, text, valueFor(number))
  const isBeyond = last !== undefined && page > last
  const elements = isBeyond
    ? [...(last > 1 ? [to('last', 'Last page', last)] : []), to('first', 'First page', 1)]
    : [
        ...(page > 1 ? [to('first', 'First', 1), to('previous', 'Previous', page - 1)] : []),
        ...(next === undefined ? [] : [to('next', 'Next', next)]),
        ...(next === undefined || last === undefined ? [] : [to('last', 'Last', last)]),
      ]
  const blockId = `${action.replace(/page\.$/, 'paging')}|${nonce}`
  return elements.length > 0 ? [{ type: 'actions', block_id: blockId, elements }] : []
}

/** For a page that lies beyond the last one. */
export const beyondLastText = (last: number): string => `This list ends at page ${numberText(last)}.`

/** The menu for the rest; the id of its block carries the query. */
export const moreMenu = (actionId: string, more: readonly Option[] = []): types.Overflow => ({
  type: 'overflow',
  action_id: actionId,
  options: [option('Refresh', 'refresh'), ...more],
})

/**
 * The id of a menu's block, which carries what an option's value is too short for. Fresh on every replacement.
 * @param actionId the menu's, such as `calls.more`
 */
export const writeMenuBlockId = (actionId: string, nonce: string, value: string): string =>
  `${actionId}|${nonce}|${value}`

/** What the id of the menu's block carries; `undefined` for one that this app did not write. */
export function readMenuBlockId(actionId: string, blockId: string): string | undefined {
  const [action, nonce = '', ...value] = blockId.split('|')
  return action === actionId && /^[\w-]*$/.test(nonce) && value.length > 0 ? value.join('|') : undefined
}
