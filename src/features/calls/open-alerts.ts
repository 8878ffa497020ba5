import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { findPermalink } from '../../slack/api/web-api.ts'
import { action, pagingRow } from '../../slack/blocks/action.ts'
import {
  type Block,
  context,
  cut,
  escapeText,
  header,
  isPersonId,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import { dayMs } from '../../util/units.ts'

const MAX_AGE_DAYS = 7
const PER_PAGE = 10
const MAX_LINE_LABEL_LENGTH = 80

const pageSchema = z.strictObject({ page: z.int().min(1).max(1000) })

/** Buttons of the list. The alerts feature handles `take`. */
export const openAlertActions = {
  show: action('calls.open'),
  page: action('calls.open.page.', pageSchema),
  take: action('calls.open.take', pageSchema.extend({ id: z.string().min(1).max(200) })),
}

interface OpenAlertsView {
  readonly alerts: readonly AlertMessageRecord[]
  readonly page: number
  readonly lines: LineNames
  readonly zone: Zone
  readonly now: Date
  /** Permalinks of the messages on the page, by id. */
  readonly links: ReadonlyMap<string, string>
  /** Result of a click, in mrkdwn. */
  readonly note?: string | undefined
  /** Builds the paging buttons of a tool's answer; without them, alerts get a *Take* button. */
  readonly toolPaging?: ToolPaging | undefined
}

type ToolPaging = (pages: { page: number; last: number; next: number | undefined }) => readonly Block[]

const countCalls = (alerts: readonly AlertMessageRecord[]) =>
  alerts.reduce((sum, { count }) => sum + count, 0)

/** `2 missed calls are waiting, the oldest since 07:05`; `undefined` if none is. */
export function describeOpenAlerts(
  alerts: readonly AlertMessageRecord[],
  zone: Zone,
  now: Date,
): string | undefined {
  const [oldest] = alerts
  if (!oldest) return undefined
  const count = countCalls(alerts)
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
  const named = [
    ...new Set(calls.map(({ line }) => (line === '' ? 'an unknown line' : lines.getLabel(line)))),
  ]
  const on = named.length === 1 ? ` on ${cut(named[0] ?? '', MAX_LINE_LABEL_LENGTH)}` : ''
  const title =
    count === 1 ? `Missed call at ${at}${on}` : `${formatNumber(count)} missed calls since ${at}${on}`
  return `${title} · waiting ${durationText(now.getTime() - firstAt)}`
}

function alertBlock(alert: AlertMessageRecord, view: OpenAlertsView): Block {
  const { id, channel } = alert
  const link = view.links.get(id)
  const place = isPersonId(channel) ? 'Your direct messages' : `<#${channel}>`
  const where = link === undefined ? place : `${place} · <${escapeText(link)}|View message>`
  const text = section(`*${escapeText(describeAlert(alert, view))}*\n${where}`)
  // A direct message has one reader, so there is nothing to take.
  if (isPersonId(channel) || view.toolPaging) return text
  return { ...text, accessory: openAlertActions.take.button('Take', { id, page: view.page }, 'primary') }
}

function renderOpenAlerts(view: OpenAlertsView): Message {
  const { alerts, page, zone, now, note, toolPaging } = view
  const last = Math.max(1, Math.ceil(alerts.length / PER_PAGE))
  const shown = alerts.slice((page - 1) * PER_PAGE, page * PER_PAGE)
  const title = describeOpenAlerts(alerts, zone, now) ?? 'No missed calls are waiting'
  const position = last > 1 ? ` · Page ${page} of ${last}` : ''
  const about = `Alerts of the last ${MAX_AGE_DAYS} days, oldest first · ${escapeText(zoneLabel(zone, now))}${position}`
  const pages = { page, last, next: page < last ? page + 1 : undefined }
  const valueFor = (number: number) => ({ page: number })
  const nonce = randomUUID().slice(0, 8)
  return {
    text: textOfLines([
      ...(note === undefined ? [] : [note]),
      `${title}.`,
      ...shown.map((alert) => escapeText(describeAlert(alert, view))),
    ]),
    blocks: [
      header(title),
      ...(note === undefined ? [] : [section(note)]),
      context(
        alerts.length === 0
          ? `Every alert of the last ${MAX_AGE_DAYS} days in your channels was taken or is done.`
          : about,
      ),
      ...shown.map((alert) => alertBlock(alert, view)),
      ...(toolPaging?.(pages) ?? pagingRow({ action: openAlertActions.page, ...pages, valueFor, nonce })),
    ],
  }
}

/** Lists the missed-call alerts that are neither taken nor done. */
export class OpenAlerts {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'workspaces' | 'channels' | 'webApi' | 'now' | 'log'>) {
    this.#services = services
  }

  /**
   * Finds the alerts that the person may see, oldest first: those in channels that they are in, and their own.
   * @throws {StoreError | SlackUnavailableError | TokenRefusedError}
   */
  async find(
    actor: Pick<Actor, 'tenant' | 'team' | 'person' | 'installation'>,
  ): Promise<readonly AlertMessageRecord[]> {
    const { store, channels, now } = this.#services
    const start = new Date(now() - MAX_AGE_DAYS * dayMs).toISOString()
    const open: AlertMessageRecord[] = []
    for await (const message of store.alertMessages.from(actor.tenant, start))
      if (message.ts !== undefined && !message.taken && !message.done) open.push(message)
    if (open.length === 0) return []
    const joined = await channels.listJoined(actor, actor.person.id)
    return open.filter(({ channel }) =>
      isPersonId(channel) ? channel === actor.person.id : joined.has(channel),
    )
  }

  async list(
    interaction: Interaction,
    requestedPage: number,
    more: Pick<OpenAlertsView, 'note' | 'toolPaging'> = {},
  ): Promise<Answer> {
    const { workspaces, now } = this.#services
    const { actor, tenant, channel } = interaction
    const [alerts, lines, { zone }] = await Promise.all([
      this.find(actor),
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, channel, actor.person),
    ])
    const page = Math.min(requestedPage, Math.max(1, Math.ceil(alerts.length / PER_PAGE)))
    const links = await this.#findLinks(actor, alerts.slice((page - 1) * PER_PAGE, page * PER_PAGE))
    return { message: renderOpenAlerts({ alerts, page, lines, zone, now: new Date(now()), links, ...more }) }
  }

  /** Messages without a permalink are listed without a link. */
  async #findLinks(
    { installation }: Actor,
    shown: readonly AlertMessageRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const links = await Promise.all(
      shown.map(async ({ id, channel, conversation = channel, ts = '' }) => {
        const link = await findPermalink(this.#services, installation.botToken, { channel: conversation, ts })
        return link === undefined ? [] : [[id, link] as const]
      }),
    )
    return new Map(links.flat())
  }
}
