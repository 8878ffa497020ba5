import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { time } from '../../slack/forms/fields.ts'
import { createField, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import type { Muted } from '../../store/alerts.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { capitalize } from '../../util/text.ts'
import * as dueTimes from './due-times.ts'
import type { Draft, ScheduleKind, SubscriptionKind, SubscriptionRow } from './kind.ts'
import { allRhythms, type Schedule, type ScheduleOptions } from './schedule.ts'
import { readZone, SchedulePosts } from './schedule-posts.ts'
import { describeRhythm, toScheduleRow, zoneHint } from './view.ts'

/** Lists, creates and edits schedules, and plans their next posts. Every method @throws {StoreError}. */
export class Schedules implements SubscriptionKind<Schedule, ScheduleOptions> {
  readonly info
  readonly rows
  readonly #services
  readonly #kind
  readonly #posts

  constructor(services: Services, kind: ScheduleKind) {
    this.info = kind.info
    this.rows = kind.rows
    this.#services = services
    this.#kind = kind
    this.#posts = new SchedulePosts(services, kind)
    services.workspaces.on('zone', (tenant) => this.#followZones(tenant))
    services.workspaces.on('connect', (tenant) => this.#resume(tenant))
  }

  /** Sorts by due time. Schedules that post nothing come last. */
  async list(tenant: TenantKey): Promise<readonly SubscriptionRow[]> {
    const getSortTime = ({ due }: Schedule) => due?.at ?? Number.MAX_VALUE
    const schedules = await this.rows.all(tenant)
    const sorted = schedules.toSorted((a, b) => getSortTime(a) - getSortTime(b))
    const readRow = async (schedule: Schedule) => {
      const zone = await readZone(this.#services, schedule)
      return toScheduleRow(schedule, zone, this.#services.now())
    }
    return Promise.all(sorted.map(readRow))
  }

  async describe(schedule: Schedule): Promise<string> {
    return describeRhythm(schedule)
  }

  async inputs(_tenant: TenantKey, record?: Schedule): Promise<readonly types.InputBlock[]> {
    return this.#createForm(record).buildInputs()
  }

  read(view: ViewPayload) {
    return this.#createForm().read(view)
  }

  #createForm(schedule?: Schedule) {
    const { rhythms } = this.info
    const options = rhythms.map((rhythm) => blocks.option(capitalize(allRhythms[rhythm].text), rhythm))
    return new Form({
      rhythm: createField({
        label: 'Repeat',
        schema: z.enum(rhythms),
        element: (id) => blocks.select(id, options, { value: schedule?.rhythm ?? rhythms[0] }),
      }),
      time: time('Time', schedule?.time ?? '09:00', { hint: zoneHint }),
      ...this.#kind.fields(schedule),
    })
  }

  async make(draft: Draft<ScheduleOptions>, before?: Schedule): Promise<Schedule> {
    const details = await this.#kind.readDetails?.(tenantKey(draft.workspace), draft)
    const schedule: Schedule = { ...before, ...draft, ...details, stopped: undefined }
    // For a new schedule, too. Another channel may be in another time zone, and hasn't seen the last bill.
    if (before?.channel !== draft.channel) return this.#plan({ ...schedule, postedBill: undefined })
    const hasSameTime = before.rhythm === draft.rhythm && before.time === draft.time
    if (before.due && hasSameTime) return schedule
    return this.#plan(schedule)
  }

  mute(schedule: Schedule, muted: Muted): Promise<Schedule> {
    return this.#plan({ ...schedule, muted })
  }

  turnOn(schedule: Schedule, owner: string): Promise<Schedule> {
    return this.#plan({ ...schedule, owner, muted: undefined, stopped: undefined })
  }

  backgroundRoutes(): Pick<FeatureRoutes, 'jobs' | 'background'> {
    return this.#posts.backgroundRoutes()
  }

  async #plan(schedule: Schedule): Promise<Schedule> {
    const zone = await readZone(this.#services, schedule)
    const due = dueTimes.planSlot(schedule, zone, this.#services.now())
    return { ...schedule, due, retryAt: undefined }
  }

  /** Resumes stopped schedules after an account was connected: most stop because of it, and others stop again. */
  #resume(tenant: TenantKey): Promise<void> {
    return this.#changeAll(tenant, async (schedule) => {
      // The account may be another one, so its bill isn't compared with the last post.
      const resumed = { ...schedule, postedBill: undefined, stopped: undefined }
      return schedule.stopped ? this.#plan(resumed) : resumed
    })
  }

  /** Keeps each schedule on its planned day after a change of time zones. */
  #followZones(tenant: TenantKey): Promise<void> {
    return this.#changeAll(tenant, async (schedule) => {
      const { due, muted } = schedule
      const now = this.#services.now()
      // Doesn't move a post that is already due.
      if (!due || due.at <= now) return undefined
      const zone = await readZone(this.#services, schedule)
      const slot = dueTimes.findSlotOnDay(schedule, zone, due.day, now)
      const isMutedThen = muted?.until !== undefined && slot.at < muted.until
      if (isMutedThen) return this.#plan(schedule)
      return slot.at === due.at ? undefined : { ...schedule, due: slot }
    })
  }

  async #changeAll(tenant: TenantKey, change: (schedule: Schedule) => Promise<Schedule | undefined>) {
    for (const { id } of await this.rows.all(tenant)) await this.rows.change(tenant, id, change)
  }
}
