import { type Block, button } from '../../slack/blocks/blocks.ts'
import { moreMenu, pagingRow } from '../../slack/blocks/list-buttons.ts'
import { lastPage, nextPage } from '../../telephony/paging.ts'
import type { CallPage } from '../../telephony/types.ts'
import { type ListQuery, writeMenuBlockId, writeQuery } from './query.ts'
import { titleOf } from './summary.ts'

export const pagingButtons = (query: ListQuery, page: CallPage, nonce: string): Block[] =>
  pagingRow({
    feature: 'calls',
    page: query.page,
    last: lastPage(page),
    next: nextPage(page),
    valueFor: (number) => writeQuery({ ...query, page: number }),
    nonce,
  })

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
      moreMenu('calls'),
    ],
  }
}
