import { exportActions } from '../../../src/features/calls/actions.ts'
import { listCommand } from '../../../src/features/calls/command.ts'
import { failureOutcome } from '../../../src/features/calls/export/outcome.ts'
import { subjectOf } from '../../../src/features/calls/export/subject.ts'
import { ExportEndedError } from '../../../src/features/calls/export/watch.ts'
import {
  alreadyText,
  cancelledMessage,
  givenUpMessage,
  interruptedMessage,
  nothingMessage,
  nothingText,
  overText,
  progressMessage,
  sentMessage,
  startedAnswer,
  tooManyAnswer,
  tooManyWaitingAnswer,
  unconfirmedMessage,
  waitingMessage,
} from '../../../src/features/calls/export/words.ts'
import { type ListQuery, writeQuery } from '../../../src/features/calls/query.ts'
import { emptyText } from '../../../src/features/calls/summary.ts'
import { NotAllowedError } from '../../../src/slack/access/errors.ts'
import { FileRefusedError, fileRefusals } from '../../../src/slack/api/files.ts'
import { agentChoices, askWhich } from '../../../src/slack/routing/query-command.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  ScanInterruptedError,
} from '../../../src/telephony/errors.ts'
import { account } from './agents.ts'
import { type FeatureSample, message, text } from './sample.ts'
import { day, now, today, zone } from './setting.ts'

const total = 12_544
const query: ListQuery = {
  direction: 'incoming',
  status: 'missed',
  from: day('2026-10-01'),
  to: today,
  page: 1,
}
const subject = subjectOf({ query: writeQuery(query), zone, askedAt: now.getTime(), total })
const { exported, zoneText, clockNote } = subject
const ofNumber = subjectOf({
  query: writeQuery({ ...query, direction: 'both', status: undefined, number: '442079460042' }),
  zone,
  askedAt: now.getTime(),
  total,
})
const id = '1'
const progress = { id, total, isRead: false, isAgain: false }
const read = 4700

const failed = (name: string, error: Error, installUrl?: string): FeatureSample => {
  const setting = { exported, again: subject, read, reference: '4f1c0a77', installUrl, supportUrl: undefined }
  return message(name, failureOutcome(error, setting).message)
}
const stopped = new ScanInterruptedError(new RateLimitedError('incoming', 120_000), {
  records: read,
  pages: 235,
  total,
})

const command = listCommand({ typed: '/calls export', show: exportActions.start })

export const exports: readonly FeatureSample[] = [
  message('Started', startedAnswer(exported, false, total).message),
  message('Started, behind others', startedAnswer(exported, true, total).message),
  message('Not begun yet', waitingMessage(exported, false, id)),
  message('In line', waitingMessage(exported, true, id)),
  message('Under way', progressMessage(exported, { ...progress, read })),
  message(
    'Under way, where the service tells no total',
    progressMessage({ ...exported, total: undefined }, { ...progress, read, total: undefined }),
  ),
  message('Callboard is restarted', interruptedMessage(exported, id)),
  message('Begun again', progressMessage(exported, { ...progress, read: 40, isAgain: true })),
  message('All of it is read', progressMessage(exported, { ...progress, read: total, isRead: true })),
  message('Sent', sentMessage(exported, zoneText, clockNote)),
  message('Sent, of one call', sentMessage({ ...exported, total: 1 }, zoneText)),
  message('Cancelled', cancelledMessage(exported)),
  text('A button of one that is over', overText),
  text('Under way already', alreadyText(exported)),
  text('Nothing to export', nothingText(emptyText(query))),
  message('Too many calls', tooManyAnswer({ ...exported, total: 1_254_400 }, 1_254_400, query).message),
  message(
    'Too many calls to look through for a number',
    tooManyAnswer(ofNumber.exported, 1_254_400, ofNumber.query).message,
  ),
  message('Started, for a number', startedAnswer(ofNumber.exported, false, total).message),
  message('Under way, for a number', progressMessage(ofNumber.exported, { ...progress, read })),
  message('No call has the number', nothingMessage(emptyText(ofNumber.query))),
  message('Too many exports', tooManyWaitingAnswer(subject).message),
  message(
    'A name that several agents have',
    askWhich(command, { noun: 'agent', name: 'smith', query }, agentChoices(query, account.slice(0, 3)))
      .message,
  ),
  message('The file may have arrived', unconfirmedMessage(exported, subject)),
  failed('The service stays away', stopped),
  failed('The key and secret are no longer accepted', new CredentialsRejectedError('incoming')),
  failed('The right was taken away', new NotAllowedError('calls')),
  failed('It takes too long', new ExportEndedError('too-slow')),
  failed('More calls than an export takes', new ExportEndedError('too-many')),
  failed('Something else', new Error('unforeseen')),
  ...fileRefusals.map((code) =>
    failed(
      `Slack takes no file: ${code}`,
      new FileRefusedError(code, {}),
      'https://calls.example.com/slack/install',
    ),
  ),
  message('Given up', givenUpMessage()),
]
