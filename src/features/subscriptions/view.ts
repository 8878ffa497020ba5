import type { types } from '@slack/bolt'
import { overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  type Block,
  context,
  header,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { SubscriptionInfo, SubscriptionRow } from './kind.ts'
import { muteTexts } from './mute.ts'

function rowMenu({ menu }: SubscriptionInfo['actions'], isOff: boolean): types.Overflow {
  const changes = isOff ? { 'turn-on': 'Turn on' } : muteTexts
  return overflow(
    [menu.entry('edit'), 'Edit…'],
    ...Object.entries(changes).map(([name, text]) => [menu.entry(name), text] as const),
    [menu.entry('delete'), 'Delete…'],
  )
}

/** A subscription with its menu. @param page of the list; 1 outside of a list */
export function rowBlock(
  { actions }: Pick<SubscriptionInfo, 'actions'>,
  { id, isOff }: SubscriptionRow,
  lines: readonly string[],
  { page, nonce }: { readonly page: number; readonly nonce: string },
): Block {
  return {
    ...section(lines.join('\n')),
    block_id: actions.menu.blockId({ id, page }, nonce),
    accessory: rowMenu(actions, isOff),
  }
}

/**
 * A page of a workspace's subscriptions of one kind.
 * @param options.page from 1; the last one if there are fewer
 * @param options.note mrkdwn
 */
export function listMessage(
  info: SubscriptionInfo,
  all: readonly SubscriptionRow[],
  options: { readonly page: number; readonly nonce: string; readonly note?: string | undefined },
): Message {
  const { actions, word, longWord } = info
  const { title, perPage, none, hint } = info.list
  const { nonce, note } = options
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const page = Math.min(options.page, last)
  const rows = all.slice((page - 1) * perPage, page * perPage)
  const next = page < last ? page + 1 : undefined
  const valueFor = (number: number) => ({ page: number })
  const isEmpty = all.length === 0
  const text = isEmpty ? none : `${all.length} ${longWord}${all.length === 1 ? '' : 's'}.`
  return {
    text: textOfLines([note === undefined ? text : `${note} ${text}`, ...rows.map(({ line }) => line)]),
    blocks: [
      header(title),
      ...(note === undefined ? [] : [section(note)]),
      ...(isEmpty ? [section(text)] : []),
      ...rows.map((row) =>
        rowBlock(info, row, [`*${row.title}*`, ...row.details, ...row.state], { page, nonce }),
      ),
      ...pagingRow({ action: actions.page, page, last, next, valueFor, nonce }),
      ...actionRow([actions.new.button(`New ${word}…`, valueFor(page), isEmpty ? 'primary' : undefined)]),
      ...(last > 1 ? [context(`Page ${page} of ${last}`)] : []),
      ...(isEmpty ? [] : [context(hint)]),
    ],
  }
}
