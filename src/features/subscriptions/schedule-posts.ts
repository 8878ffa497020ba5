import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { FAIR_LIMITS, type Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage } from '../../slack/api/messages.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { type Answer, appendBlocks } from '../../slack/deliver/answers.ts'
import * as failures from '../../slack/deliver/failures.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { tenantKey, workspaceSchema } from '../../store/tenant.ts'
import { dayTimeLabel, localDay, type Zone } from '../../time/zones.ts'
import { capitalize } from '../../util/text.ts'
import { dayMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import * as dueTimes from './due-times.ts'
import { type DuePost, isExpected, type ScheduleKind } from './kind.ts'
import { getDueTime, type Schedule } from './schedule.ts'
import { nameSchedule } from './view.ts'

const MARKED_LATE_AFTER_MS: Milliseconds = 10 * minuteMs
const MAX_LATE_MS = dayMs
const MIN_RETRY_MS = minuteMs
const MAX_RETRY_MS = 30 * minuteMs
/** The record of a younger row may not be written yet: a database gives up sooner. */
const DROP_ROW_AFTER_MS = 2 * minuteMs

const dueJobSchema = z.object({ workspace: workspaceSchema, id: z.string(), at: z.number() })
type DueJob = Job<z.infer<typeof dueJobSchema>>

/** Returns the time zone of the channel that a schedule posts to. @throws {StoreError} */
export async function readZone({ workspaces }: Services, { workspace, channel }: Schedule): Promise<Zone> {
  const { zone } = await workspaces.findZone(tenantKey(workspace), channel)
  return zone
}

const hasSameDueTime = (current: Schedule, schedule: Schedule): boolean =>
  getDueTime(current) === getDueTime(schedule)

/**
 * Posts at most once a day for each schedule. Index rows and jobs may be out of date: only the record's due time counts.
 * A tick enqueues one job for each due record. Every method @throws {StoreError}.
 */
export class SchedulePosts {
  readonly #services
  readonly #kind
  readonly #queue

  constructor(services: Services, kind: ScheduleKind) {
    this.#services = services
    this.#kind = kind
    this.#queue = { name: kind.queue, schema: dueJobSchema, perTenant: FAIR_LIMITS.perTenant }
  }

  backgroundRoutes(): Pick<FeatureRoutes, 'jobs' | 'background'> {
    const { concurrency } = FAIR_LIMITS
    return {
      jobs: [{ queue: this.#queue, concurrency, handle: (job: DueJob, ending) => this.#run(job, ending) }],
      background: [(stopping) => this.#keepTicking(stopping)],
    }
  }

  async #keepTicking(stopping: AbortSignal): Promise<void> {
    const { now, scheduleTickMs } = this.#services
    while (!stopping.aborted) {
      await this.#enqueueDue()
      const waitMs = scheduleTickMs - (now() % scheduleTickMs)
      // Rejects once the process stops, which ends the loop.
      await sleep(waitMs, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  async #enqueueDue(): Promise<void> {
    const { jobs, now } = this.#services
    const { rows } = this.#kind
    for await (const { workspace, id, key, at } of rows.findDue(now())) {
      const schedule = await rows.get(tenantKey(workspace), id)
      const isDue = schedule !== undefined && getDueTime(schedule) === at
      if (isDue) await jobs.enqueue(this.#queue, key, { workspace, id, at }, new Date(now()))
      else if (now() - at > DROP_ROW_AFTER_MS) await rows.dropDue(key)
    }
  }

  async #run({ data }: DueJob, ending: AbortSignal): Promise<void> {
    const { now } = this.#services
    const tenant = tenantKey(data.workspace)
    const schedule = await this.#kind.rows.get(tenant, data.id)
    if (!schedule?.due || getDueTime(schedule) !== data.at) return
    const { due: planned, postedDay } = schedule
    const zone = await readZone(this.#services, schedule)
    // The process that claimed the day, maybe a later one than planned, was killed while it sent the post.
    const wasInterrupted = postedDay !== undefined && postedDay >= planned.day
    if (wasInterrupted) {
      const interrupted = { schedule, tenant, zone, slot: { day: postedDay, at: planned.at } }
      await this.#reportUnconfirmed(interrupted)
      await this.#advance(interrupted)
      return
    }
    const slot = dueTimes.findLatestDueSlot(schedule, planned, zone, now())
    const due = { schedule, tenant, zone, slot }
    const lateMs = now() - slot.at
    if (lateMs > MAX_LATE_MS) {
      if (isExpected(due)) await this.#reportSkipped(due)
      await this.#advance(due)
      return
    }
    const failure = await this.#tryPost(due, ending)
    if (failure?.isPermanent) await this.#stop(due, failure)
    else if (failure) await this.#retryLater(due, failure, lateMs)
  }

  /** Throws errors that have no explanation for people, so that the job runs again. */
  async #tryPost(due: DuePost, ending: AbortSignal): Promise<failures.SubscriptionFailure | undefined> {
    try {
      return await this.#post(due, ending)
    } catch (error) {
      const failure = ending.aborted ? undefined : failures.toSubscriptionFailure(error)
      if (!failure) throw error
      this.#services.log.info({ err: error, tenant: due.tenant }, 'scheduled post failed')
      return failure
    }
  }

  async #retryLater(due: DuePost, { retryAfterMs }: failures.SubscriptionFailure, lateMs: Milliseconds) {
    const waitMs = retryAfterMs ?? Math.min(Math.max(lateMs / 2, MIN_RETRY_MS), MAX_RETRY_MS)
    const retryAt = Math.ceil(this.#services.now() + waitMs)
    // Frees the day that was claimed: `schedule` was read before.
    await this.#changeUnlessEdited(due, { postedDay: due.schedule.postedDay, retryAt })
  }

  /** Returns why nothing can be posted; undefined if nothing is left to do. */
  async #post(due: DuePost, ending: AbortSignal): Promise<failures.SubscriptionFailure | undefined> {
    const { background, metrics, workspaces } = this.#services
    const { guards, channels } = background
    const { workspace, owner, channel } = due.schedule
    // Throws while the account is unreadable. Otherwise, `admit` would refuse who connected it, and stop the schedule for good.
    await workspaces.getAccount(due.tenant)
    const actor = await guards.admit(workspace, owner, this.#kind.info.needs, { afresh: true })
    const { post, changes } = await this.#kind.load(due, ending)
    if (!post) {
      await this.#advance(due, changes)
      return undefined
    }
    if (!blocks.isPersonId(channel)) {
      const state = await channels.getState(actor, channel)
      if (state !== 'ok') return { why: failures.channelRefusal(state, channel), isPermanent: true }
    }
    const isClaimed = await this.#claimDay(due)
    if (!isClaimed) return undefined
    const result = await this.#send(due, actor, post)
    metrics.count(this.#kind.info.metric, { how: 'scheduled', outcome: result.kind })
    if (result.kind === 'refused' || result.kind === 'not-now') return failures.notPostedFailure(result)
    if (result.kind === 'unknown') await this.#reportUnconfirmed(due)
    else await this.#record(due.schedule, this.#kind.info.posted, 'on schedule')
    await this.#advance(due, changes)
    return undefined
  }

  /** Stores the day before the post is sent. Returns false if another process was faster, or the due time was changed. */
  async #claimDay({ schedule, tenant, slot }: DuePost): Promise<boolean> {
    const claimed = await this.#kind.rows.change(tenant, schedule.id, (current) => {
      const isUnclaimed = current.postedDay === schedule.postedDay && hasSameDueTime(current, schedule)
      return isUnclaimed ? { ...current, postedDay: slot.day } : undefined
    })
    return claimed !== undefined
  }

  #send(due: DuePost, actor: Actor, post: Answer): Promise<PostResult> {
    const { delivery, backgroundWebApi, now } = this.#services
    const notes = [blocks.attribution(actor.person.name, 'Scheduled')]
    if (now() - due.slot.at > MARKED_LATE_AFTER_MS)
      notes.push(blocks.context(`Late: scheduled for ${this.#formatSlot(due)}.`))
    notes.push(blocks.context(`Change or delete this schedule: \`/${this.#kind.info.command} schedules\``))
    const { botToken } = actor.installation
    return delivery.send(appendBlocks(post, notes), actor.workspace, ({ message }) =>
      postMessage(backgroundWebApi, botToken, due.schedule.channel, message),
    )
  }

  /** Returns false, and changes nothing, if the schedule has another due time by now. */
  async #changeUnlessEdited({ schedule, tenant }: DuePost, changes: Partial<Schedule>): Promise<boolean> {
    const changed = await this.#kind.rows.change(tenant, schedule.id, (current) =>
      hasSameDueTime(current, schedule) ? { ...current, ...changes } : undefined,
    )
    return changed !== undefined
  }

  async #advance(due: DuePost, changes: Partial<Schedule> = {}): Promise<void> {
    const { schedule, slot } = due
    // The zone may have changed while the post was loaded and sent.
    const zone = await readZone(this.#services, schedule)
    const next = dueTimes.findSlotAfterDay(schedule, zone, slot.day, this.#services.now())
    await this.#changeUnlessEdited(due, { ...changes, due: next, retryAt: undefined })
  }

  async #stop(due: DuePost, failure: failures.SubscriptionFailure): Promise<void> {
    const { schedule, zone, slot } = due
    const { why } = failure
    const { post, audit, command } = this.#kind.info
    const text = `${capitalize(post)}s have stopped: ${nameSchedule(schedule, zone)}. ${why} Turn them on again once that's fixed; reconnecting the account does that, too.`
    const manage = { id: 'schedules', text: 'Manage schedules', command: `/${command} schedules` }
    const noticeId = `${schedule.workspace.teamId}/${schedule.id}/${slot.at}/stopped`
    // Notifies first: a job that runs again after the change would find nothing to do.
    await this.#services.notices.notifyOwner(schedule, noticeId, { text, command: manage }, failure)
    const { postedDay } = schedule
    // Frees the day that was claimed: `schedule` was read before.
    const changes = { stopped: { why }, due: undefined, retryAt: undefined, postedDay }
    const isStopped = await this.#changeUnlessEdited(due, changes)
    if (isStopped) await this.#record(schedule, `stopped ${audit}`, why)
  }

  async #reportSkipped(due: DuePost): Promise<void> {
    const { post } = this.#kind.info
    await this.#record(due.schedule, `skipped the ${post}`, `scheduled for ${this.#formatSlot(due)}`)
    const outcome = 'was skipped: it would have been more than a day late. The next one comes on schedule.'
    await this.#notifyOwner(due, outcome)
  }

  async #reportUnconfirmed(due: DuePost): Promise<void> {
    await this.#record(due.schedule, this.#kind.info.posted, 'on schedule, not confirmed by Slack')
    const outcome =
      "may be missing: Slack didn't confirm it, so it wasn't sent again. Look there first, and post it again if it's missing."
    await this.#notifyOwner(due, outcome)
  }

  /** @param outcome predicate of a sentence about the post */
  async #notifyOwner(due: DuePost, outcome: string): Promise<void> {
    const { id, workspace, owner, channel } = due.schedule
    const name = `${this.#kind.info.post} scheduled for ${this.#formatSlot(due)} in ${blocks.conversationText(channel)}`
    const notice = { text: `The ${name} ${outcome}`, command: this.#kind.info.showCommand }
    const noticeId = `${workspace.teamId}/${id}/${due.slot.day}/${owner}`
    await this.#services.notices.notify(workspace, [owner], noticeId, notice)
  }

  #record({ workspace, channel, owner }: Schedule, what: string, detail: string): Promise<void> {
    const author = { person: { id: owner }, tenant: tenantKey(workspace) }
    return this.#services.audit.record(author, what, { channel, detail, isAutomatic: true })
  }

  #formatSlot({ schedule, slot, zone }: DuePost): string {
    return dayTimeLabel(slot.day, schedule.time, localDay(zone, new Date(this.#services.now())))
  }
}
