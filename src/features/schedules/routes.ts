import { randomUUID } from 'node:crypto'
import type { Job } from '../../jobs/jobs.ts'
import { scheduleDetail } from '../../scheduler/schedule-text.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import type { ActionRoute, FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { Schedule } from '../../store/schedules.ts'
import { giveUp } from './given-up.ts'
import {
  deletedNote,
  notFound,
  pausedNote,
  readScheduleButton,
  readSchedulesPage,
  resumedNote,
  schedulesMessage,
} from './list.ts'
import { Poster } from './poster.ts'
import { SingleSender } from './single-sender.ts'

/** `/billing schedules`, and the posts that come of what is scheduled. */
export function schedules({
  store,
  scheduler,
  workspaces,
  guards,
  channels,
  telephony,
  backgroundWebApi,
  notices,
  audit,
  metrics,
  log,
  now,
}: Services): FeatureRoutes {
  const sender = new SingleSender({ store, backgroundWebApi, metrics })
  const poster = new Poster(
    { store, scheduler, workspaces, guards, channels, telephony, notices, audit, log, now },
    sender,
  )
  const onGivenUp = (job: Job) => giveUp({ store, scheduler, notices, audit }, job)
  workspaces.onZoneChange({
    before: (tenant) => scheduler.notePlannedDays(tenant),
    after: (tenant) => scheduler.reschedule(tenant),
  })

  async function list({ tenant }: Interaction, page = 1, note?: string): Promise<Answer> {
    const options = { page, now: new Date(now()), nonce: randomUUID().slice(0, 8), note }
    return { message: schedulesMessage(await scheduler.list(tenant), options) }
  }

  /** What a button of the list does, and the list as it is then. */
  const button = (
    action: string,
    what: string,
    noteFor: (schedule: Schedule) => string,
    act: (interaction: Interaction, schedule: Schedule) => Promise<unknown>,
    isDone = (_: Interaction, _schedule: Schedule) => false,
  ): ActionRoute => ({
    action,
    needs: 'billing',
    async handle(interaction, { value, selected_option }) {
      // From a menu, or from a button of an older version.
      const { id, page } = readScheduleButton(value ?? selected_option?.value)
      const schedule = await store.schedules.get(interaction.tenant, id)
      if (!schedule) return list(interaction, page, notFound)
      const note = noteFor(schedule)
      // By another button of the same list, or by somebody else.
      if (isDone(interaction, schedule)) return list(interaction, page, note)
      await act(interaction, schedule)
      await audit.record(interaction.actor, what, scheduleDetail(schedule))
      return list(interaction, page, note)
    },
  })

  return {
    commands: [
      { command: 'billing', word: 'schedules', needs: 'billing', handle: (interaction) => list(interaction) },
    ],
    actions: [
      {
        action: ACTIONS.schedulesPage,
        needs: 'billing',
        handle: (interaction, { value }) => list(interaction, readSchedulesPage(value)),
      },
      button(
        ACTIONS.schedulePause,
        'schedule paused',
        pausedNote,
        ({ tenant }, { id }) => store.schedules.change(tenant, id, (current) => ({ ...current, paused: {} })),
        (_, { paused }) => paused !== undefined && paused.why === undefined,
      ),
      button(
        ACTIONS.scheduleResume,
        'schedule resumed',
        resumedNote,
        ({ actor }, { paused: _, ...schedule }) => scheduler.keep({ ...schedule, owner: actor.person.id }),
        ({ actor }, { paused, owner }) => paused === undefined && owner === actor.person.id,
      ),
      button(ACTIONS.scheduleDelete, 'schedule deleted', deletedNote, ({ tenant }, { id }) =>
        store.schedules.delete(tenant, id),
      ),
    ],
    jobs: [{ queue: scheduler.queue, handle: (job) => poster.run(job), onGivenUp }],
    catchUps: [() => scheduler.resumeAll()],
  }
}
