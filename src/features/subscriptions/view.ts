import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import {
  actionRow,
  type Block,
  context,
  header,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { messageModalId, modal } from '../../slack/blocks/modal.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { channelField, choice } from '../../slack/forms/fields.ts'
import { type Entered, type Errors, enteredIn, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Muted } from '../../store/alerts.ts'
import { recentLabel, type Zone } from '../../time/zones.ts'
import { pageText, paginate } from '../../util/paging.ts'
import type { EpochMs } from '../../util/units.ts'
import type { SubscriptionInfo, SubscriptionRow } from './kind.ts'

const muteTexts = {
  'mute-hour': 'Mute for an hour',
  'mute-day': 'Mute until tomorrow',
  mute: 'Mute until turned on',
} as const
export type MuteEntry = keyof typeof muteTexts

export const mutedText = ({ until }: Muted, zone: Zone, now: EpochMs): string =>
  until === undefined ? 'Muted' : `Muted until ${recentLabel(zone, new Date(until), new Date(now))}`

/** Hint of a time of day in a form. */
export const zoneHint = "In the channel's time zone, or the workspace's for direct messages."

const whereTexts = { channel: 'In a channel', direct: 'In direct messages to you' }

/** @param preselected channel; empty for direct messages @param entered the values so far, if the form is redrawn */
export function placeInputs(
  { actions }: SubscriptionInfo,
  preselected: string,
  entered: Entered,
): readonly types.InputBlock[] {
  const initial = preselected === '' ? 'direct' : 'channel'
  const where = choice('Where', whereTexts, initial, { redraw: actions.where })
  const inputs = [where.input('where', entered['where'])]
  const isDirect = (entered['where'] ?? initial) === 'direct'
  if (!isDirect) inputs.push(channelField(preselected).input('channel', entered['channel']))
  return inputs
}

const isDirectChosen = (entered: Entered): boolean => entered['where'] === 'direct'

/** Whether the form was saved before the channel appeared below the choice. */
export function lacksChannel(view: ViewPayload): boolean {
  const entered = enteredIn(view)
  return !isDirectChosen(entered) && !('channel' in entered)
}

/** Returns the conversation: a channel, or the person's own id for direct messages. @throws {ForgedValueError} */
export function readPlace(view: ViewPayload, person: string): { channel: string } | { errors: Errors } {
  if (isDirectChosen(enteredIn(view))) return { channel: person }
  const { values, errors } = new Form({ channel: channelField('') }).read(view)
  return values ?? { errors }
}

export const notFoundText = ({ word }: SubscriptionInfo): string => `That ${word} was already deleted.`

/** Sorts by the next post, the earliest first. */
export const sortRows = (rows: readonly SubscriptionRow[]): readonly SubscriptionRow[] =>
  rows.toSorted((one, other) => one.at - other.at)

const rowText = ({ title, lines }: SubscriptionRow): string => [`*${title}*`, ...lines].join('\n')

/** Lists the one that was saved, then the others. @param warning mrkdwn */
export function savedModal(
  info: SubscriptionInfo,
  rows: readonly SubscriptionRow[],
  { id, warning }: { readonly id: string; readonly warning: string | undefined },
): types.ModalView {
  const { command, word, listTitle } = info
  const saved = rows.filter((row) => row.id === id)
  const others = sortRows(rows).filter((row) => row.id !== id)
  const texts = ['Saved.', ...saved.map(rowText)]
  if (warning !== undefined) texts.push(warning)
  const modalBlocks: Block[] = [section(texts.join('\n'))]
  if (others.length > 0) modalBlocks.push({ type: 'divider' })
  for (const row of others) modalBlocks.push(section(rowText(row)))
  modalBlocks.push(context(`Edit, mute or delete: \`/${command} ${word}s\``))
  return modal({ id: messageModalId, title: listTitle, blocks: modalBlocks })
}

export function rowBlock(
  { actions: { menu } }: Pick<SubscriptionInfo, 'actions'>,
  row: SubscriptionRow,
  { page, nonce }: { page: number; nonce: string },
): Block {
  const { id, isOff } = row
  const changes = isOff ? { 'turn-on': 'Turn on' } : muteTexts
  const accessory: types.Overflow = overflow(
    [menu.entry('edit'), 'Edit…'],
    ...Object.entries(changes).map(([name, text]) => [menu.entry(name), text] as const),
    [menu.entry('delete'), 'Delete…'],
  )
  return { ...section(rowText(row)), block_id: menu.blockId({ id, page }, nonce), accessory }
}

/** @param options.note mrkdwn; may be empty */
export function listMessage(
  info: SubscriptionInfo,
  all: readonly SubscriptionRow[],
  options: { page: number; nonce: string; note: string },
): Message {
  const { actions, word, longWord, listTitle, perPage, none, hint } = info
  const { nonce, note } = options
  const { items: rows, ...pages } = paginate(all, options.page, perPage)
  const { page } = pages
  const valueFor = (number: number) => ({ page: number })
  const isEmpty = all.length === 0
  const text = isEmpty ? none : `${all.length} ${longWord}${all.length === 1 ? '' : 's'}.`
  const listed = rows.map(({ title, lines }) => `${title}: ${lines.join(' · ')}`)
  const blocks = [header(listTitle)]
  if (note !== '') blocks.push(section(note))
  if (isEmpty) blocks.push(section(text))
  for (const row of rows) blocks.push(rowBlock(info, row, { page, nonce }))
  blocks.push(...pagingRow({ action: actions.page, ...pages, valueFor, nonce }))
  const style = isEmpty ? 'primary' : undefined
  blocks.push(...actionRow([actions.new.button(`New ${word}…`, valueFor(page), style)]))
  if (pages.last !== 1) blocks.push(context(pageText(pages)))
  if (!isEmpty) blocks.push(context(hint))
  return { text: textOfLines([`${note} ${text}`.trim(), ...listed]), blocks }
}
