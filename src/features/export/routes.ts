import { randomUUID } from 'node:crypto'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/replies.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { sumTotals } from '../../telephony/types.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import { withAgentName } from '../calls/call-lists.ts'
import { listCommand } from '../calls/command.ts'
import {
  exportActions,
  type ListQuery,
  listQuerySchema,
  toScanQueries,
  withSearchedDays,
} from '../calls/query.ts'
import { queryCommand } from '../calls/query-command.ts'
import { Exports } from './exports.ts'
import { FileMemory, MAX_CALLS, MAX_RUNNING } from './limits.ts'
import { ExportMessage } from './message.ts'
import type { ExportJob, ExportRequest } from './record.ts'
import { ExportRun } from './run.ts'
import {
  againButton,
  alreadyText,
  describeCalls,
  endedText,
  exportMessage,
  nothingText,
  startedAnswer,
  tooManyAnswer,
} from './view.ts'

/** Sorts by time. */
const newId = (at: EpochMs): string => `${String(at).padStart(15, '0')}-${randomUUID().slice(0, 8)}`

/** Usage: `/calls export [filters of /calls]`: sends all calls that match as a CSV file. */
export function callsExport(services: Services): FeatureRoutes {
  const { log, workspaces, telephony, now } = services
  const exports = new Exports(services)
  const memory = new FileMemory()

  async function toRequest(
    { actor, tenant }: Interaction,
    listed: ListQuery,
    zone: Zone,
  ): Promise<ExportRequest> {
    const askedAt = now()
    const named = await withAgentName(services, tenant, listed)
    const days = withSearchedDays(named, localDay(zone, new Date(askedAt)))
    const query = listQuerySchema.parse({ ...days, openedFrom: undefined, page: 1 })
    return { id: newId(askedAt), tenant: actor.team, person: actor.person.id, query, zone, askedAt }
  }

  async function start(
    interaction: Interaction,
    listed: ListQuery,
    ownZone?: Zone,
  ): Promise<Answer | undefined> {
    const { actor, tenant, channel } = interaction
    const zone = ownZone ?? (await workspaces.zone(tenant, channel, actor.person)).zone
    const uncounted = await toRequest(interaction, listed, zone)
    interaction.fallback = { retry: againButton(uncounted), request: describeCalls(uncounted) }
    const account = await workspaces.account(tenant)
    const queries = toScanQueries(uncounted.query, zone, new Date(uncounted.askedAt))
    const total = sumTotals(await Promise.all(queries.map((query) => telephony.count(account, query))))
    const request = { ...uncounted, total }
    if (total === 0) return textAnswer(nothingText(request))
    if (total !== undefined && total > MAX_CALLS) return tooManyAnswer(request, total)
    const added = await exports.start(request, actor.installation.botToken)
    if (!added) return textAnswer(alreadyText(request))
    // In the direct message with Callboard, the announcement is the reply.
    return added.record.message.channel === channel ? undefined : startedAnswer(request, added.isWaiting)
  }

  async function cancel({ actor }: Interaction, id: string): Promise<Answer | undefined> {
    const record = await exports.get({ tenant: actor.team, id })
    if (record?.person !== actor.person.id || !(await exports.delete(record))) return textAnswer(endedText)
    await new ExportMessage(services, record).showEnd(exportMessage(record, { name: 'cancelled' }))
    return undefined
  }

  async function run({ data }: Job<ExportJob>, ending: AbortSignal): Promise<void> {
    const record = await exports.get(data)
    // The export was cancelled, or its process was killed while it sent the file.
    if (!record) log.info({ id: data.id }, 'export has already ended')
    else await new ExportRun(services, { exports, memory }, record).run(ending)
  }

  return {
    commands: [
      {
        command: 'calls',
        word: 'export',
        moreWords: 'read',
        needs: 'export',
        handle: queryCommand(services, {
          ...listCommand({ typed: '/calls export', show: exportActions.start }),
          run: start,
        }),
      },
    ],
    actions: bind(exportActions, {
      start: { needs: 'export', handle: (interaction, query) => start(interaction, query) },
      list: {
        needs: 'export',
        replacesOriginal: false,
        handle: (interaction, query) => start(interaction, query),
      },
      again: {
        needs: 'export',
        replacesOriginal: false,
        handle: (interaction, { query, zone }) => start(interaction, query, zone),
      },
      // People who lost access to calls may still stop their exports.
      cancel: { needs: 'member', handle: (interaction, { id }) => cancel(interaction, id) },
    }),
    jobs: [{ queue: exports.queue, handle: run, concurrency: MAX_RUNNING }],
    background: [() => exports.resume()],
  }
}
