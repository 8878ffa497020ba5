import type { Services } from '../../../services.ts'
import type { ReportQuery } from '../../../slack/blocks/report-query.ts'
import { textAnswer } from '../../../slack/deliver/answer.ts'
import { queryCommand } from '../../../slack/routing/query-command.ts'
import { type Bound, bind, type FeatureRoutes, type Interaction } from '../../../slack/routing/routes.ts'
import { moveExport } from '../../../store/exports.ts'
import type { Direction } from '../../../telephony/types.ts'
import { parseZone } from '../../../time/zone-names.ts'
import { exportActions } from '../actions.ts'
import { listCommand } from '../command.ts'
import { listOfReport } from '../query.ts'
import { ProgressMessage } from './progress-message.ts'
import { ExportQueue } from './queue.ts'
import { ExportRunner } from './runner.ts'
import { exportStarter } from './start.ts'
import { subjectOf } from './subject.ts'
import { cancelledMessage, overText } from './words.ts'

/** `/calls export`: everything that a query finds as a file, by a job. */
export function callsExport({
  config,
  store,
  jobs,
  workspaces,
  agentList,
  guards,
  telephony,
  files,
  audit,
  metrics,
  webApi,
  backgroundWebApi,
  log,
  now,
}: Services): FeatureRoutes {
  const queue = new ExportQueue({ store, jobs, now })
  const runner = new ExportRunner(
    { config, store, guards, workspaces, telephony, files, audit, metrics, backgroundWebApi, log, now },
    queue,
  )
  const exportAll = exportStarter({ store, workspaces, telephony, webApi, now }, queue)
  const { exports } = store

  /** Its job, if it has begun, finds it gone. */
  async function cancel({ actor, tenant }: Interaction, id: string) {
    const found = await exports.get(tenant, id)
    const moved =
      found?.person === actor.person.id &&
      (await moveExport(exports, found, ['waiting', 'reading'], 'cancelled'))
    if (!moved) return textAnswer(overText)
    const { record, isMoved } = moved
    // The file is on its way: its message says so in a moment.
    if (!isMoved && record.state !== 'cancelled') return undefined
    await new ProgressMessage({ guards, backgroundWebApi, log }, record).show(
      cancelledMessage(subjectOf(record).exported),
    )
    await queue.remove(record)
    return undefined
  }

  const ofReport = (direction: Direction): Bound<ReportQuery> => ({
    needs: 'export',
    answersBelow: true,
    handle: (interaction, report) => exportAll(interaction, listOfReport(report, { direction })),
  })

  return {
    commands: [
      {
        command: 'calls',
        word: 'export',
        moreWords: 'read',
        needs: 'export',
        handle: queryCommand(
          { workspaces, agentList, now },
          { ...listCommand({ typed: '/calls export', show: exportActions.start }), run: exportAll },
        ),
      },
    ],
    actions: bind(exportActions, {
      start: { needs: 'export', handle: (interaction, query) => exportAll(interaction, query) },
      list: {
        needs: 'export',
        answersBelow: true,
        handle: (interaction, query) => exportAll(interaction, query),
      },
      incoming: ofReport('incoming'),
      outgoing: ofReport('outgoing'),
      again: {
        needs: 'export',
        answersBelow: true,
        handle: (interaction, { query, zone }) => exportAll(interaction, query, parseZone(zone)),
      },
      // Whoever may no longer see calls still may stop what they have begun.
      cancel: { needs: 'member', handle: (interaction, { id }) => cancel(interaction, id) },
    }),
    jobs: [
      {
        queue: queue.name,
        handle: (job, ending) => runner.run(job, ending),
        onGivenUp: (job) => runner.giveUp(job),
      },
    ],
    catchUps: [() => queue.resume()],
  }
}
