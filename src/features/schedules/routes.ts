import type { Job } from '../../jobs/jobs.ts'
import type { ScheduleKind } from '../../scheduler/kind.ts'
import { scheduleDetail } from '../../scheduler/schedule-text.ts'
import type { Services } from '../../services.ts'
import { textAnswer } from '../../slack/deliver/answer.ts'
import { type Bound, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { Schedule } from '../../store/schedules.ts'
import { scheduleForms } from './form-routes.ts'
import { giveUp } from './given-up.ts'
import { deletedNote, notFound, pausedNote, resumedNote } from './list.ts'
import { ScheduleLists } from './lists.ts'
import { Poster } from './poster.ts'

/**
 * What is planned of one kind, such as `/billing schedules`, and the posts that come of it. Each kind has routes of its own:
 * its ids lead to its schedules alone, and what its routes need is what it takes to manage them.
 */
export function schedules(services: Services, kind: ScheduleKind): FeatureRoutes {
  const { workspaces, guards, channels, delivery, backgroundWebApi, notices, audit, log, now } = services
  const { info, scheduler } = kind
  const { needs, command, actions } = info
  const forms = scheduleForms(services, kind)
  const lists = new ScheduleLists({ now }, kind)
  const poster = new Poster(
    {
      workspaces,
      guards,
      channels,
      delivery,
      backgroundWebApi,
      notices,
      audit,
      log,
      now,
      store: services.store,
    },
    kind,
  )
  workspaces.onZoneChange((tenant) => scheduler.reschedule(tenant))

  /** What a button of the list does, and the list as it is then; the same on the home tab. */
  const button = (
    what: string,
    noteFor: (schedule: Schedule) => string,
    act: (interaction: Interaction, schedule: Schedule) => Promise<unknown>,
    isDone = (_: Interaction, _schedule: Schedule) => false,
  ): Bound<{ readonly id: string; readonly page: number }> => ({
    needs,
    async handle(interaction, { id, page }, _, { view }) {
      const schedule = await scheduler.schedules.get(interaction.tenant, id)
      const note = schedule ? noteFor(schedule) : notFound
      if (schedule && !isDone(interaction, schedule)) {
        await act(interaction, schedule)
        await audit.record(interaction.actor, `${info.audit.schedule} ${what}`, scheduleDetail(schedule))
      } else {
        // Done by another button, or by somebody else, since the home tab was published.
        audit.emit('recorded', interaction.actor)
      }
      return view?.type === 'home' ? textAnswer(note) : lists.show(interaction, page, note)
    },
  })

  return {
    commands: [
      ...forms.commands,
      { command, word: 'schedules', needs, handle: (interaction) => lists.show(interaction) },
    ],
    actions: bind(actions, {
      ...forms.bound,
      page: { needs, handle: (interaction, { page }) => lists.show(interaction, page) },
      pause: button(
        'paused',
        pausedNote,
        ({ tenant }, { id }) =>
          scheduler.schedules.change(tenant, id, (current) => ({ ...current, paused: {} })),
        (_, { paused }) => paused !== undefined && paused.why === undefined,
      ),
      resume: button(
        'resumed',
        resumedNote,
        ({ actor }, { paused: _, ...schedule }) => scheduler.keep({ ...schedule, owner: actor.person.id }),
        ({ actor }, { paused, owner }) => paused === undefined && owner === actor.person.id,
      ),
      delete: button('deleted', deletedNote, ({ tenant }, { id }) => scheduler.schedules.delete(tenant, id)),
    }),
    submissions: forms.submissions,
    jobs: [
      {
        queue: scheduler.queue,
        handle: (job, ending) => poster.run(job, ending),
        onGivenUp: (job: Job) => giveUp({ notices, audit }, kind, job),
      },
    ],
    catchUps: [() => scheduler.resumeAll()],
  }
}
