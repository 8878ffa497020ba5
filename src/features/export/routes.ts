import type { Job } from '../../jobs/jobs.ts'
import { listCommand, queryCommand } from '../../query/command.ts'
import type { ListQuery } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { exportActions } from './actions.ts'
import { Exports, exportQueues } from './exports.ts'
import type { ExportJob } from './record.ts'
import { ExportRun } from './run.ts'
import { ExportStarter } from './start.ts'

export function callsExport(services: Services): FeatureRoutes {
  const exports = new Exports(services)
  const starter = new ExportStarter(services, exports)
  const start = starter.start.bind(starter)
  const parser = listCommand({ typed: '/calls export', show: exportActions.start })
  const handle = queryCommand(services, parser, start)
  const run = createRunner(services, exports)
  // The list or report stays.
  const startBelow: ActionHandler<ListQuery> = {
    needs: 'export',
    replacesOriginal: false,
    handle: ({ interaction, value }) => start(interaction, value),
  }
  return {
    commands: [{ command: 'calls', word: 'export', moreWords: 'read', needs: 'export', handle }],
    actions: bind(exportActions, {
      start: { ...startBelow, replacesOriginal: true },
      list: startBelow,
      again: {
        needs: 'export',
        replacesOriginal: false,
        handle: ({ interaction, value }) => start(interaction, value.query, value.zone),
      },
      // People who lost access to calls may still stop their exports.
      cancel: {
        needs: 'member',
        handle: ({ interaction, value }) => cancel(exports, interaction, value.id),
      },
    }),
    jobs: exportQueues.map((queue) => ({ queue, handle: run, concurrency: queue.concurrency })),
    background: [() => exports.resume()],
  }
}

async function cancel(exports: Exports, { actor }: Interaction, id: string): Promise<Answer | undefined> {
  const record = await exports.get({ workspace: actor.workspace, id })
  const isCancelled = record?.person === actor.person.id && (await exports.delete(record))
  if (!isCancelled) return textAnswer('This export has already ended.')
  await exports.show(record, { name: 'cancelled' })
  return undefined
}

function createRunner(services: Services, exports: Exports) {
  return async ({ data }: Job<ExportJob>, ending: AbortSignal): Promise<void> => {
    const record = await exports.get(data)
    if (record) await new ExportRun(services, exports, record).run(ending)
    // The export was cancelled, or its process was killed while it sent the file.
    else services.log.info({ id: data.id }, 'export has already ended')
  }
}
