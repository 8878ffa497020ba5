import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { textAnswer } from '../../../slack/answers/answer.ts'
import { ACTIONS } from '../../../slack/blocks/action-ids.ts'
import { readMenuBlockId } from '../../../slack/blocks/list-buttons.ts'
import { EXPORT_OPTIONS, readReportMenu } from '../../../slack/blocks/report-query.ts'
import { readValue } from '../../../slack/blocks/values.ts'
import type { ActionRoute, FeatureRoutes, Interaction } from '../../../slack/routing/routes.ts'
import { parseZone } from '../../../time/zone-names.ts'
import { listOfReport, readQuery } from '../query.ts'
import { queryCommand } from '../query-command.ts'
import { exportOption, overText } from './answers.ts'
import { cancelledMessage } from './messages.ts'
import { ProgressMessage } from './progress-message.ts'
import { ExportQueue } from './queue.ts'
import { ExportRunner } from './runner.ts'
import { exportStarter } from './start.ts'
import { subjectOf } from './subject.ts'

const cancelButton = z.strictObject({ id: z.string().min(1) })
const againButton = z.strictObject({
  query: z.string().transform((text) => readQuery(text)),
  zone: z.string(),
})

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
      (await exports.move(tenant, id, ['waiting', 'reading'], 'cancelled'))
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

  return {
    commands: [
      {
        command: 'calls',
        word: 'export',
        moreWords: 'read',
        needs: 'export',
        handle: queryCommand(
          { workspaces, agentList, now },
          { command: '/calls export', action: ACTIONS.callsExport, run: exportAll },
        ),
      },
    ],
    actions: [
      {
        action: ACTIONS.callsMore,
        option: exportOption.value,
        needs: 'export',
        answersBelow: true,
        handle: (interaction, { block_id }) =>
          exportAll(interaction, readQuery(readMenuBlockId(ACTIONS.callsMore, block_id))),
      },
      ...(['incoming', 'outgoing'] as const).map(
        (direction): ActionRoute => ({
          action: ACTIONS.reportMore,
          option: EXPORT_OPTIONS[direction],
          needs: 'export',
          answersBelow: true,
          handle: (interaction, { block_id }) =>
            exportAll(interaction, listOfReport(readReportMenu(block_id), { direction })),
        }),
      ),
      {
        action: ACTIONS.callsExport,
        needs: 'export',
        handle: (interaction, { value }) => exportAll(interaction, readQuery(value)),
      },
      {
        action: ACTIONS.callsExportAgain,
        needs: 'export',
        answersBelow: true,
        handle(interaction, { value }) {
          const { query, zone } = readValue(againButton, value, 'an export')
          return exportAll(interaction, query, parseZone(zone))
        },
      },
      {
        // Whoever may no longer see calls still may stop what they have begun.
        action: ACTIONS.callsExportCancel,
        needs: 'member',
        handle: (interaction, { value }) =>
          cancel(interaction, readValue(cancelButton, value, 'an export').id),
      },
    ],
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
