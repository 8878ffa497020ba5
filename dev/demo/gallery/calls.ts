import { callsActions } from '../../../src/features/calls/actions.ts'
import { listCommand } from '../../../src/features/calls/command.ts'
import { filterModal, outdatedFilterText } from '../../../src/features/calls/filter-modal.ts'
import { helpButton, helpMessage, wordsMessage } from '../../../src/features/calls/help.ts'
import type { ListQuery } from '../../../src/features/calls/query.ts'
import { type CallsView, callsMessage, sharedCalls } from '../../../src/features/calls/view.ts'
import { notYoursText } from '../../../src/features/sharing/routes.ts'
import { readWords } from '../../../src/grammar/read-words.ts'
import { splitWords } from '../../../src/grammar/words.ts'
import { problemsMessage, unknownWordsMessage } from '../../../src/slack/blocks/problems.ts'
import { agentChoices, answerProblems, askWhich } from '../../../src/slack/routing/query-command.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import type { Agent, Call } from '../../../src/telephony/types.ts'
import { rangeClockChanges } from '../../../src/time/ranges.ts'
import { account } from './agents.ts'
import { type FeatureSample, message, modal, text, withAndWithoutTable } from './sample.ts'
import { ada, adaName, day, nonce, now, support, team, today, zone, zoneText } from './setting.ts'

const total = 133
const perPage = 20
const query: ListQuery = { direction: 'incoming', page: 1 }
const lines = LineNames.none

function call(index: number, from = now, { direction = 'incoming', status }: Partial<ListQuery> = {}): Call {
  const isMissed = status === 'missed' || (status === undefined && index % 4 === 2)
  return {
    id: `call-${index}`,
    direction: direction === 'outgoing' ? 'outgoing' : 'incoming',
    number: `+4930555${String(1000 + index * 37).slice(-4)}`,
    at: new Date(from.getTime() - (index * 53 + 7) * 60_000),
    seconds: isMissed ? 0 : (index * 97 + 31) % 1500,
    status: isMissed ? 'missed' : 'answered',
    cost: isMissed ? '0.0000' : `0.${String(150 + index * 11).padStart(4, '0')}`,
    recording: index % 3 === 0 && !isMissed ? `2026-11-05/call-${index}.mp3` : undefined,
  }
}

/** A page of a list of 133 calls. */
function view(changes: Partial<ListQuery>, more: Partial<CallsView> = {}, from = now): CallsView {
  const own = { ...query, ...changes }
  const start = (own.page - 1) * perPage
  const count = Math.max(0, Math.min(perPage, total - start))
  const calls = Array.from({ length: count }, (_, index) => call(start + index, from, own))
  return {
    query: own,
    page: { calls, page: own.page, total },
    zone,
    now,
    clockChanges: rangeClockChanges(zone, own, now),
    recordingsBaseUrl: undefined,
    lines,
    nonce,
    ...more,
  }
}

/** One of the lines that the samples call has a name. */
const salesNumber = call(3).number

/** Three calls that nobody took. */
function missedToday(): CallsView {
  const calls = [2, 6, 10].map((index) => call(index))
  const of = { status: 'missed', from: today, to: today } as const
  return view(of, { page: { calls, page: 1, total: calls.length } })
}

const empty = (changes: Partial<ListQuery>) =>
  callsMessage(view(changes, { page: { calls: [], page: 1, total: 0 } })).message

const unreadable: Call = {
  ...call(1),
  at: { raw: '0000-00-00 00:00:00' },
  seconds: { raw: 'n/a' },
  status: { raw: 'voicemail' },
  cost: { raw: '' },
}
const clockChange = { from: day('2026-10-19'), to: day('2026-10-26') }
const narrowed: ListQuery = {
  ...query,
  status: 'missed',
  from: day('2026-11-01'),
  to: today,
  agentId: '1001',
  agentName: 'Anna Smith',
}
const recordings = { recordingsBaseUrl: 'https://recordings.example.com/' }
const command = listCommand({ typed: '/calls', show: callsActions.show })
function misunderstood(text: string) {
  const words = splitWords(text)
  const read = readWords(words, command.grammar, today)
  return answerProblems(command, words, read, command.complete(read.asked, today)).message
}
const which = (name: string, agents: readonly Agent[]) =>
  askWhich(command, { noun: 'agent', name, query }, agentChoices(query, agents)).message

const filter = (of: ListQuery) =>
  filterModal(
    team,
    support,
    { query: of, responseUrl: undefined, message: '1', actionTs: '1.000001' },
    zoneText,
  )

export const calls: readonly FeatureSample[] = [
  ...withAndWithoutTable('First page', callsMessage(view({}))),
  message('A page in the middle', callsMessage(view({ page: 4 })).message),
  message('Last page', callsMessage(view({ page: 7 })).message),
  message('Recordings as links', callsMessage(view({}, recordings)).message),
  message('Missed on one day', callsMessage(missedToday()).message),
  message(
    'A line with a name',
    callsMessage(view({}, { lines: new LineNames([{ number: salesNumber, name: 'Sales Berlin' }]) })).message,
  ),
  message('Outgoing', callsMessage(view({ direction: 'outgoing' })).message),
  message('Opened from the agents', callsMessage(view({ ...narrowed, openedFrom: 'agents' })).message),
  message('Narrowed to one agent', callsMessage(view(narrowed)).message),
  message(
    'Over a clock change',
    callsMessage(view(clockChange, {}, new Date('2026-10-25T07:00:00Z'))).message,
  ),
  message(
    'Values that are not understood',
    callsMessage(view({}, { page: { calls: [unreadable], page: 1, total: undefined } })).message,
  ),
  message('No calls yet', empty({})),
  message('Nothing matches', empty(narrowed)),
  message('Beyond the last page', callsMessage(view({ page: 9 })).message),
  ...withAndWithoutTable('Shared in a channel', sharedCalls(view({ page: 7 }), { id: ada, name: adaName })),
  text('What somebody else shared is not removed', notYoursText),
  modal('Filter', filter(query)),
  modal('Filter, filled in', filter(narrowed)),
  modal('Filter, submitted too late', filter(query), { direction: outdatedFilterText }),
  message('Help', helpMessage()),
  message('All words', wordsMessage()),
  message('A word with a slip in it', misunderstood('mised yesterday')),
  message('Words that are not recognised', misunderstood('yesterdey page:0 status:lost')),
  message('Dates the other way round', misunderstood('from:2026-11-05 to:2026-11-01')),
  message('Words that a command does not take', unknownWordsMessage(['daily'], '/calls schedule')),
  message(
    'A command that Callboard does not know',
    problemsMessage(['I don\'t recognise "bla".'], { buttons: [helpButton] }),
  ),
  message('A name that several agents have', which('smith', account.slice(0, 3))),
  message('A name that no agent has', which('nobody', [])),
]
