import type { Job } from '../../jobs/jobs.ts'
import { latestSlot, type Slot } from '../../scheduler/due-times.ts'
import type { DueJob } from '../../scheduler/scheduler.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { channelRefusal } from '../../slack/answers/channel-texts.ts'
import { describeFailure } from '../../slack/answers/error-texts.ts'
import type { Notice } from '../../slack/answers/notices.ts'
import { billingPost } from '../../slack/blocks/billing-post.ts'
import { context, type Message } from '../../slack/blocks/blocks.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import type { Schedule } from '../../store/schedules.ts'
import { scopedKey, type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { Billing } from '../../telephony/types.ts'
import { dayTimeLabel } from '../../time/instant-labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import type { Milliseconds } from '../../util/units.ts'
import { missedNotice, pausedNotice, unconfirmedNotice } from './notice-texts.ts'
import {
  type PermanentFailure,
  type PostFailure,
  permanentFailure,
  type SingleSender,
} from './single-sender.ts'

const minuteMs: Milliseconds = 60_000
/** A post that comes later than this says so. */
const lateAfterMs = 10 * minuteMs
/** What is older is not posted any more. */
const tooOldMs = 24 * 60 * minuteMs
const longestRetryMs = 30 * minuteMs

/** A schedule at the moment that it is due. */
interface DueSchedule {
  readonly job: DueJob
  readonly schedule: Schedule
  readonly tenant: TenantKey
  readonly zone: Zone
  readonly slot: Slot
}

/** A schedule for billing dates asks every day; only on such a day something is missing where nothing is posted. */
function isExpectedOn({ schedule, slot: { day } }: DueSchedule, billing?: Billing): boolean {
  if (schedule.day.kind !== 'billing-date') return true
  return day === billing?.nextBillingDay || day === schedule.billingDay
}

/** `undefined` for what is no failure of posting, such as a store that does not answer. */
function postFailure(error: unknown): PostFailure | undefined {
  const { kind, isPermanent, pauseText, retryAfterMs } = describeFailure(error)
  if (kind === 'error') return undefined
  return isPermanent
    ? permanentFailure(pauseText, kind === 'not-allowed')
    : { kind: 'transient', retryAfterMs }
}

/** A billing post as it goes out on schedule. @param name of whose schedule it is. Pure. */
export function scheduledMessage(billing: Billing, name: string, lateSince?: string): Message {
  const post = billingPost(billing, [])
  const late = lateSince === undefined ? [] : [context(`Late: planned for ${lateSince}.`)]
  return { text: post.text, blocks: [...post.blocks, attribution(name, 'Scheduled'), ...late] }
}

/**
 * Runs the job of a due schedule. Each due slot is posted at most once, whatever is killed when: where a post had left
 * but its arrival was not noted, it is not sent again, and its owner is told to look.
 */
export class Poster {
  readonly #services
  readonly #sender: SingleSender

  constructor(
    services: Pick<
      Services,
      | 'store'
      | 'scheduler'
      | 'workspaces'
      | 'guards'
      | 'channels'
      | 'telephony'
      | 'notices'
      | 'audit'
      | 'log'
      | 'now'
    >,
    sender: SingleSender,
  ) {
    this.#services = services
    this.#sender = sender
  }

  async run(one: Job): Promise<void> {
    const { store, scheduler, log, now } = this.#services
    const job = scheduler.readJob(one)
    const tenant = tenantKey(job.tenant)
    const schedule = await store.schedules.get(tenant, job.id)
    // Changed, paused or deleted since: another job is for what it is now.
    if (!schedule || schedule.paused || schedule.due !== job.due) return
    const zone = await scheduler.zoneOf(schedule)
    const slot = latestSlot(schedule, zone, new Date(now()))
    const due: DueSchedule = { job, schedule, tenant, zone, slot }
    if (now() - slot.at.getTime() > tooOldMs) return this.#giveUp(due)

    const failure = await this.#attempt(due).catch((error: unknown) => {
      const described = postFailure(error)
      if (!described) throw error
      log.info({ cause: error instanceof Error ? error.message : 'unknown' }, 'a billing post was not posted')
      return described
    })
    if (failure?.kind === 'permanent') await this.#pause(due, failure)
    if (failure?.kind === 'transient') await this.#postpone(due, failure.retryAfterMs)
  }

  /** Posts, or finds that there is nothing to post today. @returns what stood in the way */
  async #attempt(due: DueSchedule): Promise<PostFailure | undefined> {
    const { guards, telephony, workspaces, channels, scheduler } = this.#services
    const { schedule, tenant, slot } = due
    const actor = await guards.admit(schedule.tenant, schedule.owner, 'billing')
    const billing = await telephony.billing(await workspaces.account(tenant))
    const isExpected = isExpectedOn(due, billing)
    if (isExpected) {
      const state = await channels.state(actor, schedule.channel)
      if (state !== 'ok') return permanentFailure(channelRefusal(state, schedule.channel))
      const failure = await this.#post(due, actor, billing)
      if (failure) return failure
    }
    const { nextBillingDay } = billing
    await scheduler.advance(schedule, slot, {
      ...(typeof nextBillingDay === 'string' ? { billingDay: nextBillingDay } : {}),
      ...(isExpected ? { postedDay: slot.day } : {}),
    })
    return undefined
  }

  async #post(due: DueSchedule, actor: Actor, billing: Billing): Promise<PostFailure | undefined> {
    const { schedule, slot, tenant } = due
    const { id, channel, owner } = schedule
    const planned = this.#planned(due)
    const isLate = this.#services.now() - slot.at.getTime() > lateAfterMs
    const message = scheduledMessage(billing, actor.person.name, isLate ? planned : undefined)
    // The version before claimed the instant, and may be running still.
    const keys = [slot.day, String(slot.at.getTime())].map((name) => scopedKey(tenant, id, name))
    const result = await this.#sender.send(keys, actor.installation.botToken, channel, message)
    if (result === 'posted') await this.#record(due, 'post billing', 'on schedule')
    if (result === 'unknown') {
      await this.#record(due, 'post billing', 'on schedule, not confirmed by Slack')
      await this.#tell(due, owner, unconfirmedNotice(channel, planned))
    }
    return typeof result === 'string' ? undefined : result
  }

  async #pause(due: DueSchedule, { why, isOwnerOut }: PermanentFailure): Promise<void> {
    const { store, notices, workspaces } = this.#services
    const { tenant, schedule, zone, slot } = due
    const { id, owner, channel } = schedule
    const connector = isOwnerOut ? await workspaces.connectedBy(tenant) : undefined
    // Before it is paused: a job that runs again after that finds nothing to do.
    const people = [owner, ...(connector === undefined ? [] : [connector])] as const
    const noticeId = `${schedule.tenant.teamId}/${id}/${slot.at.getTime()}/paused`
    await notices.tellOneOf(schedule.tenant, people, channel, noticeId, pausedNotice(schedule, zone, why))
    const paused = await store.schedules.change(tenant, id, (current) =>
      current.due === schedule.due ? { ...current, paused: { why } } : undefined,
    )
    if (paused) await this.#record(due, 'schedule paused', why)
  }

  async #postpone(due: DueSchedule, retryAfterMs: Milliseconds | undefined): Promise<void> {
    const { scheduler, now } = this.#services
    const { job, slot } = due
    const wait = retryAfterMs ?? Math.min(minuteMs * 2 ** job.attempt, longestRetryMs)
    if (now() + wait - slot.at.getTime() > tooOldMs) return this.#giveUp(due)
    await scheduler.retry(job, new Date(now() + wait))
  }

  async #giveUp(due: DueSchedule): Promise<void> {
    const { schedule, slot } = due
    if (isExpectedOn(due)) {
      const planned = this.#planned(due)
      await this.#record(due, 'billing post missed', `planned for ${planned}`)
      await this.#tell(due, schedule.owner, missedNotice(schedule.channel, planned))
    }
    await this.#services.scheduler.advance(schedule, slot)
  }

  /** When it was planned for: `15 Dec, 09:00`. */
  #planned({ schedule, slot, zone }: DueSchedule): string {
    return dayTimeLabel(slot.day, schedule.time, localDay(zone, new Date(this.#services.now())))
  }

  #tell({ schedule, slot }: DueSchedule, person: string, notice: Notice): Promise<void> {
    const id = `${schedule.tenant.teamId}/${schedule.id}/${slot.at.getTime()}/${person}`
    return this.#services.notices.tell(schedule.tenant, person, id, notice)
  }

  #record({ tenant, schedule }: DueSchedule, what: string, detail: string): Promise<void> {
    const { channel, owner } = schedule
    return this.#services.audit.recordInNameOf(owner, tenant, what, `channel ${channel}, ${detail}`)
  }
}
