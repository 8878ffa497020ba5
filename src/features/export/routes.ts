import { randomUUID } from 'node:crypto'
import { FAIR_LIMITS, type Job } from '../../jobs/jobs.ts'
import { withAgentName } from '../../query/agents.ts'
import { listCommand, queryCommand } from '../../query/command.ts'
import { type ListQuery, listQuerySchema, toReadQueries, withSearchedDays } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { requireScope } from '../../slack/access/scopes.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { sumTotals } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { exportActions } from './actions.ts'
import { Exports } from './exports.ts'
import { FileMemory } from './memory.ts'
import type { ExportJob, ExportRequest } from './record.ts'
import { ExportRun } from './run.ts'
import {
  againButton,
  alreadyText,
  describeCalls,
  MAX_CALLS,
  nothingText,
  startedAnswer,
  tooManyAnswer,
} from './view.ts'

export function callsExport(services: Services): FeatureRoutes {
  const { log, workspaces, telephony, now } = services
  const exports = new Exports(services)
  const memory = new FileMemory()

  async function start(
    interaction: Interaction,
    listed: ListQuery,
    givenZone?: Zone,
  ): Promise<Answer | undefined> {
    const { actor, tenant, channel } = interaction
    requireScope(actor.installation, 'files:write')
    const zone = givenZone ?? (await workspaces.zone(tenant, channel, actor.person)).zone
    const askedAt = now()
    const named = await withAgentName(services, tenant, listed)
    const days = withSearchedDays(named, localDay(zone, new Date(askedAt)))
    // Parsed, because the order of its fields decides whether two exports are the same.
    const query = listQuerySchema.parse({ ...days, openedFrom: undefined, thread: undefined, page: 1 })
    const uncounted = {
      id: randomUUID(),
      workspace: actor.workspace,
      person: actor.person.id,
      query,
      zone,
      askedAt,
    }
    const makeOffers = () => ({ retry: againButton(uncounted), request: describeCalls(uncounted) })
    return offerOnFailure(makeOffers, startCounted(interaction, uncounted))
  }

  async function startCounted(
    { actor, tenant, channel }: Interaction,
    uncounted: Omit<ExportRequest, 'total'>,
  ): Promise<Answer | undefined> {
    const { query, zone, askedAt } = uncounted
    const account = await workspaces.account(tenant)
    const queries = toReadQueries(query, toRangeRequest(zone, query, new Date(askedAt)))
    const total = sumTotals(await Promise.all(queries.map((one) => telephony.count(account, one))))
    const request = { ...uncounted, total }
    if (total === 0) return textAnswer(nothingText(request))
    if (total !== undefined && total > MAX_CALLS) return tooManyAnswer(request, total)
    const started = await exports.start(request, actor.installation.botToken)
    if (!started) return textAnswer(alreadyText(request))
    // In the direct message with Callboard, the announcement is the reply.
    return started.channel === channel ? undefined : startedAnswer(request, started.isWaiting)
  }

  async function cancel({ actor }: Interaction, id: string): Promise<Answer | undefined> {
    const record = await exports.get({ workspace: actor.workspace, id })
    if (record?.person !== actor.person.id || !(await exports.delete(record)))
      return textAnswer('This export has already ended.')
    await exports.show(record, { name: 'cancelled' })
    return undefined
  }

  async function run({ data }: Job<ExportJob>, ending: AbortSignal): Promise<void> {
    const record = await exports.get(data)
    // The export was cancelled, or its process was killed while it sent the file.
    if (!record) log.info({ id: data.id }, 'export has already ended')
    else await new ExportRun(services, exports, memory, record).run(ending)
  }

  // The list or report stays.
  const startBelow: ActionHandler<ListQuery> = {
    needs: 'export',
    replacesOriginal: false,
    handle: ({ interaction, value }) => start(interaction, value),
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
      start: { needs: 'export', handle: ({ interaction, value }) => start(interaction, value) },
      list: startBelow,
      menuEntry: startBelow,
      again: {
        needs: 'export',
        replacesOriginal: false,
        handle: ({ interaction, value }) => start(interaction, value.query, value.zone),
      },
      // People who lost access to calls may still stop their exports.
      cancel: { needs: 'member', handle: ({ interaction, value }) => cancel(interaction, value.id) },
    }),
    jobs: [{ queue: exports.queue, handle: run, concurrency: FAIR_LIMITS.concurrency }],
    background: [() => exports.resume()],
  }
}
