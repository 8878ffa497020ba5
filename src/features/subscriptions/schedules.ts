import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { placeText, section } from '../../slack/blocks/blocks.ts'
import { failureOfError } from '../../slack/deliver/failures.ts'
import { isMuted } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Zone } from '../../time/types.ts'
import { uncapital } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { expectedAt } from './due-times.ts'
import type { SubscriptionKind, SubscriptionRow } from './kind.ts'
import { mutedText } from './mute.ts'
import { readSchedule, scheduleInputs } from './schedule-form.ts'
import type { ScheduleInfo, ScheduleKind } from './schedule-kind.ts'
import { rhythmTexts, type Schedule, type ScheduleDraft } from './schedule-rows.ts'
import { Scheduler } from './scheduler.ts'
import { nextText, scheduleDetail, scheduleState, scheduleText } from './words.ts'

const scheduleContent = (one: ScheduleDraft) => [one.channel, scheduleDetail(one), ...(one.include ?? [])]

const hasSameTime = (one: ScheduleDraft, other: ScheduleDraft) =>
  one.channel === other.channel && one.rhythm === other.rhythm && one.time === other.time

function describeShortly(schedule: Schedule, zone: Zone, now: EpochMs, trouble?: string): string {
  const { muted, stopped } = schedule
  if (stopped) return 'stopped'
  if (trouble !== undefined) return 'not posting'
  if (muted && isMuted(schedule, now)) return mutedText(muted, zone, now)
  return `next ${nextText(schedule, zone, now)}`
}

/** @param failure why no schedule of the workspace can post at present */
export function toScheduleRow(
  schedule: Schedule,
  zone: Zone,
  now: EpochMs,
  failure?: string,
): SubscriptionRow {
  const { id, owner, stopped, due } = schedule
  const trouble = due && failure
  const title = scheduleText(schedule, zone)
  return {
    id,
    owner,
    at: expectedAt(schedule, zone) ?? Number.POSITIVE_INFINITY,
    isFailing: (stopped?.why ?? trouble) !== undefined,
    isOff: stopped !== undefined || isMuted(schedule, now),
    title,
    details: [],
    state: scheduleState(schedule, zone, now, trouble),
    line: `${title}: ${describeShortly(schedule, zone, now, trouble)}`,
  }
}

/** Confirms a saved schedule. */
function savedScheduleText(schedule: Schedule, zone: Zone, isNew: boolean, now: EpochMs): string {
  const where = placeText(schedule.channel)
  const { muted } = schedule
  const isOff = muted && isMuted(schedule, now)
  const muting = isOff ? ` This schedule is still ${uncapital(mutedText(muted, zone, now))}.` : ''
  const next = `${isNew ? 'First' : 'Next'} post in ${where}: ${nextText(schedule, zone, now)}.`
  return `Saved.${muting}${schedule.due ? ` ${next}` : ''}`
}

function saveSchedules(
  { schedules: rows, learn }: ScheduleKind,
  scheduler: Scheduler,
  now: () => EpochMs,
): SubscriptionKind<Schedule, ScheduleDraft>['save'] {
  return async (interaction, draft, { id, before }) => {
    const { actor, tenant } = interaction
    const own = { id, tenant: actor.team, ...draft, owner: actor.person.id }
    const learned = await learn(interaction, draft)
    const make = (current?: Schedule) => {
      const changed = { ...current, ...own, ...learned, stopped: undefined }
      return current?.due && hasSameTime(current, draft) ? changed : scheduler.plan(changed)
    }
    const schedule = before ? await rows.change(tenant, id, make) : await make()
    if (!schedule) return undefined
    if (!before) await rows.set(tenant, id, schedule)
    const isSame =
      before !== undefined &&
      before.owner === schedule.owner &&
      before.stopped === undefined &&
      isDeepStrictEqual(scheduleContent(before), scheduleContent(schedule))
    const zone = await scheduler.findZone(schedule)
    return { record: schedule, isSame, text: savedScheduleText(schedule, zone, before === undefined, now()) }
  }
}

/** Subscriptions that post on a rhythm. */
export function schedules(
  services: Services,
  kind: ScheduleKind,
): SubscriptionKind<Schedule, ScheduleDraft> & { readonly info: ScheduleInfo } {
  const { workspaces, now } = services
  const { info, schedules: rows } = kind
  const scheduler = new Scheduler(services, kind)
  workspaces.on('zone', (tenant) => scheduler.followZones(tenant))
  workspaces.on('connect', (tenant) => scheduler.followConnection(tenant))

  /** Returns why nothing can be posted without an account. @throws {StoreError} */
  async function findTrouble(tenant: TenantKey): Promise<string | undefined> {
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
    rows,
    async list(tenant) {
      const trouble = await findTrouble(tenant)
      const all = (await rows.all(tenant)).map(async (schedule) =>
        toScheduleRow(schedule, await scheduler.findZone(schedule), now(), trouble),
      )
      return Promise.all(all)
    },
    words: async (schedule) => ({
      name: `${placeText(schedule.channel)}, ${rhythmTexts[schedule.rhythm]}`,
      detail: scheduleDetail(schedule),
    }),
    mute: (schedule, muted) => scheduler.plan({ ...schedule, muted }),
    turnOn: (schedule, owner) => scheduler.plan({ ...schedule, owner, muted: undefined, stopped: undefined }),
    form: async ({ record, channel }) => [section(kind.intro), ...scheduleInputs(kind, channel, record)],
    read: (view, person) => readSchedule(view, kind, person),
    contentOf: scheduleContent,
    save: saveSchedules(kind, scheduler, now),
    work: scheduler.work(),
  }
}
