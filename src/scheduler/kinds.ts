import type { ScheduleDay } from '../store/schedules.ts'
import { capital } from '../util/text.ts'
import { type PlannedInfo, plannedActions } from './planned.ts'

export type KindName = 'billing' | 'report'

/** By what one kind of schedule is told from the other wherever it is shown: rights, ids and words. */
export interface KindInfo extends PlannedInfo {
  readonly name: KindName
  /** In the middle of a sentence. */
  readonly post: string
  readonly posts: string
  /** In the audit log. */
  readonly posted: string
  readonly missed: string
  /** Those that the form offers, in its order. */
  readonly rhythms: readonly ScheduleDay['kind'][]
}

/** What is common to scheduled posts of each kind. @param prefix of its ids */
function infoOf(
  prefix: string,
  own: Pick<KindInfo, 'name' | 'needs' | 'command' | 'post' | 'audit' | 'posted' | 'rhythms'> & {
    readonly perPage: number
    readonly hasPreview: boolean
  },
): KindInfo {
  const { perPage, hasPreview, command, post, ...more } = own
  const posts = `${post}s`
  return {
    ...more,
    command,
    post,
    posts,
    missed: `${post} missed`,
    word: 'schedule',
    longWord: 'schedule',
    form: prefix,
    ...(hasPreview ? { preview: `${prefix}.preview` } : {}),
    title: `Schedule ${posts}`,
    actions: plannedActions(prefix),
    consequence: `No more ${posts} come from it.`,
    list: {
      title: `Scheduled ${posts}`,
      perPage,
      none: `No ${posts} are scheduled yet.`,
      counted: (count) => `Scheduled ${posts}: ${count}.`,
      hint: 'A post that would come more than a day late is skipped.',
    },
    home: {
      section: 'Scheduled posts',
      prefix: `${capital(posts)}: `,
      new: `Schedule ${posts}…`,
      manage: { id: `${command}-schedules`, text: `Manage ${posts}` },
    },
  }
}

export const kindInfos: Readonly<Record<KindName, KindInfo>> = {
  billing: infoOf('billing.schedule', {
    name: 'billing',
    needs: 'billing',
    command: 'billing',
    post: 'billing post',
    audit: 'schedule',
    posted: 'post billing',
    // Versions that know billing posts alone know no other rhythm.
    rhythms: ['billing-date', 'monthly', 'weekly'],
    perPage: 7,
    hasPreview: false,
  }),
  report: infoOf('calls.schedule', {
    name: 'report',
    needs: 'calls',
    command: 'calls',
    post: 'call report',
    audit: 'report schedule',
    posted: 'post report',
    rhythms: ['daily', 'weekly', 'monthly'],
    perPage: 5,
    hasPreview: true,
  }),
}
