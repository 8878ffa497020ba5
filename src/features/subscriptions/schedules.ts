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
    // Resumes stopped schedules: most stop because of the account, and others stop again. The account may be another
    // one, so its bill isn't compared with the last post.
    services.workspaces.on('connect', (tenant) =>
      this.#changeAll(tenant, async ({ stopped, postedBill: _, ...schedule }) => {
        return stopped ? this.#plan(schedule) : schedule
      }),
    )
  }

  /** Sorts by due time. Schedules that post nothing come last. */
  async list(tenant: TenantKey): Promise<readonly SubscriptionRow[]> {
    const getDueAt = ({ due }: Schedule) => due?.at ?? Number.MAX_VALUE
    const schedules = await this.rows.all(tenant)
    const sorted = schedules.toSorted((a, b) => getDueAt(a) - getDueAt(b))
    const toRow = async (schedule: Schedule) =>
      toScheduleRow(schedule, await readZone(this.#services, schedule), this.#services.now())
    return Promise.all(sorted.map(toRow))
  }

  async describe(schedule: Schedule): Promise<string> {
    return describeRhythm(schedule)
  }

  async inputs(_tenant: TenantKey, record?: Schedule): Promise<readonly types.InputBlock[]> {
    return this.#createForm(record).inputs()
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
    const changed: Schedule = { ...before, ...draft, ...details, stopped: undefined }
    const isSameChannel = before?.channel === draft.channel
    if (!isSameChannel) changed.postedBill = undefined
    const hasSameTime = isSameChannel && before.rhythm === draft.rhythm && before.time === draft.time
    return before?.due && hasSameTime ? changed : this.#plan(changed)
  }

  mute(schedule: Schedule, muted: Muted): Promise<Schedule> {
    return this.#plan({ ...schedule, muted })
  }

  turnOn(schedule: Schedule, owner: string): Promise<Schedule> {
    return this.#plan({ ...schedule, owner, muted: undefined, stopped: undefined })
  }

  work(): Pick<FeatureRoutes, 'jobs' | 'background'> {
    return this.#posts.work()
  }

  async #plan(schedule: Schedule): Promise<Schedule> {
    const due = dueTimes.planSlot(schedule, await readZone(this.#services, schedule), this.#services.now())
    return { ...schedule, due, retryAt: undefined }
  }

  /** Keeps each schedule on its planned day after a change of time zones. */
  #followZones(tenant: TenantKey): Promise<void> {
    return this.#changeAll(tenant, async (schedule) => {
      const { due, muted } = schedule
      const now = this.#services.now()
      // Doesn't move a post that is already due.
      if (!due || due.at <= now) return undefined
      const slot = dueTimes.findSlotOn(schedule, await readZone(this.#services, schedule), due.day, now)
      if (slot.at < (muted?.until ?? 0)) return this.#plan(schedule)
      return slot.at === due.at ? undefined : { ...schedule, due: slot }
    })
  }

  async #changeAll(
    tenant: TenantKey,
    change: (schedule: Schedule) => Promise<Schedule | undefined>,
  ): Promise<void> {
    for (const { id } of await this.rows.all(tenant)) await this.rows.change(tenant, id, change)
  }
}
