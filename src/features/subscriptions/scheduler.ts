import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage } from '../../slack/api/web-api.ts'
import { context, escapeText, isPersonId, placeText } from '../../slack/blocks/blocks.ts'
import {
  channelRefusal,
  failureOfError,
  failureOfResult,
  type PermanentFailure,
  type PostFailure,
  permanentFailure,
} from '../../slack/deliver/failures.ts'
import { type Answer, attributed } from '../../slack/deliver/replies.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { type TenantKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { dayTimeLabel, localDay, type Zone } from '../../time/zones.ts'
import { capitalize } from '../../util/text.ts'
import { dayMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { latestSlot, nextSlot, planNext, slotOn } from './due-times.ts'
import { type DuePost, getDueTime, rhythmTexts, type Schedule, type ScheduleKind } from './schedule.ts'

/** Later posts are marked as late. */
const SAID_LATE_AFTER_MS: Milliseconds = 10 * minuteMs
/** Older posts are skipped. */
const MAX_LATE_MS = dayMs
const MIN_RETRY_MS = minuteMs
const MAX_RETRY_MS = 30 * minuteMs
/** Longer than it takes to write a record after its index row: a database gives up sooner. */
const STALE_AFTER_MS = 2 * minuteMs

const dueJobSchema = z.object({ tenant: tenantRecord, id: z.string(), at: z.number() })
type DueJob = Job<z.infer<typeof dueJobSchema>>

/** `#finance, every Monday at 09:00 (Europe/Berlin), by line`. mrkdwn. */
export function scheduleText({ channel, rhythm, time, by }: Schedule, zone: Zone): string {
  const grouping = by === undefined ? '' : `, by ${by}`
  return `${capitalize(placeText(channel))}, ${rhythmTexts[rhythm]} at ${time} (${escapeText(zone)})${grouping}`
}

/**
 * Posts the schedules of one kind when they are due, each at most once a day. The record alone knows its next time; a tick
 * finds due records and enqueues one job for each. Every method @throws {StoreError}.
 */
export class Scheduler {
  readonly #services
  readonly #kind
  readonly #queue

  constructor(services: Services, kind: ScheduleKind) {
    this.#services = services
    this.#kind = kind
    this.#queue = { name: kind.queue, schema: dueJobSchema }
  }

  /** Returns the time zone of the channel, or of the workspace. */
  async findZone({ tenant, channel }: Pick<Schedule, 'tenant' | 'channel'>): Promise<Zone> {
    return (await this.#services.workspaces.zone(tenantKey(tenant), channel)).zone
  }

  /** Plans the next post of a schedule that someone has changed. */
  async plan(schedule: Schedule): Promise<Schedule> {
    const due = planNext(schedule, await this.findZone(schedule), this.#services.now())
    return { ...schedule, due, retryAt: undefined }
  }

  /** Keeps each schedule on its planned day after a change of time zones. */
  async followZones(tenant: TenantKey): Promise<void> {
    await this.#changeAll(tenant, async (schedule) => {
      const { due, muted } = schedule
      const now = this.#services.now()
      // Doesn't move a post that is already due.
      if (!due || due.at <= now) return undefined
      const slot = slotOn(schedule, await this.findZone(schedule), due.day, now)
      if (slot.at < (muted?.until ?? 0)) return this.plan(schedule)
      return slot.at === due.at ? undefined : { ...schedule, due: slot }
    })
  }

  /** Resumes stopped schedules: most stop because of the account, and others stop again. */
  async followConnection(tenant: TenantKey): Promise<void> {
    await this.#changeAll(tenant, async ({ stopped, ...schedule }) =>
      stopped ? this.plan(schedule) : undefined,
    )
  }

  work(): Pick<FeatureRoutes, 'jobs' | 'background'> {
    return {
      jobs: [{ queue: this.#queue, handle: (job: DueJob, ending) => this.#run(job, ending) }],
      background: [(stopping) => this.#keepTicking(stopping)],
    }
  }

  async #changeAll(
    tenant: TenantKey,
    change: (schedule: Schedule) => Promise<Schedule | undefined>,
  ): Promise<void> {
    const { rows } = this.#kind
    for (const { id } of await rows.all(tenant)) await rows.change(tenant, id, change)
  }

  async #keepTicking(stopping: AbortSignal): Promise<void> {
    const { now, scheduleTickMs } = this.#services
    while (!stopping.aborted) {
      await this.#enqueueDue()
      const wait = scheduleTickMs - (now() % scheduleTickMs)
      await sleep(wait, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  /** Writes nothing unless a post is due. */
  async #enqueueDue(): Promise<void> {
    const { jobs, now } = this.#services
    const { rows } = this.#kind
    for await (const row of rows.findDue(now())) {
      const { tenant, id, key, at } = row
      const schedule = await rows.get(tenantKey(tenant), id)
      if (schedule && getDueTime(schedule) === at)
        await jobs.enqueue(this.#queue, key, { tenant, id, at }, new Date(now()))
      else if (now() - at > STALE_AFTER_MS) await rows.dropDue(row)
    }
  }

  async #run({ data }: DueJob, ending: AbortSignal): Promise<void> {
    const { now, log } = this.#services
    const tenant = tenantKey(data.tenant)
    const schedule = await this.#kind.rows.get(tenant, data.id)
    if (!schedule?.due || getDueTime(schedule) !== data.at) return
    const { due: planned, postedDay } = schedule
    const zone = await this.findZone(schedule)
    if (postedDay !== undefined && postedDay >= planned.day) {
      // A process was killed while it sent this post.
      const begun = { schedule, tenant, zone, slot: { day: postedDay, at: planned.at } }
      await this.#reportUnconfirmed(begun)
      return this.#advance(begun)
    }
    const due = { schedule, tenant, zone, slot: latestSlot(schedule, planned, zone, now()) }
    const lateMs = now() - due.slot.at
    if (lateMs > MAX_LATE_MS) return this.#skip(due)

    const failure = await this.#post(due, ending).catch((error: unknown): PostFailure => {
      const described = ending.aborted ? undefined : failureOfError(error)
      if (!described) throw error
      log.info({ err: error, tenant }, 'scheduled post failed')
      return described
    })
    if (failure?.kind === 'permanent') await this.#stop(due, failure)
    if (failure?.kind === 'transient') {
      const wait = failure.retryAfterMs ?? Math.min(Math.max(lateMs / 2, MIN_RETRY_MS), MAX_RETRY_MS)
      await this.#settle(due, { postedDay, retryAt: Math.ceil(now() + wait) })
    }
  }

  /** Returns what prevented the post; nothing if there is nothing to say. */
  async #post(due: DuePost, ending: AbortSignal): Promise<PostFailure | undefined> {
    const { guards, channels } = this.#services.background
    const { info, load } = this.#kind
    const { schedule } = due
    const actor = await guards.admit(schedule.tenant, schedule.owner, info.needs, { afresh: true })
    const { post, changes } = await load(due, ending)
    if (!post) {
      await this.#advance(due, changes)
      return undefined
    }
    const { channel } = schedule
    const state = isPersonId(channel) ? 'ok' : await channels.state(actor, channel)
    if (state !== 'ok') return permanentFailure(channelRefusal(state, channel))
    if (!(await this.#claimDay(due))) return undefined
    const result = await this.#send(due, actor, post)
    this.#kind.count(result.kind)
    if (result.kind === 'refused' || result.kind === 'not-now') return failureOfResult(result)
    if (result.kind === 'unknown') await this.#reportUnconfirmed(due)
    else await this.#record(schedule, info.posted, 'on schedule')
    await this.#advance(due, changes)
    return undefined
  }

  /** Stores the day before the post is sent; false if another process was faster, or the schedule was changed. */
  async #claimDay({ schedule, slot }: DuePost): Promise<boolean> {
    const claimed = await this.#kind.rows.change(tenantKey(schedule.tenant), schedule.id, (current) =>
      getDueTime(current) === getDueTime(schedule) && current.postedDay === schedule.postedDay
        ? { ...current, postedDay: slot.day }
        : undefined,
    )
    return claimed !== undefined
  }

  #send(due: DuePost, actor: Actor, content: Answer): Promise<PostResult> {
    const { delivery, backgroundWebApi, now } = this.#services
    const isLate = now() - due.slot.at > SAID_LATE_AFTER_MS
    const late = isLate ? [context(`Late: scheduled for ${this.#formatSlot(due)}.`)] : []
    const change = context(`Change or delete this schedule: \`/${this.#kind.info.command} schedules\``)
    const message = attributed(content, actor.person.name, 'Scheduled', [...late, change])
    return delivery.send(message, actor.team, (form) =>
      postMessage(backgroundWebApi, actor.installation.botToken, due.schedule.channel, form.message),
    )
  }

  /** Changes the schedule unless someone has changed it since. */
  async #settle({ schedule, tenant }: DuePost, changes: Partial<Schedule>): Promise<boolean> {
    const settled = await this.#kind.rows.change(tenant, schedule.id, (current) =>
      getDueTime(current) === getDueTime(schedule) ? { ...current, ...changes } : undefined,
    )
    return settled !== undefined
  }

  /** Moves on to the next day, in the current time zone. */
  async #advance(due: DuePost, changes: Partial<Schedule> = {}): Promise<void> {
    const { schedule, slot } = due
    const next = nextSlot(schedule, await this.findZone(schedule), slot.day, this.#services.now())
    await this.#settle(due, { ...changes, due: next, retryAt: undefined })
  }

  async #skip(due: DuePost): Promise<void> {
    const { info, isMissed } = this.#kind
    if (isMissed(due)) {
      const planned = this.#formatSlot(due)
      await this.#record(due.schedule, `${info.post} missed`, `scheduled for ${planned}`)
      await this.#notify(
        due,
        `The ${info.post} scheduled for ${planned} in ${placeText(due.schedule.channel)} was skipped: it would have been more than a day late. The next one comes on schedule.`,
      )
    }
    await this.#advance(due)
  }

  async #stop(due: DuePost, { why, isOwnerOut }: PermanentFailure): Promise<void> {
    const { schedule, zone, slot } = due
    const { info } = this.#kind
    const text = `${capitalize(info.posts)} have stopped: ${scheduleText(schedule, zone)}. ${why} Turn them on again once that's fixed; connecting the account again does so, too.`
    const command = { id: 'schedules', text: 'Manage schedules', command: `/${info.command} schedules` }
    const id = `${schedule.tenant.teamId}/${schedule.id}/${slot.at}/stopped`
    // A job that runs again after the change would find nothing to do.
    await this.#services.notices.notifyOwner(schedule, { id, notice: { text, command }, isOwnerOut })
    const { postedDay } = schedule
    const changes = { stopped: { why }, due: undefined, retryAt: undefined, postedDay }
    if (await this.#settle(due, changes)) await this.#record(schedule, `${info.audit} stopped`, why)
  }

  async #reportUnconfirmed(due: DuePost): Promise<void> {
    const { info } = this.#kind
    const [planned, where] = [this.#formatSlot(due), placeText(due.schedule.channel)]
    await this.#record(due.schedule, info.posted, 'on schedule, not confirmed by Slack')
    await this.#notify(
      due,
      `The ${info.post} scheduled for ${planned} may be missing from ${where}: Slack didn't confirm it, so it wasn't sent again. Look there first, and post it again if it's missing.`,
    )
  }

  /** Notifies the owner with a button that makes up for the post. */
  #notify(due: DuePost, text: string): Promise<void> {
    const { id, tenant, owner } = due.schedule
    const noticeId = `${tenant.teamId}/${id}/${due.slot.day}/${owner}`
    const notice = { text, command: this.#kind.missedPostCommand(due) }
    return this.#services.notices.notify(tenant, [owner], noticeId, notice)
  }

  #record({ tenant, channel, owner }: Schedule, what: string, detail: string): Promise<void> {
    return this.#services.audit.recordInNameOf(owner, tenantKey(tenant), what, { channel, detail })
  }

  #formatSlot({ schedule, slot, zone }: DuePost): string {
    return dayTimeLabel(slot.day, schedule.time, localDay(zone, new Date(this.#services.now())))
  }
}
