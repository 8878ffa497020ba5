import type { PlannedRow } from '../../planned/kind.ts'
import type { ScheduledPosts, ScheduleKind } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { context, placeText, section } from '../../slack/blocks/blocks.ts'
import { type Schedule, scheduleDraft } from '../../store/schedules.ts'
import { instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { expectedAt, slotAfter } from './due-times.ts'
import { readSchedule, scheduleInputs } from './schedule-form.ts'
import { createScheduler } from './scheduler.ts'
import { dayText, nextText, scheduleDetail, scheduleState, scheduleText } from './words.ts'

const nameOf = ({ channel, day }: Schedule) => `${placeText(channel)}, ${dayText(day)}`

/** A schedule as it is shown. Pure. */
export function scheduleRow(schedule: Schedule, zone: Zone, now: Date): PlannedRow {
  const { id, owner, paused } = schedule
  const title = scheduleText(schedule, zone)
  return {
    id,
    owner,
    at: expectedAt(schedule, zone).getTime(),
    isFailing: paused?.why !== undefined,
    changes: [paused ? 'resume' : 'pause'],
    title,
    details: [],
    state: scheduleState(schedule, zone, now),
    line: `${title}: ${paused ? 'paused' : `next ${nextText(schedule, zone, now)}`}`,
  }
}

/** What a schedule is confirmed with. @param isNew whether nothing was posted by it yet */
function savedText(schedule: Schedule, zone: Zone, isNew: boolean, now: Date): string {
  const where = placeText(schedule.channel)
  return schedule.paused
    ? `Saved. This schedule is still paused, so nothing is posted in ${where}.`
    : `Saved. ${isNew ? 'First' : 'Next'} post in ${where}: ${nextText(schedule, zone, now)}.`
}

/** What goes to channels on a rhythm, of one kind. */
export function scheduledPosts(services: Services, kind: ScheduleKind): ScheduledPosts {
  const { workspaces, now } = services
  const { info, schedules, preview } = kind
  const scheduler = createScheduler(services, kind)
  workspaces.on('zone', (tenant) => scheduler.reschedule(tenant))

  return {
    info,
    rows: schedules,
    async list(tenant) {
      const rows = (await schedules.all(tenant)).map(async (schedule) =>
        scheduleRow(schedule, await scheduler.zoneOf(schedule), new Date(now())),
      )
      return Promise.all(rows)
    },
    words: async (schedule) => ({ name: nameOf(schedule), detail: scheduleDetail(schedule) }),
    changes: {
      pause: {
        change: (schedule) =>
          schedule.paused && schedule.paused.why === undefined ? undefined : { ...schedule, paused: {} },
        note: (name) => `Paused: ${name}. Nothing is posted until it's resumed.`,
      },
      resume: {
        change: ({ paused, ...schedule }, { person }) =>
          paused || schedule.owner !== person ? scheduler.plan({ ...schedule, owner: person }) : undefined,
        note: (name) => `Resumed: ${name}. You're its owner.`,
      },
    },
    form: async (setting) => [
      section(kind.intro),
      ...scheduleInputs(kind, { ...setting, record: setting.draft ?? setting.record }),
    ],
    choices: info.isDirectOffered ? [info.where] : [],
    read: async (view, _tenant, person) => readSchedule(view, kind, person),
    preview: preview && {
      draft: scheduleDraft,
      async blocks(interaction, draft, isNew) {
        const zone = await scheduler.zoneOf({ tenant: interaction.actor.team, ...draft })
        const shown = await preview(interaction, draft, zone)
        const at = new Date(now())
        const next = instantLabel(zone, slotAfter(draft, zone, at).at, at)
        return [
          section(`*Not saved yet.* ${scheduleText(draft, zone)}`),
          context(`${isNew ? 'First' : 'Next'} post: ${next}. This is what it would be now:`),
          { type: 'divider' },
          ...shown,
        ]
      },
    },
    async save(interaction, draft, { id, before, isNew }) {
      const { actor } = interaction
      const learned = await kind.learn(interaction, draft, before)
      // What a person paused stays so; what a failure paused is mended by what is changed.
      const isPaused = before?.paused !== undefined && before.paused.why === undefined
      const schedule = await scheduler.keep({
        id,
        tenant: actor.team,
        ...draft,
        owner: actor.person.id,
        ...learned,
        ...(isPaused ? { paused: {} } : {}),
      })
      const isSame =
        before !== undefined &&
        before.owner === schedule.owner &&
        before.channel === schedule.channel &&
        before.paused?.why === undefined &&
        before.report?.onlyWithCalls === schedule.report?.onlyWithCalls &&
        String(before.include ?? []) === String(schedule.include ?? []) &&
        scheduleDetail(before) === scheduleDetail(schedule)
      const zone = await scheduler.zoneOf(schedule)
      return { record: schedule, isSame, text: savedText(schedule, zone, isNew, new Date(now())) }
    },
    work: scheduler.work,
  }
}
