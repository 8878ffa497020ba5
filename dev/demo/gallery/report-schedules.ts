import {
  noPreview,
  previewInWords,
  reportForm,
  silentPreview,
} from '../../../src/features/reports/schedule-form.ts'
import { postedReport, reportInWords } from '../../../src/features/reports/view.ts'
import { previewTexts, slowTexts } from '../../../src/features/schedules/form-routes.ts'
import { pausedNote, savedText, schedulesMessage } from '../../../src/features/schedules/list.ts'
import { scheduleModal, titleOf } from '../../../src/features/schedules/modal.ts'
import {
  missedNotice,
  pausedNotice,
  unconfirmedNotice,
} from '../../../src/features/schedules/notice-texts.ts'
import { scheduledPost } from '../../../src/features/schedules/poster.ts'
import { previewModal } from '../../../src/features/schedules/preview-modal.ts'
import { noWeekdayText } from '../../../src/features/schedules/rhythms.ts'
import { slotAfter } from '../../../src/scheduler/due-times.ts'
import { kindInfos } from '../../../src/scheduler/kinds.ts'
import type { ScheduleWithZone } from '../../../src/scheduler/scheduler.ts'
import type { Block } from '../../../src/slack/blocks/blocks.ts'
import { channelRefusal, describeFailure } from '../../../src/slack/deliver/failures.ts'
import { noticeModal } from '../../../src/slack/deliver/modals.ts'
import { noticeMessage } from '../../../src/slack/deliver/notices.ts'
import type { Schedule, ScheduleDay } from '../../../src/store/schedules.ts'
import { ServiceUnavailableError } from '../../../src/telephony/errors.ts'
import { addDays } from '../../../src/time/days.ts'
import { instantLabel } from '../../../src/time/labels.ts'
import { reportOf, viewOf } from './reports.ts'
import { type FeatureSample, message, modal, slowModals, withAndWithoutTable } from './sample.ts'
import { ada, adaName, ben, finance, inHours, nonce, now, support, team, today, zone } from './setting.ts'

const info = kindInfos.report
const report = { range: 'day', by: 'line', onlyWithCalls: true } as const

/** One that is kept now. */
function schedule(id: string, more: Partial<Schedule> = {}): ScheduleWithZone {
  const daily: ScheduleDay = { kind: 'daily', weekdays: [1, 2, 3, 4, 5] }
  const when = { day: daily, time: '08:00', ...more }
  const kept = { id, tenant: team, channel: support, owner: ada, report, ...when }
  const { day: dueDay, at } = slotAfter(when, zone, now)
  return { schedule: { ...kept, due: at.getTime(), dueDay }, zone }
}

const why = channelRefusal('archived', finance)
const workdays = schedule('R1')
const weekly = schedule('R2', {
  channel: finance,
  owner: ben,
  day: { kind: 'weekly', weekday: 1 },
  report: { range: 'week', by: 'agent', onlyWithCalls: false },
})
const stopped = schedule('R3', {
  channel: finance,
  day: { kind: 'monthly', day: 1 },
  report: { range: 'month', by: 'hour', onlyWithCalls: false },
  paused: { why },
})
const many = Array.from({ length: 9 }, (_, index) =>
  schedule(`M${index}`, { day: { kind: 'monthly', day: index + 6 } }),
)
export const reportSchedulesOfTeam: readonly ScheduleWithZone[] = [workdays, weekly, stopped]

const list = (schedules: readonly ScheduleWithZone[], note?: string) =>
  schedulesMessage(info, schedules, { page: 1, now, nonce, note })
const form = ({ schedule: own }: ScheduleWithZone) =>
  scheduleModal(reportForm, { team, channel: support, chosen: { channel: own.channel, zone }, schedule: own })
const { channel, day, time } = workdays.schedule
const preview = (blocks: readonly Block[]) => {
  const filled = { draft: { channel, day, time, report }, origin: {}, newId: 'V1' }
  return previewModal(info, { team, channel: support, filled, zone, blocks, now })
}
const notice = (text: string) => noticeModal(text, { title: titleOf(info) })

const yesterday = addDays(today, -1)
const view = viewOf(reportOf({ from: yesterday, to: yesterday }))
const post = postedReport(view)
const planned = instantLabel(zone, inHours(-3), now)
const makeUp = { id: 'report', text: 'Show report', command: '/calls report 2026-11-04 by:line' }
const away = describeFailure(new ServiceUnavailableError('incoming', 'timeout')).pauseText

export const reportSchedules: readonly FeatureSample[] = [
  message('Several', list(reportSchedulesOfTeam)),
  message('The first page', list(many)),
  message('None yet', list([])),
  message('One, just paused', list([schedule('R4', { paused: {} })], pausedNote(workdays.schedule))),
  modal('New schedule', scheduleModal(reportForm, { team, channel: '' })),
  modal('New schedule, no weekday chosen', form(workdays), { weekdays: noWeekdayText }),
  modal('Changing a schedule', form(weekly)),
  ...slowModals('Reading for the preview', previewTexts(info)),
  modal('Preview', preview(previewInWords(reportInWords(view)))),
  modal('Preview, nothing to tell', preview(silentPreview('No calls on Wed 4 Nov 2026.'))),
  modal('Preview, the phone service not responding', preview(noPreview(away))),
  ...slowModals('Saving', slowTexts(info)),
  modal('Saved', notice(savedText(workdays, true, now))),
  ...withAndWithoutTable('The report in a channel', scheduledPost(post, adaName)),
  message('The report in a channel, late', scheduledPost(post, adaName, planned).message),
  message('Told by direct message: paused', noticeMessage(pausedNotice(info, stopped.schedule, zone, why))),
  message('Told by direct message: skipped', noticeMessage(missedNotice(info, support, planned, makeUp))),
  message(
    'Told by direct message: perhaps missing',
    noticeMessage(unconfirmedNotice(info, support, planned, makeUp)),
  ),
]
