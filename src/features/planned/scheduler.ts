import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { DueSchedule, ScheduleKind, Slot } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { postMessage } from '../../slack/api/post-message.ts'
import { context, isPersonId } from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { attributed } from '../../slack/deliver/answer.ts'
import {
  channelRefusal,
  failureOfError,
  failureOfResult,
  type PermanentFailure,
  type PostFailure,
  permanentFailure,
} from '../../slack/deliver/failures.ts'
import type { Schedule } from '../../store/schedules.ts'
import { scopedKey, type TenantKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { parseDay } from '../../time/days.ts'
import { dayTimeLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { backoff, dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { latestSlot, nextSlot, slotAfter, slotOn } from './due-times.ts'
import { givenUpText, givenUpWhy, missedText, pausedText, unconfirmedText } from './words.ts'

/** No record takes longer to be written: the database is given up before that. */
const longestWriteMs: Milliseconds = 15_000
/** A post that comes later than this says so. */
const lateAfterMs = 10 * minuteMs
/** What is older is not posted any more. */
const tooOldMs = dayMs
const retries = { firstMs: minuteMs, longestMs: 30 * minuteMs }
const claimedForMs = 3 * dayMs
/** The scopes of the claims that a post was begun, and that it is known to be done with. */
const begunScope = 'scheduled-post'
const settledScope = 'scheduled-post-settled'

const dueJob = z.object({
  tenant: tenantRecord,
  id: z.string(),
  due: z.number(),
  /** From 0; one more for each time that it could not be posted yet. */
  attempt: z.number(),
})

type DueJob = Job<z.infer<typeof dueJob>>

interface DuePost extends DueSchedule {
  readonly attempt: number
}

type Scheduled = Pick<Schedule, 'tenant' | 'id'>
type Changes = Pick<Schedule, 'billingDay' | 'postedDay' | 'reportedDay' | 'postedBill'>

/**
 * Sees to it that every schedule of one kind has a job for its next due time, and posts what is due: each slot at most once,
 * whatever is killed when. Every method @throws {StoreError}.
 */
export function createScheduler(
  {
    store: { claims },
    background: { guards, channels },
    workspaces,
    delivery,
    backgroundWebApi,
    notices,
    audit,
    jobs,
    log,
    now,
  }: Services,
  kind: ScheduleKind,
) {
  const { info, schedules } = kind
  const queue = { name: kind.queue, schema: dueJob }

  /** The channel's own zone, or the workspace's. */
  async function zoneOf({ tenant, channel }: Pick<Schedule, 'tenant' | 'channel'>): Promise<Zone> {
    return (await workspaces.zone(tenantKey(tenant), channel)).zone
  }

  function enqueue({ tenant, id }: Scheduled, due: EpochMs, attempt: number, at: EpochMs): Promise<void> {
    const jobId = `${scopedKey(tenantKey(tenant), id)}/${due}/${attempt}`
    return jobs.enqueue(queue, jobId, { tenant, id, due, attempt }, new Date(at))
  }

  /**
   * A job for a time that its schedule does not name is dropped, and one that is missing is not noticed: so it is enqueued
   * before the record says when, and runs after that, though it may be due at once.
   */
  const enqueueBeforeChange = (schedule: Scheduled, due: EpochMs) =>
    enqueue(schedule, due, 0, Math.max(due, now() + longestWriteMs))

  async function move(schedule: Schedule, { day, at }: Slot, changes: Changes = {}): Promise<void> {
    await enqueueBeforeChange(schedule, at.getTime())
    // Unless somebody has changed it since.
    await schedules.change(tenantKey(schedule.tenant), schedule.id, (current) =>
      current.due === schedule.due && !current.paused
        ? { ...current, ...changes, due: at.getTime(), dueDay: day }
        : undefined,
    )
  }

  /** Moves on to the next day, in the time zone that holds by now. */
  async function advance({ schedule, slot }: DuePost, changes?: Changes): Promise<void> {
    const zone = await zoneOf(schedule)
    await move(schedule, nextSlot(schedule, zone, slot.day, new Date(now())), changes)
  }

  /** What a person made or changed, due next after now: there is a job for it by then. */
  async function plan(changed: Omit<Schedule, 'due' | 'dueDay'>): Promise<Schedule> {
    const zone = await zoneOf(changed)
    const slot = slotAfter(changed, zone, new Date(now()), parseDay(changed.postedDay ?? ''))
    const schedule = { ...changed, due: slot.at.getTime(), dueDay: slot.day }
    if (!schedule.paused) await enqueueBeforeChange(schedule, schedule.due)
    return schedule
  }

  /** The tenant's schedules follow a change of zone: each stays on the day that it is planned for. */
  async function reschedule(tenant: TenantKey): Promise<void> {
    for (const schedule of await schedules.all(tenant)) {
      const at = new Date(now())
      // One that is due already is seen to as it stands.
      if (schedule.paused || schedule.due <= at.getTime()) continue
      const slot = slotOn(schedule, await zoneOf(schedule), schedule.dueDay, at)
      if (slot.at.getTime() !== schedule.due) await move(schedule, slot)
    }
  }

  /** Enqueues whatever is due next, for what an ended process left undone. */
  async function resumeAll(): Promise<void> {
    let count = 0
    for await (const schedule of schedules.scan()) {
      if (schedule.paused) continue
      await enqueue(schedule, schedule.due, 0, schedule.due)
      count += 1
    }
    if (count > 0) log.info({ count, queue: kind.queue }, 'scheduled posts')
  }

  /** The schedule of a job; none: it was changed, paused or deleted since, and another job is for what it is now. */
  async function scheduleOf({ data: job }: DueJob) {
    const schedule = await schedules.get(tenantKey(job.tenant), job.id)
    if (!schedule || schedule.paused || schedule.due !== job.due) return undefined
    return { schedule, tenant: tenantKey(job.tenant), attempt: job.attempt }
  }

  const plannedFor = ({ schedule, slot, zone }: DuePost) =>
    dayTimeLabel(slot.day, schedule.time, localDay(zone, new Date(now())))

  const record = ({ tenant, channel, owner }: Schedule, what: string, detail: string) =>
    audit.recordInNameOf(owner, tenantKey(tenant), what, { channel, detail })

  /** Says how to make up for what was not posted. */
  function notify(due: DuePost, text: string): Promise<void> {
    const { id, tenant, owner } = due.schedule
    const noticeId = `${tenant.teamId}/${id}/${due.slot.at.getTime()}/${owner}`
    return notices.notify(tenant, [owner], noticeId, { text, command: kind.makeUp(due) })
  }

  /** @param notice its id, and what it says */
  async function pause(
    schedule: Schedule,
    { why, isOwnerOut }: Pick<PermanentFailure, 'why' | 'isOwnerOut'>,
    { id, text }: { readonly id: string; readonly text: string },
  ): Promise<void> {
    const command = { id: 'schedules', text: 'Manage schedules', command: `/${info.command} schedules` }
    // Before it is paused: a job that runs again after that finds nothing to do.
    await notices.notifyOwner(schedule, { id, notice: { text, command }, isOwnerOut })
    const paused = await schedules.change(tenantKey(schedule.tenant), schedule.id, (current) =>
      current.due === schedule.due ? { ...current, paused: { why } } : undefined,
    )
    if (paused) await record(schedule, `${info.audit} paused`, why)
  }

  async function giveUp(due: DuePost): Promise<void> {
    if (kind.isMissed(due)) {
      const planned = plannedFor(due)
      await record(due.schedule, `${info.post} missed`, `scheduled for ${planned}`)
      await notify(due, missedText(info.post, due.schedule.channel, planned))
    }
    await advance(due)
  }

  async function unconfirmed(due: DuePost): Promise<void> {
    const { schedule } = due
    await record(schedule, info.posted, 'on schedule, not confirmed by Slack')
    await notify(due, unconfirmedText(info.post, schedule.channel, plannedFor(due)))
  }

  /** Posts what the slot's claims stand for at most once. @returns why it was not posted */
  async function post(due: DuePost, actor: Actor, content: Answer): Promise<PostFailure | undefined> {
    const { schedule, slot, tenant } = due
    const key = scopedKey(tenant, schedule.id, slot.day)
    if (!(await claims.claim(begunScope, key, claimedForMs))) {
      // Its process was killed in between: it is not sent again, since Slack has no way to ask for the same post once.
      if (!(await claims.isClaimed(settledScope, key))) await unconfirmed(due)
      return undefined
    }
    const isLate = now() - slot.at.getTime() > lateAfterMs
    const late = isLate ? [context(`Late: scheduled for ${plannedFor(due)}.`)] : []
    const message = attributed(content, actor.person.name, 'Scheduled', late)
    const { botToken } = actor.installation
    const result = await delivery.send(message, actor.team, (form) =>
      postMessage(backgroundWebApi, botToken, schedule.channel, form.message),
    )
    kind.count(result.kind)
    switch (result.kind) {
      case 'sent':
        await claims.claim(settledScope, key, claimedForMs)
        await record(schedule, info.posted, 'on schedule')
        return undefined
      case 'unknown':
        await unconfirmed(due)
        return undefined
      case 'refused':
      case 'not-now':
        await claims.release(begunScope, key)
        return failureOfResult(result)
    }
  }

  /** Posts, or finds that there is nothing to post today. @returns what stood in the way */
  async function attempt(due: DuePost, ending: AbortSignal): Promise<PostFailure | undefined> {
    const { schedule, slot } = due
    const actor = await guards.admit(schedule.tenant, schedule.owner, info.needs, { afresh: true })
    const { post: content, changes } = await kind.load(due, actor, ending)
    if (content) {
      const { channel } = schedule
      const state = isPersonId(channel) ? 'ok' : await channels.state(actor, channel)
      if (state !== 'ok') return permanentFailure(channelRefusal(state, schedule.channel))
      const failure = await post(due, actor, content)
      if (failure) return failure
    }
    await advance(due, { ...changes, ...(content ? { postedDay: slot.day } : {}) })
    return undefined
  }

  /** @param ending aborted where the process stops */
  async function run(job: DueJob, ending: AbortSignal): Promise<void> {
    const found = await scheduleOf(job)
    if (!found) return
    const { schedule } = found
    const zone = await zoneOf(schedule)
    const slot = latestSlot(schedule, zone, new Date(now()))
    const due: DuePost = { ...found, zone, slot }
    if (now() - slot.at.getTime() > tooOldMs) return giveUp(due)

    const failure = await attempt(due, ending).catch((error: unknown) => {
      const described = ending.aborted ? undefined : failureOfError(error)
      if (!described) throw error
      log.info({ cause: error instanceof Error ? error.message : 'unknown' }, 'a planned post was not posted')
      return described
    })
    if (failure?.kind === 'permanent') {
      const id = `${schedule.tenant.teamId}/${schedule.id}/${slot.at.getTime()}/paused`
      await pause(schedule, failure, { id, text: pausedText(info.posts, schedule, zone, failure.why) })
    }
    if (failure?.kind === 'transient') {
      const wait = failure.retryAfterMs ?? backoff(due.attempt + 1, retries)
      const at = now() + wait
      if (at - slot.at.getTime() > tooOldMs) return giveUp(due)
      await enqueue(schedule, schedule.due, due.attempt + 1, at)
    }
  }

  /** The job failed for good: the schedule's owner is notified, and nothing more is tried until somebody resumes it. */
  async function onGivenUp(job: DueJob): Promise<void> {
    const found = await scheduleOf(job)
    if (!found) return
    const { schedule, tenant } = found
    const id = `given-up${tenant}/${schedule.id}/${schedule.due}`
    const text = givenUpText(info.posts, schedule.channel)
    await pause(schedule, { why: givenUpWhy, isOwnerOut: false }, { id, text })
  }

  return {
    zoneOf,
    plan,
    reschedule,
    work: { jobs: [{ queue, handle: run, onGivenUp }], background: [resumeAll] },
  }
}
