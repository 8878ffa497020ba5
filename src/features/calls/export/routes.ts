import { randomUUID } from 'node:crypto'
import type { Services } from '../../../services.ts'
import { postDirectMessage } from '../../../slack/api/post-message.ts'
import { withTeam } from '../../../slack/blocks/values.ts'
import { type Answer, textAnswer } from '../../../slack/deliver/answer.ts'
import { queryCommand, withAgentName } from '../../../slack/routing/query-command.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../../slack/routing/routes.ts'
import { moveExport } from '../../../store/exports.ts'
import { totalOf } from '../../../telephony/types.ts'
import { parseZone } from '../../../time/zone-names.ts'
import { localDay } from '../../../time/zones.ts'
import type { EpochMs } from '../../../util/units.ts'
import { exportActions } from '../actions.ts'
import { listCommand } from '../command.ts'
import { type ListQuery, readQuery, toScanQueries, withDays, writeQuery } from '../query.ts'
import { ExportMessage } from './message.ts'
import { type ExportJob, ExportQueue } from './queue.ts'
import { subjectOf } from './subject.ts'
import {
  againButton,
  alreadyText,
  exportMessage,
  failedState,
  mostCalls,
  nothingText,
  overText,
  startedAnswer,
  tooManyAnswer,
  tooManyWaitingAnswer,
} from './view.ts'

/** In the order of their time. */
const newId = (at: EpochMs): string => `${String(at).padStart(15, '0')}-${randomUUID().slice(0, 8)}`

/** `/calls export`: everything that a query finds as a file, by a job. */
export function callsExport(services: Services): FeatureRoutes {
  const { config, store, workspaces, agentList, telephony, webApi, now } = services
  const queue = new ExportQueue(services)

  /** What a person asks for becomes a message that says how far it is, and a job. @param zoneBefore the conversation's, unless it is said */
  async function start(
    interaction: Interaction,
    listed: ListQuery,
    zoneBefore?: ReturnType<typeof parseZone>,
  ): Promise<Answer | undefined> {
    const { actor, tenant, channel } = interaction
    const zone = zoneBefore ?? (await workspaces.zone(tenant, channel, actor.person)).zone
    const askedAt = now()
    const named = await withAgentName({ workspaces, agentList }, tenant, listed)
    const days = withDays(named, localDay(zone, new Date(askedAt)))
    // Wherever it was started, the same calls are the same export.
    const query = writeQuery(readQuery(writeQuery({ ...days, openedFrom: undefined, page: 1 })))
    const asked = { id: newId(askedAt), tenant: actor.team, person: actor.person.id, query, zone, askedAt }
    const uncounted = subjectOf(asked)
    interaction.fallback = { retry: againButton(uncounted), request: uncounted.request }
    const account = await workspaces.account(tenant)
    const queries = toScanQueries(uncounted.query, zone, uncounted.askedAt)
    const counts = await Promise.all(queries.map((counted) => telephony.count(account, counted)))
    const total = totalOf(counts)
    const subject = subjectOf({ ...asked, total })
    if (total === 0) return textAnswer(nothingText(subject))
    if (total !== undefined && total > mostCalls) return tooManyAnswer(subject, total)
    const added = await queue.add(
      { ...asked, total },
      (isInLine) => {
        const message = withTeam(exportMessage(subject, { name: 'waiting', isInLine }), actor.team)
        return postDirectMessage(webApi, actor.installation.botToken, actor.person.id, message)
      },
      (message, error) => {
        const failed = failedState(error, { reference: asked.id.slice(-8), config })
        return new ExportMessage(services, { ...asked, message }).end(exportMessage(subject, failed))
      },
    )
    if (added === 'already') return textAnswer(alreadyText(subject))
    if (added === 'full') return tooManyWaitingAnswer(subject)
    // There the message itself is the answer.
    return added.message.channel === channel ? undefined : startedAnswer(subject, added.isInLine, total)
  }

  async function cancel({ actor, tenant }: Interaction, id: string): Promise<Answer | undefined> {
    const { exports } = store
    const record = await exports.get(tenant, id)
    if (record?.person !== actor.person.id) return textAnswer(overText)
    const moved = await moveExport(exports, record, ['waiting', 'reading'], 'cancelled')
    if (!moved) return textAnswer(overText)
    // The file is on its way: its message says so in a moment.
    if (!moved.isMoved && moved.record.state !== 'cancelled') return undefined
    const cancelled = exportMessage(subjectOf(record), { name: 'cancelled' })
    await new ExportMessage(services, record).show(cancelled)
    // Its job shows that once more, over whatever it showed last, and takes it out of the line.
    await queue.work(record)
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
          { ...listCommand({ typed: '/calls export', show: exportActions.start }), run: start },
        ),
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
        handle: (interaction, { query, zone }) => start(interaction, query, parseZone(zone)),
      },
      // Whoever may no longer see calls still may stop what they have begun.
      cancel: { needs: 'member', handle: (interaction, { id }) => cancel(interaction, id) },
    }),
    jobs: [
      {
        queue: queue.jobs,
        handle: (job: ExportJob, ending: AbortSignal) => queue.run(job, ending),
        onGivenUp: (job: ExportJob) => queue.giveUp(job),
      },
    ],
    background: [() => queue.resume()],
  }
}
