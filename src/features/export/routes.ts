import { randomUUID } from 'node:crypto'
import type { Job } from '../../jobs/jobs.ts'
import { createCallsCommand, handleQuery } from '../../query/command.ts'
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
import { Exports, exportQueues } from './exports.ts'
import type { ExportJob, ExportRequest } from './record.ts'
import { ExportRun } from './run.ts'
import * as view from './view.ts'

export function callsExport(services: Services): FeatureRoutes {
  const exports = new Exports(services)
  const exportCalls = (interaction: Interaction, query: ListQuery, zone?: Zone) =>
    startExport(services, exports, interaction, query, zone)
  const runJob = async ({ data }: Job<ExportJob>, stopSignal: AbortSignal): Promise<void> => {
    const record = await exports.get(data)
    if (record) return new ExportRun(services, exports, record).run(stopSignal)
    // The export was cancelled, or its process was killed while it sent the file.
    services.log.info({ id: data.id }, 'export has already ended')
  }
  const command = createCallsCommand({ name: '/calls export', show: exportActions.choose })
  const handleWords = handleQuery(services, command, exportCalls)
  const exportList: ActionHandler<ListQuery>['handle'] = ({ interaction, value }) =>
    exportCalls(interaction, value)
  return {
    commands: [{ command: 'calls', word: 'export', moreWords: 'read', needs: 'export', handle: handleWords }],
    actions: bind(exportActions, {
      // The question is replaced; the list or report stays.
      choose: { needs: 'export', handle: exportList },
      list: { needs: 'export', replacesOriginal: false, handle: exportList },
      again: {
        needs: 'export',
        replacesOriginal: false,
        handle: ({ interaction, value }) => exportCalls(interaction, value.query, value.zone),
      },
      // People who lost access to calls may still stop their exports.
      cancel: {
        needs: 'member',
        handle: ({ interaction, value }) => cancel(exports, interaction, value.id),
      },
    }),
    jobs: exportQueues.map((queue) => ({ queue, handle: runJob, concurrency: queue.concurrency })),
    background: [() => exports.resume()],
  }
}

/** @param chosenZone by default, the zone of the conversation */
async function startExport(
  services: Services,
  exports: Exports,
  interaction: Interaction,
  listed: ListQuery,
  chosenZone: Zone | undefined,
): Promise<Answer> {
  const { workspaces, now } = services
  const { actor, tenant, channel } = interaction
  requireScope(actor.installation, 'files:write')
  const zone = chosenZone ?? (await workspaces.findZone(tenant, channel, actor.person)).zone
  const askedAt = now()
  const withDays = withSearchedDays(listed, localDay(zone, new Date(askedAt)))
  // Equal exports have equal JSON: the schema orders the fields, and those that don't change the file are left out.
  const query = listQuerySchema.parse({ ...withDays, openedFrom: undefined, thread: undefined, page: 1 })
  const { workspace, person } = actor
  const request: ExportRequest = { id: randomUUID(), workspace, person: person.id, query, zone, askedAt }
  const makeOffers = () => ({ retry: view.againButton(request), request: view.describeCalls(request) })
  return offerOnFailure(makeOffers, countAndStart(services, exports, interaction, request))
}

async function countAndStart(
  { workspaces, telephony }: Services,
  exports: Exports,
  { actor, tenant }: Interaction,
  uncounted: ExportRequest,
): Promise<Answer> {
  const { query, zone, askedAt } = uncounted
  const account = await workspaces.getAccount(tenant)
  const queries = toReadQueries(query, toRangeRequest(zone, query, new Date(askedAt)))
  const totals = await Promise.all(queries.map((readQuery) => telephony.count(account, readQuery)))
  const total = sumTotals(totals)
  const request = { ...uncounted, total }
  if (total === 0) return textAnswer(view.nothingToExportText(request))
  if (total !== undefined && total > view.MAX_CALLS) return view.tooManyAnswer(request, total)
  const isStarted = await exports.start(request, actor.installation.botToken)
  if (isStarted) return view.startedAnswer(request)
  return textAnswer(view.alreadyExportingText(request))
}

async function cancel(exports: Exports, { actor }: Interaction, id: string): Promise<Answer | undefined> {
  const endedAnswer = textAnswer('This export has already ended.')
  const record = await exports.get({ workspace: actor.workspace, id })
  if (record?.person !== actor.person.id) return endedAnswer
  const isDeleted = await exports.delete(record)
  if (!isDeleted) return endedAnswer
  await exports.showState(record, { name: 'cancelled' })
  // No answer: the export's message shows that it was cancelled.
  return undefined
}
