import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { findPermalink } from '../../slack/api/web-api.ts'
import { action } from '../../slack/blocks/actions.ts'
import {
  type Block,
  cut,
  escapeText,
  header,
  isPersonId,
  type Message,
  noteBlock,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { type Pages, paginate, pagingRow } from '../../slack/blocks/paging.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { type AlertMessageRecord, isOpenAlert } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import { dayMs } from '../../util/units.ts'

const MAX_AGE_DAYS = 7
const PER_PAGE = 10
const MAX_LINE_LABEL_LENGTH = 80

const pageSchema = z.strictObject({ page: z.int().min(1).max(1000) })

/** The alerts feature handles `take`. */
export const openAlertActions = {
  show: action('calls.open'),
  page: action('calls.open.page.', pageSchema),
  take: action('calls.open.take', pageSchema.extend({ id: z.string().min(1).max(200) })),
}

interface OpenAlertsView {
  readonly alerts: readonly AlertMessageRecord[]
  readonly lines: LineNames
  readonly zone: Zone
  readonly now: Date
  /** Result of a click, in mrkdwn. */
  readonly note?: string | undefined
  /** Set for a tool's answer, whose alerts have no *Take* button. */
  readonly toolPaging?: ((pages: Pages) => readonly Block[]) | undefined
}

interface OpenAlertsPage extends Pages {
  readonly last: number
  readonly items: readonly { readonly alert: AlertMessageRecord; readonly link: string | undefined }[]
}

/** `2 missed calls are waiting, the oldest since 07:05` */
export function describeOpenAlerts(
  alerts: readonly AlertMessageRecord[],
  zone: Zone,
  now: Date,
): string | undefined {
  const [oldest] = alerts
  if (!oldest) return undefined
  const count = alerts.reduce((sum, one) => sum + one.count, 0)
  const since = recentLabel(zone, new Date(oldest.firstAt), now)
  return count === 1
    ? `A missed call has been waiting since ${since}`
    : `${formatNumber(count)} missed calls are waiting, the oldest since ${since}`
}

/** `Missed call at 07:05 on Sales Berlin · waiting 2 h 10 min`. Not escaped. */
function describeAlert(
  { count, firstAt, calls }: AlertMessageRecord,
  { lines, zone, now }: OpenAlertsView,
): string {
  const at = recentLabel(zone, new Date(firstAt), now)
  const labels = calls.map(({ line }) => (line === '' ? 'an unknown line' : lines.getLabel(line)))
  const [label = '', ...others] = new Set(labels)
  const on = label === '' || others.length > 0 ? '' : ` on ${cut(label, MAX_LINE_LABEL_LENGTH)}`
  const title =
    count === 1 ? `Missed call at ${at}${on}` : `${formatNumber(count)} missed calls since ${at}${on}`
  return `${title} · waiting ${durationText(now.getTime() - firstAt)}`
}

function alertBlock(
  { alert, link }: OpenAlertsPage['items'][number],
  page: number,
  view: OpenAlertsView,
): Block {
  const { id, channel } = alert
  const place = isPersonId(channel) ? 'Your direct messages' : `<#${channel}>`
  const where = link === undefined ? place : `${place} · <${escapeText(link)}|View message>`
  const text = section(`*${escapeText(describeAlert(alert, view))}*\n${where}`)
  // A direct message has one reader, so there is nothing to take.
  if (isPersonId(channel) || view.toolPaging) return text
  return { ...text, accessory: openAlertActions.take.button('Take', { id, page }, 'primary') }
}

function renderOpenAlerts(view: OpenAlertsView, shown: OpenAlertsPage): Message {
  const { alerts, zone, now, note, toolPaging } = view
  const { page, last, items } = shown
  const title = describeOpenAlerts(alerts, zone, now) ?? 'No missed calls are waiting'
  const position = last > 1 ? ` · Page ${page} of ${last}` : ''
  const about =
    alerts.length === 0
      ? `Every alert from the last ${MAX_AGE_DAYS} days in your channels has been taken or finished.`
      : `Alerts from the last ${MAX_AGE_DAYS} days, oldest first · ${zoneLabel(zone, now)}${position}`
  const valueFor = (number: number) => ({ page: number })
  const nonce = randomUUID().slice(0, 8)
  const notes = note === undefined ? [] : [note]
  const lines = items.map(({ alert }) => escapeText(describeAlert(alert, view)))
  return {
    text: textOfLines([...notes, `${title}.`, ...lines]),
    blocks: [
      header(title),
      ...notes.map(section),
      noteBlock(about),
      ...items.map((one) => alertBlock(one, page, view)),
      ...(toolPaging?.(shown) ?? pagingRow({ action: openAlertActions.page, ...shown, valueFor, nonce })),
    ],
  }
}

/**
 * Finds alerts that the person may see, oldest first: those in channels that they are in, and their own.
 * @throws {StoreError | SlackUnavailableError | TokenRefusedError}
 */
export async function findOpenAlerts(
  { store, channels, now }: Services,
  actor: Actor,
): Promise<readonly AlertMessageRecord[]> {
  const start = new Date(now() - MAX_AGE_DAYS * dayMs).toISOString()
  const open: AlertMessageRecord[] = []
  for await (const message of store.alertMessages.from(actor.tenant, start))
    if (isOpenAlert(message)) open.push(message)
  if (open.length === 0) return []
  const joined = await channels.listJoined(actor, actor.person.id)
  return open.filter(({ channel }) =>
    isPersonId(channel) ? channel === actor.person.id : joined.has(channel),
  )
}

export async function listOpenAlerts(
  services: Services,
  interaction: Interaction,
  requestedPage: number,
  more: Pick<OpenAlertsView, 'note' | 'toolPaging'> = {},
): Promise<Answer> {
  const { workspaces, now } = services
  const { actor, tenant, channel: here } = interaction
  const [alerts, lines, { zone }] = await Promise.all([
    findOpenAlerts(services, actor),
    workspaces.lineNames(tenant),
    workspaces.zone(tenant, here, actor.person),
  ])
  const page = paginate(alerts, requestedPage, PER_PAGE)
  const items = await Promise.all(
    page.items.map(async (alert) => {
      const { channel, conversation = channel, ts = '' } = alert
      const place = { channel: conversation, ts }
      return { alert, link: await findPermalink(services, actor.installation.botToken, place) }
    }),
  )
  const view = { alerts, lines, zone, now: new Date(now()), ...more }
  return { message: renderOpenAlerts(view, { ...page, items }) }
}
