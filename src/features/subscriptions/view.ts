import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import {
  actionRow,
  type Block,
  context,
  header,
  isPersonId,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { channelField, choice } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
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

/** The channel may stay empty for direct messages, because the form never redraws. */
export function createConversationForm(channel: string) {
  const isDirect = channel === '' || isPersonId(channel)
  return new Form({
    where: choice(
      'Where',
      { channel: 'In a channel', direct: 'In direct messages to you' },
      isDirect ? 'direct' : 'channel',
    ),
    channel: channelField(isDirect ? '' : channel).optional(),
  })
}

export function rowBlock(
  { actions: { menu } }: Pick<SubscriptionInfo, 'actions'>,
  { id, isOff, title, lines }: SubscriptionRow,
  { page, nonce }: { page: number; nonce: string },
): Block {
  const changes = isOff ? { 'turn-on': 'Turn on' } : muteTexts
  const accessory: types.Overflow = overflow(
    [menu.entry('edit'), 'Edit…'],
    ...Object.entries(changes).map(([name, text]) => [menu.entry(name), text] as const),
    [menu.entry('delete'), 'Delete…'],
  )
  const text = [`*${title}*`, ...lines].join('\n')
  return { ...section(text), block_id: menu.blockId({ id, page }, nonce), accessory }
}

/** @param options.note mrkdwn */
export function listMessage(
  info: SubscriptionInfo,
  all: readonly SubscriptionRow[],
  options: { page: number; nonce: string; note?: string | undefined },
): Message {
  const { actions, word, longWord, listTitle, perPage, none, hint } = info
  const { nonce, note } = options
  const { items: rows, ...pages } = paginate(all, options.page, perPage)
  const { page } = pages
  const valueFor = (number: number) => ({ page: number })
  const isEmpty = all.length === 0
  const text = isEmpty ? none : `${all.length} ${longWord}${all.length === 1 ? '' : 's'}.`
  const listed = rows.map(({ title, lines }) => `${title}: ${lines.join(' · ')}`)
  return {
    text: textOfLines([note === undefined ? text : `${note} ${text}`, ...listed]),
    blocks: [
      header(listTitle),
      ...(note === undefined ? [] : [section(note)]),
      ...(isEmpty ? [section(text)] : []),
      ...rows.map((row) => rowBlock(info, row, { page, nonce })),
      ...pagingRow({ action: actions.page, ...pages, valueFor, nonce }),
      ...actionRow([actions.new.button(`New ${word}…`, valueFor(page), isEmpty ? 'primary' : undefined)]),
      ...(pages.last === 1 ? [] : [context(pageText(pages))]),
      ...(isEmpty ? [] : [context(hint)]),
    ],
  }
}
