import { billingPost } from '../../../src/features/billing/post.ts'
import { billingForm } from '../../../src/features/billing/schedule-kind.ts'
import { slowTexts } from '../../../src/features/schedules/form-routes.ts'
import {
  notFound,
  pausedNote,
  resumedNote,
  savedText,
  schedulesMessage,
} from '../../../src/features/schedules/list.ts'
import { scheduleModal, titleOf } from '../../../src/features/schedules/modal.ts'
import {
  givenUpNotice,
  missedNotice,
  pausedNotice,
  unconfirmedNotice,
} from '../../../src/features/schedules/notice-texts.ts'
import { scheduledPost } from '../../../src/features/schedules/poster.ts'
import { fullText } from '../../../src/features/schedules/save.ts'
import { slotAfter } from '../../../src/scheduler/due-times.ts'
import { kindInfos } from '../../../src/scheduler/kinds.ts'
import type { ScheduleWithZone } from '../../../src/scheduler/scheduler.ts'
import { describeFailure, plainChannelRefusal } from '../../../src/slack/deliver/failures.ts'
import { noticeModal } from '../../../src/slack/deliver/modals.ts'
import { channelNoticeMessage, noticeMessage } from '../../../src/slack/deliver/notices.ts'
import type { Schedule } from '../../../src/store/schedules.ts'
import { CredentialsRejectedError } from '../../../src/telephony/errors.ts'
import { instantLabel } from '../../../src/time/labels.ts'
import { terms } from './billing.ts'
import { type FeatureSample, message, modal, slowModals } from './sample.ts'
import { ada, adaName, ben, finance, inHours, nonce, now, support, team, zone, zoneOf } from './setting.ts'

/** One that is kept now. */
function schedule(id: string, more: Partial<Schedule> = {}, own = zone): ScheduleWithZone {
  const when = { day: { kind: 'billing-date' }, time: '09:00', ...more } as const
  const kept = { id, tenant: team, channel: finance, owner: ada, billingDay: '2026-11-29', ...when }
  const { day: dueDay, at } = slotAfter(when, own, now)
  return { schedule: { ...kept, due: at.getTime(), dueDay }, zone: own }
}

const info = kindInfos.billing
const notice = (text: string) => noticeModal(text, { title: titleOf(info) })
const post = { message: billingPost(terms, []) }
const why = describeFailure(new CredentialsRejectedError('billing')).pauseText
const onBillingDate = schedule('S1')
const undated = schedule('S5', { billingDay: undefined })
const weekly = schedule(
  'S2',
  { channel: support, day: { kind: 'weekly', weekday: 1 }, time: '08:30', owner: ben },
  zoneOf('America/New_York'),
)
const monthly = schedule('S3', { day: { kind: 'monthly', day: 'last' }, paused: {} })
const stopped = schedule('S4', { day: { kind: 'monthly', day: 1 }, paused: { why } })
export const several: readonly ScheduleWithZone[] = [onBillingDate, weekly, monthly, stopped]
const many = Array.from({ length: 17 }, (_, index) =>
  schedule(`M${index}`, { day: { kind: 'monthly', day: index + 6 } }),
)

const list = (schedules: readonly ScheduleWithZone[], page = 1, note?: string) =>
  schedulesMessage(info, schedules, { page, now, nonce, note })
const form = (one?: ScheduleWithZone) =>
  scheduleModal(billingForm, {
    team,
    channel: finance,
    chosen: one ? { channel: one.schedule.channel, zone: one.zone } : { channel: finance, zone },
    schedule: one?.schedule,
  })
const makeUp = { id: 'post', text: 'Post now…', command: `/billing post <#${finance}>` }
const planned = instantLabel(zone, inHours(-30), now)
const saved = (one: ScheduleWithZone, isNew: boolean) => notice(savedText(one, isNew, now))

export const schedules: readonly FeatureSample[] = [
  message('Several', list(several)),
  message('A page in the middle', list(many, 2)),
  message('None yet', list([])),
  message('One, just paused', list([monthly], 1, pausedNote(monthly.schedule))),
  message('One, just resumed', list([onBillingDate], 1, resumedNote(onBillingDate.schedule))),
  message('Already deleted', list(several.slice(0, 1), 1, notFound)),
  modal('New schedule', form()),
  modal('New schedule, a channel that is refused', form(), { channel: plainChannelRefusal('not-in') }),
  modal('New schedule, no channel chosen yet', scheduleModal(billingForm, { team, channel: '' })),
  modal('Changing a schedule, its channel in another time zone', form(weekly)),
  ...slowModals('Saving', slowTexts(info)),
  modal('Saved', saved(onBillingDate, true)),
  modal('Saved, the billing date not known yet', saved(undated, true)),
  modal('Saved, changed', saved(weekly, false)),
  modal('Saved, still paused', saved(monthly, false)),
  modal('As many as fit', notice(fullText)),
  modal('Changing one that was deleted', notice(notFound)),
  message('The post in a channel', scheduledPost(post, adaName).message),
  message('The post in a channel, late', scheduledPost(post, adaName, planned).message),
  message(
    'Told by direct message: paused',
    noticeMessage(pausedNotice(info, onBillingDate.schedule, zone, why)),
  ),
  message('Told by direct message: paused by an error of ours', noticeMessage(givenUpNotice(info, finance))),
  message(
    'Told in the channel, where no direct message arrives: paused',
    channelNoticeMessage(pausedNotice(info, onBillingDate.schedule, zone, why)),
  ),
  message('Told by direct message: skipped', noticeMessage(missedNotice(info, finance, planned, makeUp))),
  message(
    'Told by direct message: perhaps missing',
    noticeMessage(unconfirmedNotice(info, finance, planned, makeUp)),
  ),
]
