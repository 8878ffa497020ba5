import { type Block, button, LIMITS, plain } from '../slack/blocks.ts'
import { lastPage, nextPage } from '../telephony/paging.ts'
import type { CallPage } from '../telephony/types.ts'
import { type ListQuery, writeMenuBlockId, writeQuery } from './query.ts'
import { titleOf } from './summary.ts'

/** First, previous, next and last; those that lead nowhere are left out, and so is an empty row. */
export function pagingButtons(query: ListQuery, page: CallPage, nonce: string): Block[] {
  const to = (name: string, text: string, number: number) =>
    button(`calls.page.${name}`, text, writeQuery({ ...query, page: number }))
  const last = lastPage(page)
  const next = nextPage(page)
  // From beyond the end, the way back leads to the last page.
  const previous = Math.min(query.page - 1, last ?? query.page - 1)
  const elements = [
    ...(query.page > 1 ? [to('first', 'First', 1), to('previous', 'Previous', previous)] : []),
    ...(next === undefined ? [] : [to('next', 'Next', next)]),
    ...(next === undefined || last === undefined ? [] : [to('last', 'Last', last)]),
  ]
  return elements.length > 0 ? [{ type: 'actions', block_id: `calls.paging|${nonce}`, elements }] : []
}

export function moreButtons(query: ListQuery, nonce: string): Block {
  const other = {
    ...query,
    direction: query.direction === 'incoming' ? 'outgoing' : 'incoming',
    page: 1,
  } as const
  return {
    type: 'actions',
    block_id: writeMenuBlockId(query, nonce),
    elements: [
      button('calls.filter', 'Filter…', writeQuery(query)),
      button('calls.direction', titleOf(other), writeQuery(other)),
      {
        type: 'overflow',
        action_id: 'calls.more',
        options: [
          { text: plain('Refresh', LIMITS.optionText), value: 'refresh' },
          { text: plain('Share in this channel', LIMITS.optionText), value: 'share' },
        ],
      },
    ],
  }
}
