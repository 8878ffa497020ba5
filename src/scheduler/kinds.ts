import { z } from 'zod'
import { action } from '../slack/blocks/action.ts'
import { VIEWS } from '../slack/blocks/action-ids.ts'
import type { ScheduleDay } from '../store/schedules.ts'

/** For a workspace, of each kind. */
export const MOST_SCHEDULES = 50

const page = z.number().int().min(1).max(MOST_SCHEDULES)
/** A schedule, and the page of the list that the button is in; 1 where it is in none. */
const ofSchedule = z.strictObject({ id: z.string().max(40), page })

/** What can be done with the schedules of one kind. */
const actionsOf = (prefix: string) => ({
  page: action(`${prefix}s.page.`, z.strictObject({ page })),
  /** Without a page: it is in no list. */
  new: action(`${prefix}.new`, z.strictObject({ page: page.optional() })),
  edit: action(`${prefix}.edit`, ofSchedule),
  pause: action(`${prefix}.pause`, ofSchedule),
  resume: action(`${prefix}.resume`, ofSchedule),
  delete: action(`${prefix}.delete`, ofSchedule),
  /** The choice of a channel in the form. */
  channel: action(`${prefix}.channel`),
})

export type KindName = 'billing' | 'report'

/** By what one kind of schedule is told from the other wherever it is shown: rights, ids and words. */
export interface KindInfo {
  readonly name: KindName
  /** What its routes need, and whoever's schedule it is. */
  readonly needs: 'billing' | 'calls'
  /** Without the slash: `/billing schedule`, `/calls schedules`. */
  readonly command: 'billing' | 'calls'
  /** The form's callback id. */
  readonly form: string
  /** That of what is shown before it is saved. */
  readonly preview?: string
  readonly actions: ReturnType<typeof actionsOf>
  /** In the middle of a sentence. */
  readonly post: string
  readonly posts: string
  /** In the audit log: what is done to a schedule begins with the first. */
  readonly audit: { readonly schedule: string; readonly posted: string; readonly missed: string }
  /** Those that the form offers, in its order. */
  readonly rhythms: readonly ScheduleDay['kind'][]
}

export const kindInfos: Readonly<Record<KindName, KindInfo>> = {
  billing: {
    name: 'billing',
    needs: 'billing',
    command: 'billing',
    form: VIEWS.schedule,
    actions: actionsOf('billing.schedule'),
    post: 'billing post',
    posts: 'billing posts',
    audit: { schedule: 'schedule', posted: 'post billing', missed: 'billing post missed' },
    // Versions that know billing posts alone know no other rhythm.
    rhythms: ['billing-date', 'monthly', 'weekly'],
  },
  report: {
    name: 'report',
    needs: 'calls',
    command: 'calls',
    form: VIEWS.reportSchedule,
    preview: VIEWS.reportSchedulePreview,
    actions: actionsOf('calls.schedule'),
    post: 'call report',
    posts: 'call reports',
    audit: { schedule: 'report schedule', posted: 'post report', missed: 'call report missed' },
    rhythms: ['daily', 'weekly', 'monthly'],
  },
}
