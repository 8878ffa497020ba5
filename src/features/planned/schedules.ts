import { isDeepStrictEqual } from 'node:util'
import type { PlannedRow } from '../../planned/kind.ts'
import type { ScheduledPosts, ScheduleKind } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { context, placeText, section } from '../../slack/blocks/blocks.ts'
import { failureOfError } from '../../slack/deliver/failures.ts'
import { type Schedule, type ScheduleDraft, scheduleDraft } from '../../store/schedules.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { expectedAt, slotAfter } from './due-times.ts'
import { readSchedule, scheduleInputs } from './schedule-form.ts'
import { createScheduler } from './scheduler.ts'
import { dayText, nextText, scheduleDetail, scheduleState, scheduleText } from './words.ts'

const nameOf = ({ channel, day }: Schedule) => `${placeText(channel)}, ${dayText(day)}`

const contentOf = (one: ScheduleDraft) => {
  const { channel, report, include = [] } = one
  return [channel, scheduleDetail(one), report?.onlyWithCalls, ...include]
}

/** A schedule as it is shown. Pure. @param trouble why nothing would be posted by now */
export function scheduleRow(schedule: Schedule, zone: Zone, now: Date, trouble?: string): PlannedRow {
  const { id, owner, paused } = schedule
  const title = scheduleText(schedule, zone)
  return {
    id,
    owner,
    at: expectedAt(schedule, zone).getTime(),
    isFailing: (paused ? paused.why : trouble) !== undefined,
    changes: [paused ? 'resume' : 'pause'],
    title,
    details: [],
    state: scheduleState(schedule, zone, now, trouble),
    line: `${title}: ${paused ? 'paused' : trouble ? 'not posting' : `next ${nextText(schedule, zone, now)}`}`,
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

  /** Why nothing would be posted, where there is no account. @throws {StoreError} */
  async function troubleOf(tenant: TenantKey): Promise<string | undefined> {
    try {
      await workspaces.account(tenant)
      return undefined
    } catch (error) {
      const failure = failureOfError(error)
      if (failure?.kind !== 'permanent') throw error
      return failure.why
    }
  }

  return {
    info,
    rows: schedules,
    async list(tenant) {
      const trouble = await troubleOf(tenant)
      const rows = (await schedules.all(tenant)).map(async (schedule) =>
        scheduleRow(schedule, await scheduler.zoneOf(schedule), new Date(now()), trouble),
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
        note: (name) => `Resumed: ${name}. You own it now.`,
      },
    },
    form: async (setting) => [
      section(kind.intro),
      ...scheduleInputs(kind, { ...setting, record: setting.draft ?? setting.record }),
    ],
    choices: [
      ...(info.isDirectOffered ? [info.where] : []),
      ...(info.rhythms.includes('daily') ? [info.rhythm] : []),
    ],
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
    contentOf,
    async save(interaction, draft, { id, before, isNew }) {
      const { actor, tenant } = interaction
      const learned = await kind.learn(interaction, draft)
      const own = { id, tenant: actor.team, ...draft, owner: actor.person.id, ...learned }
      // What a person paused stays so; what a failure paused is mended by what is changed.
      const make = ({ paused, ...current }: Partial<Schedule> = {}) =>
        scheduler.plan({ ...current, ...own, ...(paused && paused.why === undefined ? { paused } : {}) })
      const schedule = before ? await schedules.change(tenant, id, make) : await make()
      if (!schedule) return undefined
      if (!before) await schedules.set(tenant, id, schedule)
      const isSame =
        before !== undefined &&
        before.owner === schedule.owner &&
        before.paused?.why === undefined &&
        isDeepStrictEqual(contentOf(before), contentOf(schedule))
      const zone = await scheduler.zoneOf(schedule)
      return { record: schedule, isSame, text: savedText(schedule, zone, isNew, new Date(now())) }
    },
    work: scheduler.work,
  }
}
