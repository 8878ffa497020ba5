import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { messageModalId, modal } from '../../slack/blocks/modal.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { channelField, choice } from '../../slack/forms/fields.ts'
import { Form, optionalField } from '../../slack/forms/form.ts'
import { isMuted, type Muted } from '../../store/alerts.ts'
import { dayTimeLabel, instantLabel, localDay, recentLabel, type Zone } from '../../time/zones.ts'
import { pageText, paginate } from '../../util/paging.ts'
import { capitalize, countNoun } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import type { SubscriptionInfo, SubscriptionRow } from './kind.ts'
import { allRhythms, type Schedule, type ScheduleOptions, type Slot } from './schedule.ts'

const muteTexts = {
  'mute-hour': 'Mute for an hour',
  'mute-day': 'Mute until tomorrow',
  mute: 'Mute until turned on',
} as const
export type MuteEntry = keyof typeof muteTexts

export const mutedText = ({ until }: Muted, zone: Zone, now: EpochMs): string =>
  until === undefined ? 'Muted' : `Muted until ${recentLabel(zone, new Date(until), new Date(now))}`

export const zoneHint = "In the channel's time zone, or the workspace's for direct messages."

const whereTexts = { channel: 'In a channel', direct: 'In direct messages to you' }

/** Asks where to post. @param channel preselected; undefined for direct messages */
export const createPlaceForm = (channel?: string) =>
  new Form({
    where: choice('Where', whereTexts, channel === undefined ? 'direct' : 'channel'),
    // Direct messages need no channel. Slack shows "(optional)" beside the label.
    channel: { ...optionalField(channelField(channel ?? '')), isOptional: channel === undefined },
  })

export const notFoundText = ({ word }: SubscriptionInfo): string => `That ${word} was already deleted.`

const rowText = ({ title, lines }: SubscriptionRow): string => [`*${title}*`, ...lines].join('\n')

/** Shows the saved one, and lists the others. @param warning mrkdwn */
export function buildSavedModal(
  { command, word, listTitle }: SubscriptionInfo,
  rows: readonly SubscriptionRow[],
  { id, warning }: { readonly id: string; readonly warning: string | undefined },
): types.ModalView {
  const savedTexts = ['Saved.']
  const others: blocks.Block[] = []
  for (const row of rows) {
    if (row.id === id) savedTexts.push(rowText(row))
    else others.push(blocks.section(rowText(row)))
  }
  if (warning !== undefined) savedTexts.push(warning)
  if (others.length > 0) others.unshift({ type: 'divider' })
  const hint = blocks.context(`Edit, mute or delete: \`/${command} ${word}s\``)
  const shown = [blocks.section(savedTexts.join('\n')), ...others, hint]
  return modal({ id: messageModalId, title: listTitle, blocks: shown })
}

export function buildRow(
  { actions }: Pick<SubscriptionInfo, 'actions'>,
  row: SubscriptionRow,
  { page, nonce }: { page: number; nonce: string },
): blocks.Block {
  const { menu } = actions
  const { id, isOff } = row
  const changes = isOff ? { 'turn-on': 'Turn on' } : muteTexts
  const changeEntries = Object.entries(changes).map(([name, text]) => [menu.entry(name), text] as const)
  const deleteEntry = [menu.entry('delete'), 'Delete…'] as const
  const accessory = overflow([menu.entry('edit'), 'Edit…'], ...changeEntries, deleteEntry)
  return { ...blocks.section(rowText(row)), block_id: menu.getBlockId({ id, page }, nonce), accessory }
}

/** A message holds 12,000 characters, and each row may have a long reason why nothing is posted. */
const ROWS_PER_PAGE = 4

/** @param options.note mrkdwn; may be empty */
export function renderSubscriptions(
  info: SubscriptionInfo,
  allRows: readonly SubscriptionRow[],
  options: { page: number; nonce: string; note: string },
): blocks.Message {
  const { actions, word, listTitle, none, hint } = info
  const { nonce, note } = options
  const { items: rows, ...pages } = paginate(allRows, options.page, ROWS_PER_PAGE)
  const { page } = pages
  const valueFor = (number: number) => ({ page: number })
  const isEmpty = allRows.length === 0
  const summary = isEmpty ? none : `${countNoun(allRows.length, word)}.`
  const rowTexts = rows.map(({ title, lines }) => `${title}: ${lines.join(' · ')}`)
  const shown = [blocks.header(listTitle)]
  if (note !== '') shown.push(blocks.section(note))
  if (isEmpty) shown.push(blocks.section(summary))
  for (const row of rows) shown.push(buildRow(info, row, { page, nonce }))
  shown.push(...pagingRow({ action: actions.page, ...pages, valueFor, nonce }))
  const createButton = actions.create.button(`New ${word}…`, valueFor(page), isEmpty ? 'primary' : undefined)
  shown.push(...blocks.actionRow([createButton]))
  if (pages.last !== 1) shown.push(blocks.context(pageText(pages)))
  if (!isEmpty) shown.push(blocks.context(hint))
  return { text: blocks.textOfLines([`${note} ${summary}`.trim(), ...rowTexts]), blocks: shown }
}

/** `every Monday at 09:00 (Europe/Berlin), by agent` @param zone left out of the audit log */
export function describeRhythm({ rhythm, time, by }: ScheduleOptions, zone?: Zone): string {
  let text = `${allRhythms[rhythm].text} at ${time}`
  if (zone !== undefined) text += ` (${zone})`
  if (by !== undefined) text += `, by ${by}`
  return text
}

/** Returns mrkdwn. */
export function nameSchedule(schedule: Schedule, zone: Zone): string {
  const where = capitalize(blocks.conversationText(schedule.channel))
  return `${where}, ${blocks.escapeText(describeRhythm(schedule, zone))}`
}

function formatNextPost(schedule: Schedule, due: Slot, zone: Zone, now: EpochMs): string {
  const { rhythm, time, billingDay } = schedule
  if (rhythm !== 'billing-date') return instantLabel(zone, new Date(due.at), new Date(now))
  const isDateKnown = billingDay !== undefined && billingDay >= due.day
  if (!isDateKnown) return `on the billing date, ${time}`
  return dayTimeLabel(billingDay, time, localDay(zone, new Date(now)))
}

export function toScheduleRow(schedule: Schedule, zone: Zone, now: EpochMs): SubscriptionRow {
  const { id, owner, stopped, due, muted } = schedule
  const facts: string[] = []
  const isMutedNow = isMuted(schedule, now)
  if (muted && isMutedNow) facts.push(`${mutedText(muted, zone, now)} by <@${muted.by}>`)
  if (due) facts.push(`Next: ${formatNextPost(schedule, due, zone, now)}`)
  facts.push(`Scheduled by <@${owner}>`)
  const lines = [facts.join(' · ')]
  if (stopped) lines.push(`⚠ Stopped. ${stopped.why}`)
  const isFailing = stopped !== undefined
  const isOff = isFailing || isMutedNow
  return { id, isFailing, isOff, title: nameSchedule(schedule, zone), lines }
}
