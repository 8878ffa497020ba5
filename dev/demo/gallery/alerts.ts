import { alertMessage } from '../../../src/features/alerts/message.ts'
import {
  doneText,
  goneText,
  takenText,
  unshownText,
  yoursText,
} from '../../../src/features/alerts/message-routes.ts'
import { ownerOutText } from '../../../src/features/alerts/message-sender.ts'
import { noNewsNotice, stoppedNotice } from '../../../src/features/alerts/notice-texts.ts'
import { channelRefusal, describeFailure } from '../../../src/slack/deliver/failures.ts'
import { channelNoticeMessage, noticeMessage } from '../../../src/slack/deliver/notices.ts'
import { type AlertMessageRecord, alertMessageId } from '../../../src/store/alerts.ts'
import { CredentialsRejectedError } from '../../../src/telephony/errors.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import { type FeatureSample, message, text, withAndWithoutTable } from './sample.ts'
import { ada, adaName, ben, finance, now, support, team, zone } from './setting.ts'

const minute = 60_000
const numbers = ['+493055501000', '+493055501037', '+442079460042'] as const
const lines = new LineNames([
  { number: numbers[0], name: 'Sales Berlin' },
  { number: numbers[1], name: 'Support' },
])

const minutesAgo = (minutes: number) => now.getTime() - minutes * minute
const call = (index: number, minutes: number) => ({
  id: `call-${index}`,
  at: minutesAgo(minutes),
  line: numbers[index % 3] ?? '',
})

/** A message that was sent so many minutes ago. @param calls how many minutes ago they were missed */
function sample(sent: number, calls: readonly number[], more: Partial<AlertMessageRecord> = {}) {
  const openedAt = minutesAgo(sent)
  const record: AlertMessageRecord = {
    id: alertMessageId(openedAt, 'A1'),
    tenant: team,
    alertId: 'A1',
    channel: support,
    openedAt,
    count: calls.length,
    firstAt: minutesAgo(Math.max(...calls)),
    calls: calls.map((minutes, index) => call(index, minutes)),
    ...more,
  }
  return alertMessage(record, { lines, zone })
}

const taken = { person: ada, name: adaName, at: minutesAgo(5) }
const done = { person: ben, name: 'Ben Okafor', at: minutesAgo(1) }
const several = [2, 4, 9, 12]
const burst = Array.from({ length: 20 }, (_, index) => 1 + index / 20)
const night = { lateByMs: 11.2 * 60 * minute } as const
const away = { lateByMs: 72 * minute } as const
const keyRefused = describeFailure(new CredentialsRejectedError('incoming')).pauseText

export const alerts: readonly FeatureSample[] = [
  ...withAndWithoutTable('One call', sample(1, [1])),
  ...withAndWithoutTable('Several calls', sample(11, several)),
  message('A line without a name', sample(1, [1], { calls: [call(2, 1)] }).message),
  message('A burst', sample(1, burst, { count: 512 }).message),
  message('Missed outside the hours', sample(1, [30, 300, 660], night).message),
  message('After a time down', sample(1, [20, 44, 73], { ...away, tooOld: 12 }).message),
  message('Taken', sample(11, several, { taken }).message),
  message('Taken, and closed by somebody else', sample(11, several, { taken, done }).message),
  message('Closed', sample(11, several, { done: taken }).message),
  text('Taken already', takenText(taken, '14:02')),
  text('Taken by the same person', yoursText),
  text('Closed already', doneText(done, '14:06')),
  text('Forgotten', goneText),
  text('Noted, but not shown yet', unshownText),
  message(
    'Told by direct message: its channel is archived',
    noticeMessage(stoppedNotice(support, channelRefusal('archived', support))),
  ),
  message('Told by direct message: its owner is out', noticeMessage(stoppedNotice(support, ownerOutText))),
  message(
    'Told by direct message: the key is refused',
    noticeMessage(noNewsNotice([support, finance], keyRefused, '14:02')),
  ),
  message(
    'Told in the channel, where no direct message arrives: the service is away',
    channelNoticeMessage(noNewsNotice([support], "The phone service isn't responding.", '14:02')),
  ),
]
