import type { Job } from '../../jobs/jobs.ts'
import { notifyOwner } from '../../planned/notify-owner.ts'
import type { DueSchedule, ScheduleKind } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { context } from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import {
  channelRefusal,
  failureOfError,
  type PermanentFailure,
  type PostFailure,
  permanentFailure,
} from '../../slack/deliver/failures.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import { attributed } from '../../slack/deliver/post-messages.ts'
import type { Schedule } from '../../store/schedules.ts'
import { scopedKey, tenantKey } from '../../store/tenant.ts'
import { dayTimeLabel } from '../../time/labels.ts'
import { localDay } from '../../time/zones.ts'
import type { Milliseconds } from '../../util/units.ts'
import { latestSlot } from './due-times.ts'
import { IdempotentSender } from './idempotent-sender.ts'
import type { DueJob, Scheduler } from './scheduler.ts'
import { givenUpNotice, givenUpWhy, missedNotice, pausedNotice, unconfirmedNotice } from './words.ts'

const minuteMs: Milliseconds = 60_000
/** A post that comes later than this says so. */
const lateAfterMs = 10 * minuteMs
/** What is older is not posted any more. */
const tooOldMs = 24 * 60 * minuteMs
const longestRetryMs = 30 * minuteMs

/** A schedule that is due, and the job that says so. */
interface DuePost extends DueSchedule {
  readonly job: DueJob
}

/** A post as it goes out on schedule. @param name of whose schedule it is. Pure. */
const scheduledPost = (post: Answer, name: string, lateSince?: string): Answer =>
  attributed(
    post,
    name,
    'Scheduled',
    lateSince === undefined ? [] : [context(`Late: planned for ${lateSince}.`)],
  )

/**
 * Runs the job of a due schedule. Each due slot is posted at most once, whatever is killed when: where a post had left
 * but its arrival was not noted, it is not sent again, and its owner is told to look.
 */
export class Poster {
  readonly #services
  readonly #sender
  readonly #kind
  readonly #scheduler

  constructor(
    services: Pick<
      Services,
      | 'store'
      | 'guards'
      | 'channels'
      | 'workspaces'
      | 'delivery'
      | 'backgroundWebApi'
      | 'notices'
      | 'audit'
      | 'log'
      | 'now'
    >,
    kind: ScheduleKind,
    scheduler: Scheduler,
  ) {
    this.#services = services
    this.#sender = new IdempotentSender(services)
    this.#kind = kind
    this.#scheduler = scheduler
  }

  /** @param ending aborted where the process stops */
  async run(one: Job, ending: AbortSignal): Promise<void> {
    const { log, now } = this.#services
    const scheduler = this.#scheduler
    const job = scheduler.readJob(one)
    const tenant = tenantKey(job.tenant)
    const schedule = await scheduler.schedules.get(tenant, job.id)
    // Changed, paused or deleted since: another job is for what it is now.
    if (!schedule || schedule.paused || schedule.due !== job.due) return
    const zone = await scheduler.zoneOf(schedule)
    const slot = latestSlot(schedule, zone, new Date(now()))
    const due: DuePost = { job, schedule, tenant, zone, slot }
    if (now() - slot.at.getTime() > tooOldMs) return this.#giveUp(due)

    const failure = await this.#attempt(due, ending).catch((error: unknown) => {
      const described = ending.aborted ? undefined : failureOfError(error)
      if (!described) throw error
      log.info({ cause: error instanceof Error ? error.message : 'unknown' }, 'a planned post was not posted')
      return described
    })
    if (failure?.kind === 'permanent') await this.#pauseAfter(due, failure)
    if (failure?.kind === 'transient') await this.#postpone(due, failure.retryAfterMs)
  }

  /** The job failed for good: the schedule's owner is notified, and nothing more is tried until somebody resumes it. */
  async givenUp(one: Job): Promise<void> {
    const job = this.#scheduler.readJob(one)
    const tenant = tenantKey(job.tenant)
    const schedule = await this.#scheduler.schedules.get(tenant, job.id)
    if (!schedule || schedule.paused || schedule.due !== job.due) return
    const id = `given-up${tenant}/${schedule.id}/${job.due}`
    const notice = givenUpNotice(this.#kind.info, schedule.channel)
    await this.#pause(schedule, { why: givenUpWhy, isOwnerOut: false, id, notice })
  }

  /** Posts, or finds that there is nothing to post today. @returns what stood in the way */
  async #attempt(due: DuePost, ending: AbortSignal): Promise<PostFailure | undefined> {
    const { guards, channels } = this.#services
    const { schedule, slot } = due
    const actor = await guards.admit(schedule.tenant, schedule.owner, this.#kind.info.needs, { afresh: true })
    const { post, changes } = await this.#kind.load(due, actor, ending)
    if (post) {
      const state = await channels.state(actor, schedule.channel)
      if (state !== 'ok') return permanentFailure(channelRefusal(state, schedule.channel))
      const failure = await this.#post(due, actor, post)
      if (failure) return failure
    }
    await this.#scheduler.advance(schedule, slot, { ...changes, ...(post ? { postedDay: slot.day } : {}) })
    return undefined
  }

  async #post(due: DuePost, actor: Actor, post: Answer): Promise<PostFailure | undefined> {
    const { info } = this.#kind
    const { schedule, slot, tenant } = due
    const { id, channel, owner } = schedule
    const planned = this.#planned(due)
    const isLate = this.#services.now() - slot.at.getTime() > lateAfterMs
    const message = scheduledPost(post, actor.person.name, isLate ? planned : undefined)
    const key = scopedKey(tenant, id, slot.day)
    const to = { team: actor.team, token: actor.installation.botToken, channel }
    const result = await this.#sender.send(key, to, message, (outcome) => this.#kind.count(outcome))
    if (result === 'posted') await this.#record(schedule, info.posted, 'on schedule')
    if (result === 'unknown') {
      await this.#record(schedule, info.posted, 'on schedule, not confirmed by Slack')
      await this.#notify(due, owner, unconfirmedNotice(info, channel, planned, this.#kind.makeUp(due)))
    }
    return typeof result === 'string' ? undefined : result
  }

  #pauseAfter({ schedule, zone, slot }: DuePost, { why, isOwnerOut }: PermanentFailure): Promise<void> {
    const id = `${schedule.tenant.teamId}/${schedule.id}/${slot.at.getTime()}/paused`
    const notice = pausedNotice(this.#kind.info, schedule, zone, why)
    return this.#pause(schedule, { why, isOwnerOut, id, notice })
  }

  async #pause(
    schedule: Schedule,
    stopped: Parameters<typeof notifyOwner>[2] & { readonly why: string },
  ): Promise<void> {
    const { why } = stopped
    // Before it is paused: a job that runs again after that finds nothing to do.
    await notifyOwner(this.#services, schedule, stopped)
    const tenant = tenantKey(schedule.tenant)
    const paused = await this.#scheduler.schedules.change(tenant, schedule.id, (current) =>
      current.due === schedule.due ? { ...current, paused: { why } } : undefined,
    )
    if (paused) await this.#record(schedule, `${this.#kind.info.audit} paused`, why)
  }

  async #postpone(due: DuePost, retryAfterMs: Milliseconds | undefined): Promise<void> {
    const { now } = this.#services
    const { job, slot } = due
    const wait = retryAfterMs ?? Math.min(minuteMs * 2 ** job.attempt, longestRetryMs)
    if (now() + wait - slot.at.getTime() > tooOldMs) return this.#giveUp(due)
    await this.#scheduler.retry(job, new Date(now() + wait))
  }

  async #giveUp(due: DuePost): Promise<void> {
    const { info } = this.#kind
    const { schedule, slot } = due
    if (this.#kind.isMissed(due)) {
      const planned = this.#planned(due)
      await this.#record(schedule, info.missed, `planned for ${planned}`)
      const notice = missedNotice(info, schedule.channel, planned, this.#kind.makeUp(due))
      await this.#notify(due, schedule.owner, notice)
    }
    await this.#scheduler.advance(schedule, slot)
  }

  /** When it was planned for: `15 Dec, 09:00`. */
  #planned({ schedule, slot, zone }: DuePost): string {
    return dayTimeLabel(slot.day, schedule.time, localDay(zone, new Date(this.#services.now())))
  }

  #notify({ schedule, slot }: DuePost, person: string, notice: Notice): Promise<void> {
    const id = `${schedule.tenant.teamId}/${schedule.id}/${slot.at.getTime()}/${person}`
    return this.#services.notices.notify(schedule.tenant, [person], id, notice)
  }

  #record({ tenant, channel, owner }: Schedule, what: string, detail: string): Promise<void> {
    const { audit } = this.#services
    return audit.recordInNameOf(owner, tenantKey(tenant), what, `channel ${channel}, ${detail}`)
  }
}
