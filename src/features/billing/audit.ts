import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { auditDetail, auditLine } from '../../slack/access/audit-line.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { askedAtATime } from '../../slack/access/people.ts'
import { action, pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  context,
  escapeText,
  header,
  type Message,
  section,
  sections,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { bind, type CommandRoute, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { shortDayLabel } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, offsetAt, utcText, wallTime, zoneLabel } from '../../time/zones.ts'
import { type CsvColumn, csvRows, writeCsv } from '../../util/csv.ts'
import { several } from '../../util/promises.ts'

const auditActions = {
  page: action('billing.audit.page.', z.strictObject({ page: z.int().min(1).max(1000) })),
  export: action('billing.audit.export'),
}

/** As many as a message's 12,000 characters hold, each with a long detail. */
const perPage = 25

/** Who did what and when, the newest first. @param found one more than the page shows, where there is a next one. Pure. */
function auditMessage(
  found: readonly AuditEntry[],
  { page, zone, now, nonce }: { page: number; zone: Zone; now: Date; nonce: string },
): Message {
  if (found.length === 0 && page === 1) {
    const text =
      'Nothing recorded yet. Connections, shares, posts and views of SIP passwords are listed here.'
    return { text: `Audit log: ${text}`, blocks: [header('Audit log'), section(text)] }
  }
  const entries = found.slice(0, perPage)
  const first = (page - 1) * perPage + 1
  const note =
    entries.length === 0
      ? 'The log ends before this page.'
      : `Page ${page} · entries ${first}–${first + entries.length - 1}, newest first · ${zoneLabel(zone, now)}`
  const next = found.length > perPage ? page + 1 : undefined
  const valueFor = (number: number) => ({ page: number })
  const today = localDay(zone, now)
  const lines = entries.map((entry) => {
    // `20 Nov 19:33`; the file has the seconds.
    const shown = wallTime(zone, new Date(entry.at))
    return auditLine(entry, `${shortDayLabel(shown, today)} ${shown.slice(11, 16)}`)
  })
  return {
    text: textOfLines([`Audit log. ${escapeText(note)}`, ...lines]),
    blocks: [
      header('Audit log'),
      ...sections(lines),
      ...pagingRow({ action: auditActions.page, page, last: undefined, next, valueFor, nonce }),
      ...actionRow([auditActions.export.button('Export CSV')]),
      context(escapeText(note)),
    ],
  }
}

const entryCount = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** What stands above the file, in a direct message. @param entries the newest first, at least one. Pure. */
function auditExportMessage(entries: readonly AuditEntry[], zone: Zone, now: Date): Message {
  const days = [entries.at(-1), entries[0]].flatMap((entry) =>
    entry ? [localDay(zone, new Date(entry.at))] : [],
  )
  const range = [...new Set(days)].join(' to ')
  const text = `Callboard's audit log for this workspace: ${entryCount(entries.length)}, ${range}, times in ${zoneLabel(zone, now)}.`
  return { text: escapeText(text), blocks: [section(escapeText(text))] }
}

interface FileSetting {
  readonly zone: Zone
  /** Of people whose name is known, by their ids. */
  readonly names: ReadonlyMap<string, string>
}

const columns: readonly CsvColumn<AuditEntry, FileSetting>[] = [
  {
    title: 'Time',
    text({ at }, { zone }) {
      const instant = new Date(at)
      return `${wallTime(zone, instant)} ${offsetAt(zone, instant)}`
    },
  },
  { title: 'Time (UTC)', text: ({ at }) => utcText(at) },
  { title: 'Person', text: ({ who }, { names }) => names.get(who) ?? '' },
  { title: 'Person ID', text: ({ who }) => who },
  { title: 'Action', text: ({ what }) => what },
  {
    title: 'Detail',
    text: (entry) => (entry.name ? `${auditDetail(entry)} (${entry.name})` : auditDetail(entry)),
  },
]

async function auditCsv(entries: readonly AuditEntry[], setting: FileSetting): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  await writeCsv(csvRows(columns, entries, setting), (chunk) => void chunks.push(chunk))
  return Buffer.concat(chunks)
}

/** Slack is asked for the names of so many people at most: the id stands for the others. */
const mostNames = 100

/** `/callboard audit`, `/billing audit`: who did what, in pages and as a file. */
export function auditLog({ store, workspaces, people, files, audit, log, now }: Services): FeatureRoutes {
  async function show({ actor, tenant, channel }: Interaction, page: number): Promise<Answer> {
    const [{ zone }, entries] = await Promise.all([
      workspaces.zone(tenant, channel, actor.person),
      store.audit.latest(tenant, { skip: (page - 1) * perPage, limit: perPage + 1 }),
    ])
    const nonce = randomUUID().slice(0, 8)
    return { message: auditMessage(entries, { page, zone, now: new Date(now()), nonce }) }
  }

  /** The names that Slack tells; once it doesn't, no more are asked for. */
  async function namesOf(entries: readonly AuditEntry[], { installation, team }: Actor) {
    const ids = [...new Set(entries.map(({ who }) => who))].slice(0, mostNames)
    const names = new Map<string, string>()
    try {
      await several(ids, askedAtATime, async (id) => {
        const { name } = await people.find(installation, team, id)
        if (name !== id) names.set(id, name)
      })
    } catch (error) {
      log.warn({ err: error }, 'the names of people are missing in an export of the audit log')
    }
    return names
  }

  async function sendFile(interaction: Interaction): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    interaction.fallback = { retry: auditActions.export.button('Try again') }
    const [{ zone }, entries] = await Promise.all([
      workspaces.zone(tenant, channel, actor.person),
      store.audit.all(tenant),
    ])
    if (entries.length === 0) return show(interaction, 1)
    const content = await auditCsv(entries, { zone, names: await namesOf(entries, actor) })
    const at = new Date(now())
    const file = { name: `audit-log-${localDay(zone, at)}.csv`, bytes: content.length, content }
    const { installation, person } = actor
    await files.send(installation.botToken, person.id, auditExportMessage(entries, zone, at), file)
    const count = entryCount(entries.length)
    await audit.record(actor, 'export audit log', { detail: count })
    return textAnswer(`Sent the audit log as a CSV file (${count}) in a direct message from Callboard.`)
  }

  return {
    commands: ['callboard', 'billing'].map((command): CommandRoute => {
      return { command, word: 'audit', needs: 'admin', handle: (interaction) => show(interaction, 1) }
    }),
    actions: bind(auditActions, {
      page: { needs: 'admin', handle: (interaction, { page }) => show(interaction, page) },
      export: { needs: 'admin', replacesOriginal: false, handle: sendFile },
    }),
  }
}
