import { numberActions } from '../../../src/features/calls/actions.ts'
import { filterModal } from '../../../src/features/calls/filter-modal.ts'
import { type FoundCalls, newestFirst, pageOf } from '../../../src/features/calls/found-calls.ts'
import type { MessageNumbers } from '../../../src/features/calls/message-numbers.ts'
import { chooseNumberModal, foundModal, noNumberModal } from '../../../src/features/calls/number-shortcut.ts'
import { type ListQuery, withDays } from '../../../src/features/calls/query.ts'
import { requestText } from '../../../src/features/calls/summary.ts'
import { type CallsView, callsMessage, sharedCalls } from '../../../src/features/calls/view.ts'
import { problemsMessage } from '../../../src/slack/blocks/problems.ts'
import { apology } from '../../../src/slack/deliver/answer.ts'
import { describeFailure } from '../../../src/slack/deliver/failures.ts'
import { answerModal, noticeModal } from '../../../src/slack/deliver/modals.ts'
import { progressText, readingText } from '../../../src/slack/deliver/reading.ts'
import { ScanInterruptedError, ServiceUnavailableError } from '../../../src/telephony/errors.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { lastDays } from '../../../src/time/days.ts'
import { rangeClockChanges } from '../../../src/time/ranges.ts'
import { type FeatureSample, message, modal, text, withAndWithoutTable } from './sample.ts'
import { ada, adaName, nonce, now, support, team, today, zone, zoneOf, zoneText } from './setting.ts'

const number = '442079460042'
const query: ListQuery = { direction: 'both', number, page: 1 }
const origin = { team, channel: support }

function call(index: number): Call {
  const isMissed = index % 4 === 1
  return {
    id: `call-${index}`,
    direction: index % 3 === 0 ? 'incoming' : 'outgoing',
    number: `+${number}`,
    at: new Date(now.getTime() - (index * 371 + 7) * 60_000),
    seconds: isMissed ? 0 : (index * 97 + 31) % 1500,
    status: isMissed ? 'missed' : 'answered',
    cost: isMissed ? '0' : `0.${String(150 + index * 11).padStart(4, '0')}`,
    recording: index % 5 === 0 && !isMissed ? `2026-11-05/call-${index}.mp3` : undefined,
  }
}

function found(count: number, more: Partial<FoundCalls> = {}): FoundCalls {
  const calls = newestFirst(Array.from({ length: count }, (_, index) => call(index)))
  return { calls, read: 2544, total: 2544, isCut: false, ...more }
}

function view(changes: Partial<ListQuery>, of: FoundCalls): CallsView {
  const own = { ...query, ...changes }
  const clockChanges = rangeClockChanges(zone, withDays(own, today), now)
  const page = pageOf(of, own.page)
  const setting = { zone, now, clockChanges, recordingsBaseUrl: undefined, lines: LineNames.none, nonce }
  return { query: own, found: of, page, ...setting }
}

const some = view({}, found(7))
const cut = view({}, found(31, { read: 12_040, total: 40_112, isCut: true }))
const none = view({}, found(0))
const anna = { direction: 'outgoing', agentId: '1001', agentName: 'Anna Smith' } as const

const away = new ServiceUnavailableError('incoming', 'status', { status: 503 })
const interrupted = new ScanInterruptedError(away, { records: 1240, pages: 62, total: 2544 })
const context = { isAdmin: false, reference: '4f1c0a77', request: requestText(query, today) }
const failed = apology(describeFailure(interrupted, context), context, {
  retry: numberActions.show.named('retry').button('Try again', query),
  isInModal: true,
})

const inMessage = (...texts: readonly string[]): MessageNumbers => ({
  numbers: texts.map((written) => ({ digits: written.replaceAll(/\D/g, ''), text: written })),
  country: 'DE',
})

export const numbers: readonly FeatureSample[] = [
  ...withAndWithoutTable('In both directions', callsMessage(some)),
  message('A page in the middle', callsMessage(view({ page: 2 }, found(64))).message),
  message('Of one agent', callsMessage(view(anna, found(3))).message),
  message('In the last 90 days', callsMessage(view(lastDays(90, today), found(3))).message),
  message('No calls', callsMessage(none).message),
  message('The time ran out', callsMessage(cut).message),
  message('Shared in a channel', sharedCalls(some, { id: ada, name: adaName }).message),
  message(
    'Too few digits',
    problemsMessage(['I don\'t recognise "number:12". Write 4 to 17 digits behind it.'], { buttons: [] }),
  ),
  text('Reading, before the answer', readingText(2544, 9_700, 25_000)),
  text('Reading more than there is time for', readingText(40_112, 160_000, 25_000)),
  message('The service went away half way', failed.message),
  modal(
    'Filter, for a number',
    filterModal(
      team,
      support,
      { query, responseUrl: undefined, message: '1', actionTs: '1.000001' },
      zoneText,
    ),
    { number: 'Write 4 to 17 digits.' },
  ),
  modal('From a message', foundModal(view({}, found(64)), origin)),
  modal('From a message: no calls', foundModal(none, origin)),
  modal('From a message: the time ran out', foundModal(cut, origin)),
  modal(
    'From a message: several numbers',
    chooseNumberModal(inMessage('+44 20 7946 0042', '+49 30 23125042'), origin),
  ),
  modal('From a message: no number', noNumberModal(inMessage(), zone, origin)),
  modal(
    'From a message: no number, and no country',
    noNumberModal({ ...inMessage(), country: undefined }, zoneOf('UTC'), origin),
  ),
  modal(
    'From a message: reading',
    noticeModal(progressText({ records: 1240, total: 2544 }), { close: 'Cancel' }),
  ),
  modal('From a message: the service went away half way', answerModal(failed, origin)),
]
