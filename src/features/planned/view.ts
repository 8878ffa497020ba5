import type { types } from '@slack/bolt'
import type { PlannedInfo, PlannedRow } from '../../planned/kind.ts'
import { deleteMenu, pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  type Block,
  context,
  header,
  LIMITS,
  type Message,
  plain,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'

/** What can be done about one, in the list and on the home tab. @param page of the list; 1 where it is in none */
export function plannedButtons(
  { actions, muting, word, consequence }: PlannedInfo,
  { id, isPaused, isMuted }: PlannedRow,
  page = 1,
): types.ActionsBlock {
  const value = { id, page }
  const muteButtons = (own: NonNullable<PlannedInfo['muting']>) => {
    // What is paused says nothing anyway.
    if (isPaused) return []
    if (isMuted) return [own.unmute.button('Unmute', value)]
    // It has its name on it: what it offers is all of one kind.
    const menu: types.StaticSelect = {
      type: 'static_select',
      action_id: own.mute.id,
      placeholder: plain('Mute…', LIMITS.placeholder),
      options: [
        own.mute.option('Mute for an hour', { ...value, for: 'hour' }),
        own.mute.option('Mute until tomorrow', { ...value, for: 'day' }),
      ],
    }
    return [menu]
  }
  return {
    type: 'actions',
    elements: [
      actions.edit.button('Edit', value),
      isPaused ? actions.resume.button('Resume', value) : actions.pause.button('Pause', value),
      ...(muting ? muteButtons(muting) : []),
      deleteMenu(actions.delete, value, { what: word, consequence }),
    ],
  }
}

const rowBlocks = (info: PlannedInfo, row: PlannedRow, page: number): Block[] => [
  section([`*${row.title}*`, ...row.details, ...row.state].join('\n')),
  plannedButtons(info, row, page),
]

/**
 * A page of what a workspace has planned of one kind, with what can be done about each. Pure.
 * @param options.page from 1; the last one where there are not so many
 * @param options.note what was done just now, mrkdwn
 */
export function plannedMessage(
  info: PlannedInfo,
  all: readonly PlannedRow[],
  options: { readonly page: number; readonly nonce: string; readonly note?: string | undefined },
): Message {
  const { actions, word, longWord } = info
  const { title, perPage, none, counted, hint } = info.list
  const { nonce, note } = options
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const page = Math.min(options.page, last)
  const rows = all.slice((page - 1) * perPage, page * perPage)
  const next = page < last ? page + 1 : undefined
  const valueFor = (number: number) => ({ page: number })
  const isEmpty = all.length === 0
  const text = isEmpty ? none : counted(all.length === 1 ? `1 ${longWord}` : `${all.length} ${longWord}s`)
  return {
    text: textOfLines([note === undefined ? text : `${note} ${text}`, ...rows.map(({ line }) => line)]),
    blocks: [
      header(title),
      ...(note === undefined ? [] : [section(note)]),
      ...(isEmpty ? [section(text)] : rows.flatMap((row) => rowBlocks(info, row, page))),
      ...pagingRow({ action: actions.page, page, last, next, valueFor, nonce }),
      ...actionRow([actions.new.button(`New ${word}…`, valueFor(page), isEmpty ? 'primary' : undefined)]),
      ...(last > 1 ? [context(`Page ${page} of ${last}`)] : []),
      ...(isEmpty ? [] : [context(hint)]),
    ],
  }
}
