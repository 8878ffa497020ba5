import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { type Block, button } from '../../slack/blocks/blocks.ts'
import { moreMenu, pagingRow } from '../../slack/blocks/list-buttons.ts'
import { lastPage, nextPage } from '../../telephony/paging.ts'
import type { CallPage } from '../../telephony/types.ts'
import { type ListQuery, writeMenuQuery, writeQuery } from './query.ts'
import { titleOf } from './summary.ts'

const pagingButtons = (query: ListQuery, page: CallPage, nonce: string): Block[] =>
  pagingRow({
    action: ACTIONS.callsPage,
    page: query.page,
    last: lastPage(page),
    next: nextPage(page),
    valueFor: (number) => writeQuery({ ...query, page: number }),
    nonce,
  })

function otherButtons(query: ListQuery, nonce: string): Block {
  const otherDirection = query.direction === 'incoming' ? 'outgoing' : 'incoming'
  const other: ListQuery = { ...query, direction: otherDirection, page: 1 }
  return {
    type: 'actions',
    block_id: writeMenuQuery(query, nonce),
    elements: [
      button(ACTIONS.callsFilter, 'Filter…', writeQuery(query)),
      button(ACTIONS.callsDirection, titleOf(other), writeQuery(other)),
      moreMenu(ACTIONS.callsMore),
    ],
  }
}

/** Below a list: a row for paging, and one for the rest. */
export const listButtons = (query: ListQuery, page: CallPage, nonce: string): Block[] => [
  ...pagingButtons(query, page, nonce),
  otherButtons(query, nonce),
]
