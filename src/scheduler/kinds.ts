import { ACTIONS, VIEWS } from '../slack/blocks/action-ids.ts'
import type { ScheduleDay } from '../store/schedules.ts'

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
  /** The first and the last one are what the ids of several begin with. */
  readonly actions: Readonly<
    Record<'page' | 'new' | 'edit' | 'pause' | 'resume' | 'delete' | 'channel', string>
  >
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
    actions: {
      page: ACTIONS.schedulesPage,
      new: ACTIONS.scheduleNew,
      edit: ACTIONS.scheduleEdit,
      pause: ACTIONS.schedulePause,
      resume: ACTIONS.scheduleResume,
      delete: ACTIONS.scheduleDelete,
      channel: ACTIONS.scheduleChannel,
    },
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
    actions: {
      page: ACTIONS.reportSchedulesPage,
      new: ACTIONS.reportScheduleNew,
      edit: ACTIONS.reportScheduleEdit,
      pause: ACTIONS.reportSchedulePause,
      resume: ACTIONS.reportScheduleResume,
      delete: ACTIONS.reportScheduleDelete,
      channel: ACTIONS.reportScheduleChannel,
    },
    post: 'call report',
    posts: 'call reports',
    audit: { schedule: 'report schedule', posted: 'post report', missed: 'call report missed' },
    rhythms: ['daily', 'weekly', 'monthly'],
  },
}
