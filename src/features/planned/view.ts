import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { OfPlanned, PlannedInfo, PlannedRow } from '../../planned/kind.ts'
import { action, deleteMenu, overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  type Block,
  context,
  header,
  LIMITS,
  type Message,
  plain,
  section,
  sectionWith,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { modal, noticeId } from '../../slack/blocks/inputs.ts'
import type { ViewOrigin } from '../../slack/blocks/values.ts'
import type { Tenant } from '../../store/tenant.ts'
import { uncapital } from '../../util/text.ts'

/** As many of each section of the home tab are shown, and of what somebody left who is gone. */
const mostOnHome = 5

/** Of a menu, with how long each mutes. */
export const muteEntries = [
  ['mute-hour', 'Mute for an hour', 'hour'],
  ['mute-day', 'Mute until tomorrow', 'day'],
] as const

/** Opens the choice between the kinds of a section, by its title. */
export const newPlanned = action('planned.new', z.string())

/** What can be done about one, in its list. */
function plannedButtons(
  { actions, changes, word, consequence }: PlannedInfo,
  { id, changes: offered }: PlannedRow,
  page: number,
): types.ActionsBlock {
  const value = { id, page }
  // It has its name on it: what it offers is all of one kind.
  const muteMenu: types.StaticSelect = {
    type: 'static_select',
    action_id: changes.mute.id,
    placeholder: plain('Mute…', LIMITS.placeholder),
    options: muteEntries.map(([, text, length]) => changes.mute.option(text, { ...value, for: length })),
  }
  const shown = {
    pause: changes.pause.button('Pause', value),
    resume: changes.resume.button('Resume', value),
    mute: muteMenu,
    unmute: changes.unmute.button('Unmute', value),
    'take-over': changes['take-over'].button('Take over', value),
  }
  return {
    type: 'actions',
    elements: [
      actions.edit.button('Edit…', value),
      ...offered.map((name) => shown[name]),
      deleteMenu(actions.delete, value, { what: word, consequence }),
    ],
  }
}

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
  const rowBlocks = (row: PlannedRow): Block[] => [
    section([`*${row.title}*`, ...row.details, ...row.state].join('\n')),
    plannedButtons(info, row, page),
  ]
  return {
    text: textOfLines([note === undefined ? text : `${note} ${text}`, ...rows.map(({ line }) => line)]),
    blocks: [
      header(title),
      ...(note === undefined ? [] : [section(note)]),
      ...(isEmpty ? [section(text)] : rows.flatMap(rowBlocks)),
      ...pagingRow({ action: actions.page, page, last, next, valueFor, nonce }),
      ...actionRow([actions.new.button(`New ${word}…`, valueFor(page), isEmpty ? 'primary' : undefined)]),
      ...(last > 1 ? [context(`Page ${page} of ${last}`)] : []),
      ...(isEmpty ? [] : [context(hint)]),
    ],
  }
}

/** One that is planned, of whatever kind. */
export interface HomeRow extends PlannedRow {
  readonly info: PlannedInfo
  /** Whoever set it up has left, or may not see it any more. */
  readonly isOwnerOut: boolean
}

/** `Call reports: direct messages …`, where several kinds stand together. */
const titleWithKind = ({ title, info }: Pick<HomeRow, 'title' | 'info'>): string =>
  `${info.home.prefix}${uncapital(title)}`

/** What is left of people who are out: to be taken over by the administrator who looks. Pure. */
export function orphanBlocks(rows: readonly HomeRow[]): Block[] {
  const all = rows.filter(({ isOwnerOut }) => isOwnerOut).slice(0, mostOnHome)
  const blocks = all.flatMap(({ id, owner, title, info }): Block[] => {
    const { changes, takeOver, needs } = info
    const out = `⚠ <@${owner}>, who set this up, has left or can't see ${needs} any more. Take it over to keep it going.`
    return [
      section(`*${titleWithKind({ title, info })}*\n${out}`),
      ...actionRow([changes[takeOver].button('Take over', { id, page: 1 }, 'primary')]),
    ]
  })
  return all.length === 0 ? [] : [...blocks, { type: 'divider' }]
}

/** What has stopped by itself stands first, and then what is expected first. */
const inOrder = (one: HomeRow, other: HomeRow) =>
  Number(other.isFailing) - Number(one.isFailing) || one.at - other.at

/** What its menu offers, for each change that a row says. */
const menuEntries: readonly (readonly [change: PlannedRow['changes'][number], name: string, text: string])[] =
  [
    ['pause', 'pause', 'Pause'],
    ['resume', 'resume', 'Resume'],
    ...muteEntries.map(([name, text]) => ['mute', name, text] as const),
    ['unmute', 'unmute', 'Unmute'],
  ]

function homeRow(text: string, { id, changes, info: { menu } }: HomeRow): Block {
  const offered = menuEntries.filter(([change]) => changes.includes(change))
  return {
    ...section(text),
    block_id: menu.blockId({ id, page: 1 }, ''),
    accessory: overflow(
      [menu.entry('edit'), 'Edit…'],
      ...offered.map(([, name, shown]) => [menu.entry(name), shown] as const),
      [menu.entry('delete'), 'Delete…'],
    ),
  }
}

/** Asks, where a menu can't: what it asks would hold for all of its options. Pure. */
export const deleteModal = (
  { actions, title, word, consequence }: PlannedInfo,
  team: Tenant,
  value: OfPlanned,
): types.ModalView =>
  modal({
    id: noticeId,
    origin: { team, channel: '' },
    title,
    close: 'Cancel',
    blocks: [
      section(`*Delete this ${word}?*\n${consequence} This can't be undone.`),
      ...actionRow([actions.delete.button(`Delete ${word}`, value, 'danger')]),
    ],
  })

/** What can be set up in a section: one kind at once, one of several by choice. */
const newButton = (title: string, [kind, ...others]: readonly PlannedInfo[]): types.Button | undefined =>
  kind && (others.length === 0 ? kind.actions.new.button('New…', {}) : newPlanned.button('New…', title))

/** Which kind of what stands in a section of the home tab is to be set up. Pure. */
export const chooseKind = (origin: ViewOrigin, infos: readonly PlannedInfo[]): types.ModalView =>
  modal({
    id: noticeId,
    origin,
    title: 'New',
    blocks: [
      section('What do you want to post?'),
      ...actionRow(infos.map(({ actions, home }) => actions.new.button(home.new, {}))),
    ],
  })

/**
 * What goes to channels by itself, section by section. Pure.
 * @param infos of all kinds @param seen of those that the person may see
 * @param isConnected what can be set up is offered
 */
export function plannedBlocks(
  infos: readonly PlannedInfo[],
  seen: readonly PlannedInfo[],
  rows: readonly HomeRow[],
  isConnected: boolean,
): Block[] {
  const sections = Map.groupBy(infos, ({ home }) => home.section)
  return [...sections].flatMap(([title, ofSection]): Block[] => {
    const kinds = ofSection.filter((info) => seen.includes(info))
    const all = rows.filter(({ info }) => kinds.includes(info)).toSorted(inOrder)
    if (kinds.length === 0 || (all.length === 0 && !isConnected)) return []
    // Others stand there that the person may not see.
    const isMixed = ofSection.length > 1
    const shown = all.slice(0, mostOnHome)
    const hidden = all.slice(mostOnHome)
    const lists = kinds.filter((info) => hidden.some((row) => row.info === info))
    const head = `*${title} (${all.length})*`
    const add = isConnected ? newButton(title, kinds) : undefined
    return [
      { type: 'divider' },
      add ? sectionWith(head, add) : section(head),
      ...shown.map((row) =>
        homeRow([`*${isMixed ? titleWithKind(row) : row.title}*`, ...row.state].join('\n'), row),
      ),
      ...(hidden.length > 0 ? [context(`and ${hidden.length} more`)] : []),
      ...actionRow(
        lists.map(({ home, command, word }) =>
          commandButton(home.all.id, home.all.text, `/${command} ${word}s`),
        ),
      ),
    ]
  })
}
