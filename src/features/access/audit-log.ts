import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { formatAuditDetail, formatAuditLine } from '../../slack/access/audit.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { requireScope } from '../../slack/access/scopes.ts'
import { action } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import * as routing from '../../slack/routing/routes.ts'
import type { AuditEntry } from '../../store/audit-trail.ts'
import * as zones from '../../time/zones.ts'
import { type CsvColumn, csvChunks } from '../../util/csv.ts'
import { countPages, pageText, rowsText } from '../../util/paging.ts'
import { mapConcurrent } from '../../util/promises.ts'

const auditActions = {
  page: action('billing.audit.page.', z.strictObject({ page: z.int().min(1).max(1000) })),
  export: action('billing.audit.export'),
}

/** Fits a message of 12,000 characters even if every entry has a long detail. */
const AUDIT_PAGE_SIZE = 25

const emptyLogText =
  'Nothing recorded yet. Connections, shares, posts and views of SIP passwords are listed here.'

/** @param latest newest first: the page's entries, and one more if there is a next page */
function buildAuditMessage(latest: readonly AuditEntry[], page: number, zone: zones.Zone, now: Date) {
  if (latest.length === 0) return blocks.textMessage(emptyLogText)
  const entries = latest.slice(0, AUDIT_PAGE_SIZE)
  const rowCount = entries.length
  const hasMore = latest.length > rowCount
  const pages = countPages({ page, perPage: AUDIT_PAGE_SIZE, rowCount, total: undefined, hasMore })
  const note = `${pageText(pages)} · entries ${rowsText(pages)}, newest first · ${zones.zoneLabel(zone, now)}`
  const lines = entries.map((entry) =>
    formatAuditLine(entry, zones.instantLabel(zone, new Date(entry.at), now)),
  )
  const valueFor = (number: number) => ({ page: number })
  return {
    text: blocks.textOfLines([`Audit log. ${blocks.escapeText(note)}`, ...lines]),
    blocks: [
      blocks.header('Audit log'),
      ...blocks.sections(lines),
      ...pagingRow({ action: auditActions.page, ...pages, valueFor, nonce: randomUUID().slice(0, 8) }),
      ...blocks.actionRow([auditActions.export.button('Export CSV')]),
      blocks.plainContext(note),
    ],
  }
}

async function showPage(services: Services, interaction: routing.Interaction, page: number): Promise<Answer> {
  const { store, workspaces, now } = services
  const { actor, tenant, channel } = interaction
  const [{ zone }, latest] = await Promise.all([
    workspaces.findZone(tenant, channel, actor.person),
    store.audit.listLatest(tenant, { skip: (page - 1) * AUDIT_PAGE_SIZE, limit: AUDIT_PAGE_SIZE + 1 }),
  ])
  return { message: buildAuditMessage(latest, page, zone, new Date(now())) }
}

interface AuditFileContext {
  readonly zone: zones.Zone
  readonly names: ReadonlyMap<string, string>
}

function formatDetailWithAgent(entry: AuditEntry): string {
  const detail = formatAuditDetail(entry)
  return entry.name ? `${detail} (${entry.name})` : detail
}

const auditColumns: readonly CsvColumn<AuditEntry, AuditFileContext>[] = [
  { title: 'Time', text: ({ at }, { zone }) => zones.localDateTime(zone, new Date(at)) },
  { title: 'Time (UTC)', text: ({ at }) => zones.utcText(at) },
  { title: 'Person', text: ({ who }, { names }) => names.get(who) ?? '' },
  { title: 'Person ID', text: ({ who }) => who },
  { title: 'Action', text: ({ what }) => what },
  { title: 'Detail', text: formatDetailWithAgent },
]

/** Others are listed by id only: a workspace may look up 100 people a minute, and commands look up people, too. */
const MAX_NAME_LOOKUPS = 50
const LOOKUP_CONCURRENCY = 5

async function findNames({ people }: Services, actor: Actor, entries: readonly AuditEntry[]) {
  const names = new Map<string, string>()
  const ids = new Set(entries.map(({ who }) => who))
  await mapConcurrent([...ids].slice(0, MAX_NAME_LOOKUPS), LOOKUP_CONCURRENCY, async (id) => {
    const { name } = await people.find(actor.installation, actor.workspace, id)
    names.set(id, name)
  })
  return names
}

async function sendFile(services: Services, interaction: routing.Interaction): Promise<Answer> {
  const { store, workspaces, files, audit, now } = services
  const { actor, tenant, channel } = interaction
  const { installation, person } = actor
  requireScope(installation, 'files:write')
  const [{ zone }, entries] = await Promise.all([
    workspaces.findZone(tenant, channel, person),
    store.audit.all(tenant),
  ])
  if (entries.length === 0) return showPage(services, interaction, 1)
  const names = await findNames(services, actor, entries)
  const chunks = await Array.fromAsync(csvChunks(auditColumns, entries, { zone, names }))
  const at = new Date(now())
  const file = { name: `audit-log-${zones.localDay(zone, at)}.csv`, content: Buffer.concat(chunks) }
  const countText = entries.length === 1 ? '1 entry' : `${entries.length} entries`
  const zoneText = blocks.escapeText(zones.zoneLabel(zone, at))
  const text = `Callboard's audit log for this workspace: ${countText}, times in ${zoneText}.`
  await files.send(installation.botToken, person.id, blocks.textMessage(text), file)
  await audit.record(actor, 'exported the audit log', { detail: countText })
  return textAnswer(`Sent the audit log as a CSV file (${countText}) in a direct message from Callboard.`)
}

export function auditLog(services: Services): routing.FeatureRoutes {
  const command = (name: string): routing.CommandRoute => ({
    command: name,
    word: 'audit',
    needs: 'admin',
    handle: ({ interaction }) => showPage(services, interaction, 1),
  })
  const offers = () => ({ retry: auditActions.export.button('Try again') })
  return {
    commands: [command('callboard'), command('calls'), command('billing')],
    actions: routing.bind(auditActions, {
      page: {
        needs: 'admin',
        handle: ({ interaction, value }) => showPage(services, interaction, value.page),
      },
      export: {
        needs: 'admin',
        replacesOriginal: false,
        handle: ({ interaction }) => offerOnFailure(offers, sendFile(services, interaction)),
      },
    }),
  }
}
