import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import { latestSlot } from '../../scheduler/due-times.ts'
import { instantText, scheduleText } from '../../scheduler/schedule-text.ts'
import type { DueJob, Planner } from '../../scheduler/scheduler.ts'
import type { Audit } from '../../slack/access/audit.ts'
import type { Guards, Visitor } from '../../slack/access/guards.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import type { Notices } from '../../slack/answers/notices.ts'
import { type Channels, channelRefusal } from '../../slack/api/channels.ts'
import { attribution, context, type Message } from '../../slack/blocks/blocks.ts'
import type { Schedule } from '../../store/schedules.ts'
import type { Store } from '../../store/store.ts'
import { scopedKey, type TenantKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import type { Billing } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { postMessage } from '../billing/post.ts'
import { type ForGood, forGood, judge, type Verdict } from './failures.ts'
import type { createSendOnce } from './send-once.ts'

export interface PosterDeps {
  readonly store: Pick<Store, 'schedules' | 'credentials'>
  readonly planner: Planner
  readonly workspace: Workspace
  readonly telephony: TelephonyClient
  readonly guards: Guards
  readonly channels: Channels
  readonly sendOnce: ReturnType<typeof createSendOnce>
  readonly notices: Notices
  readonly audit: Audit
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
}

const dueJob = z.object({
  tenant: tenantRecord,
  id: z.string(),
  due: z.number(),
  attempt: z.number(),
})

const minuteMs = 60_000
/** A post that comes later than this says so. */
const lateAfterMs = 10 * minuteMs
/** What is older is not posted any more. */
const tooOldMs = 24 * 60 * minuteMs

/** A schedule at the moment that it is due. */
interface Turn {
  readonly job: DueJob
  readonly schedule: Schedule
  readonly tenant: TenantKey
  readonly zone: Zone
  readonly slot: Date
}

/** A billing post as it goes out on schedule. Pure. */
function scheduledMessage(billing: Billing, owner: string, lateSince?: string): Message {
  const post = postMessage(billing, [])
  const late = lateSince === undefined ? [] : [context(`Planned for ${lateSince}; posted late.`)]
  return { text: post.text, blocks: [...post.blocks, attribution(owner, 'Scheduled'), ...late] }
}

/**
 * Runs the job of a due schedule. Each due slot is posted at most once, whatever is killed when: where a post had left
 * but its arrival was not noted, it is not sent again, and its owner is told to look.
 */
export function createPoster(deps: PosterDeps): (job: Job) => Promise<void> {
  const { store, planner, workspace, telephony, guards, channels, sendOnce, notices, audit, log, now } = deps

  const tell = ({ schedule, slot }: Turn, person: string, text: string) => {
    const id = `${schedule.tenant.teamId}/${schedule.id}/${slot.getTime()}/${person}`
    return notices.tell(schedule.tenant, person, id, { text })
  }

  const note = ({ tenant, schedule }: Turn, what: string, detail: string) =>
    audit.note({ tenant, who: schedule.owner }, what, `channel ${schedule.channel}, ${detail}`)

  async function pause(turn: Turn, { why, isOwnerOut }: ForGood): Promise<void> {
    const { tenant, schedule, zone } = turn
    const text = `The scheduled billing post for ${scheduleText(schedule, zone)} could not be posted and is paused. ${why} When that is mended, \`/billing schedules\` resumes it.`
    const connector = isOwnerOut ? (await store.credentials.get(tenant))?.connectedBy : undefined
    // Before it is paused: a job that runs again after that finds nothing to do.
    for (const person of new Set([schedule.owner, connector ?? schedule.owner]))
      await tell(turn, person, text)
    const paused = await store.schedules.change(tenant, schedule.id, (current) =>
      current.due === schedule.due ? { ...current, paused: { why } } : undefined,
    )
    if (paused) await note(turn, 'schedule paused', why)
  }

  async function giveUp(turn: Turn, isExpected: boolean): Promise<void> {
    if (isExpected) {
      const { schedule, zone, slot } = turn
      const planned = instantText(zone, slot)
      await note(turn, 'billing post missed', `planned for ${planned}`)
      const text = `The billing post planned for ${planned} in <#${schedule.channel}> is more than a day late and was left out. \`/billing post\` posts it by hand; the next one comes as planned.`
      await tell(turn, schedule.owner, text)
    }
    await planner.advance(turn.schedule)
  }

  async function putOff(turn: Turn, retryAfterMs: number | undefined): Promise<void> {
    const { job, slot } = turn
    const wait = retryAfterMs ?? Math.min(minuteMs * 2 ** job.attempt, 30 * minuteMs)
    if (now() + wait - slot.getTime() > tooOldMs) return giveUp(turn, isExpectedOn(turn))
    await planner.again(job, new Date(now() + wait))
  }

  /** A schedule for billing dates asks every day; only on such a day something is missing where nothing is posted. */
  function isExpectedOn({ schedule, zone, slot }: Turn, billing?: Billing): boolean {
    if (schedule.day.kind !== 'billing-date') return true
    const day = localDay(zone, slot)
    return day === billing?.nextBillingDay || day === schedule.billingDay
  }

  async function post(turn: Turn, visitor: Visitor, billing: Billing): Promise<Verdict | undefined> {
    const { schedule, slot, zone, tenant } = turn
    const { id, channel, owner } = schedule
    const planned = instantText(zone, slot)
    const isLate = now() - slot.getTime() > lateAfterMs
    const message = scheduledMessage(billing, owner, isLate ? planned : undefined)
    const key = scopedKey(tenant, id, String(slot.getTime()))
    const sent = await sendOnce(key, visitor.installation.botToken, channel, message)
    if (sent === 'posted') await note(turn, 'post billing', 'on schedule')
    if (sent === 'unknown') {
      await note(turn, 'post billing', 'on schedule, not confirmed by Slack')
      const text = `The billing post planned for ${planned} may be in <#${channel}>, or not: Callboard was cut off while it was sent. Look there, and write \`/billing post\` if it is missing.`
      await tell(turn, owner, text)
    }
    return typeof sent === 'string' ? undefined : sent
  }

  /** Posts, or finds that there is nothing to post today. @returns what stood in the way */
  async function attempt(turn: Turn): Promise<Verdict | undefined> {
    const { schedule, tenant } = turn
    const visitor = await guards.admit(schedule.tenant, schedule.owner, 'billing')
    const billing = await telephony.billing(await workspace.account(tenant))
    if (isExpectedOn(turn, billing)) {
      const state = await channels.state(visitor.installation, schedule.channel)
      if (state !== 'ok') return forGood(channelRefusal(state, schedule.channel))
      const verdict = await post(turn, visitor, billing)
      if (verdict) return verdict
    }
    const { nextBillingDay } = billing
    await planner.advance(schedule, typeof nextBillingDay === 'string' ? { billingDay: nextBillingDay } : {})
    return undefined
  }

  return async ({ data }) => {
    const job = dueJob.parse(data)
    const tenant = tenantKey(job.tenant)
    const schedule = await store.schedules.get(tenant, job.id)
    // Changed, paused or deleted since: another job is for what it is now.
    if (!schedule || schedule.paused || schedule.due !== job.due) return
    const zone = await planner.zoneOf(schedule)
    const turn: Turn = { job, schedule, tenant, zone, slot: latestSlot(schedule, zone, new Date(now())) }
    if (now() - turn.slot.getTime() > tooOldMs) return giveUp(turn, isExpectedOn(turn))

    const verdict = await attempt(turn).catch((error: unknown) => {
      const judged = judge(error)
      if (!judged) throw error
      log.info({ cause: error instanceof Error ? error.message : 'unknown' }, 'a billing post was not posted')
      return judged
    })
    if (verdict?.kind === 'for-good') await pause(turn, verdict)
    if (verdict?.kind === 'passing') await putOff(turn, verdict.retryAfterMs)
  }
}
