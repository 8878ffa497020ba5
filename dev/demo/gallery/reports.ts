import { type ReportPost, reportActions } from '../../../src/features/reports/actions.ts'
import { Aggregator, type Figures } from '../../../src/features/reports/aggregate.ts'
import { reportCommand } from '../../../src/features/reports/command.ts'
import { filterModal, outdatedFilterText } from '../../../src/features/reports/filter-modal.ts'
import { postTitle, reportPostMessages } from '../../../src/features/reports/post-by-hand.ts'
import { type AgentFigures, planReport, type Report } from '../../../src/features/reports/report.ts'
import { postedReport, type ReportView, reportMessage } from '../../../src/features/reports/view.ts'
import type { Grouping } from '../../../src/grammar/filters.ts'
import { readWords } from '../../../src/grammar/read-words.ts'
import { splitWords } from '../../../src/grammar/words.ts'
import type { ReportQuery } from '../../../src/slack/blocks/report-query.ts'
import { apology } from '../../../src/slack/deliver/answer.ts'
import { outdatedText } from '../../../src/slack/deliver/clicks.ts'
import { describeFailure } from '../../../src/slack/deliver/failures.ts'
import { attributed, changedNote, postModal } from '../../../src/slack/deliver/post-messages.ts'
import { readingText } from '../../../src/slack/deliver/reading.ts'
import { agentChoices, answerProblems, askWhich } from '../../../src/slack/routing/query-command.ts'
import { ScanInterruptedError, ServiceUnavailableError } from '../../../src/telephony/errors.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import type { Call, Direction } from '../../../src/telephony/types.ts'
import { account } from './agents.ts'
import { type FeatureSample, firstWithout, message, modal, text, withAndWithoutTable } from './sample.ts'
import { adaName, day, finance, nonce, now, support, team, today, zone, zoneText } from './setting.ts'

const week = { from: day('2026-10-30'), to: today }
const numbers = ['+493055501000', '+493055501037', '+442079460042', '+12025550142'] as const
const lines = new LineNames([
  { number: numbers[0], name: 'Sales Berlin' },
  { number: numbers[1], name: 'Support' },
])

/** A call for each of the last 14 days, more of them by day than by night. */
function call(index: number, direction: Direction): Call {
  const isMissed = (index * 7) % (index % 5 === 0 ? 4 : 9) === 0
  const hoursAgo = (index * 29) % (14 * 24)
  const isNight = (14 + 24 * 14 - hoursAgo) % 24 < 7
  return {
    id: `${direction}-${index}`,
    direction,
    number: numbers[index % (index % 3 === 0 ? 4 : 2)] ?? numbers[0],
    at: new Date(now.getTime() - (hoursAgo + (isNight ? 9 : 0)) * 3_600_000 - (index % 60) * 60_000),
    seconds: isMissed ? 0 : (index * 97 + 31) % 900,
    status: isMissed ? 'missed' : 'answered',
    cost: isMissed ? '0' : `0.${String(150 + (index % 80) * 11).padStart(4, '0')}`,
    recording: undefined,
  }
}
const calls = Array.from({ length: 400 }, (_, index) => call(index, index % 5 < 3 ? 'incoming' : 'outgoing'))

export function reportOf(changes: Partial<ReportQuery>, more: readonly Call[] = [], own = calls): Report {
  const plan = planReport({ ...week, by: 'line', ...changes }, zone, now)
  const of = (period: Report['plan']['period']) => {
    const aggregator = new Aggregator({ period, zone, line: plan.query.line })
    for (const one of [...own, ...more]) aggregator.add(one)
    return aggregator.result
  }
  const [aggregate, beforeAggregate] = [of(plan.period), of(plan.before)]
  const { figures } = aggregate
  const count = (figures.incoming.calls ?? 0) + (figures.outgoing.calls ?? 0)
  return { plan, figures, before: beforeAggregate.figures, aggregate, beforeAggregate, count }
}

const agents = account.slice(0, 8).map(({ id, name }, index): AgentFigures => {
  const of = (answered: number, missed: number) => ({ calls: answered + missed, answered, missed })
  return {
    id,
    name,
    figures: { incoming: of(31 - index * 3, (index * 5) % 7), outgoing: of(12 + index, index % 4) },
  }
})

export const viewOf = (report: Report): ReportView => ({ report, lines, now, nonce })
const shown = (changes: Partial<ReportQuery>, more: Partial<Report> = {}) =>
  reportMessage(viewOf({ ...reportOf(changes), ...more }))

const total = (answered: number, missed: number) => ({ calls: answered + missed, answered, missed })
const totals: Figures = { incoming: total(31_240, 4102), outgoing: total(18_403, 2011) }
const { aggregate: _read, ...unread } = reportOf({ from: day('2026-08-06') })
const tooMany: Report = { ...unread, figures: totals, before: totals, totals: 'records', count: 55_756 }

const odd: readonly Call[] = [
  { ...call(1, 'incoming'), id: 'odd', seconds: { raw: 'n/a' }, status: { raw: 'VOICEMAIL' } },
  { ...call(2, 'incoming'), id: 'odd-2', cost: { raw: '' }, at: { raw: '0000-00-00' } },
]

const away = new ServiceUnavailableError('incoming', 'status', { status: 503 })
const halfWay = new ScanInterruptedError(away, { records: 1240, pages: 62, total: 2544 })
const retry = reportActions.show.named('retry').button('Try again', { ...week, by: 'line' })
const context = { isAdmin: false, reference: 'dfe417c0', request: 'the call report for 30 Oct – 5 Nov' }

const plan: ReportPost = { channel: finance, nonce: `${nonce}-post`, query: { ...week, by: 'line' } }
const messages = reportPostMessages(plan)
const post = postedReport(viewOf(reportOf({})))
const setting = { name: adaName, channelName: 'finance' }
const click = { responseUrl: undefined, message: '1', actionTs: '1' }
const postForm = postModal({
  id: 'report.post',
  title: postTitle,
  team,
  channel: support,
  place: click,
  value: JSON.stringify(plan.query),
})

const filter = (query: Partial<ReportQuery> = {}, own = lines) =>
  filterModal(
    team,
    support,
    { ...click, query: { ...week, by: 'line', ...query } },
    { lines: own, zoneLabel: zoneText },
  )

function misunderstood(written: string) {
  const words = splitWords(written)
  const read = readWords(words, reportCommand.grammar, today)
  return answerProblems(reportCommand, words, read, reportCommand.complete(read.asked, today)).message
}

const query: ReportQuery = { ...week, by: 'line' }

const which = (
  noun: 'agent' | 'line',
  name: string,
  choices: Parameters<typeof askWhich<ReportQuery>>[2] = [],
) => askWhich(reportCommand, { noun, name, query }, choices).message

const groupings: readonly Grouping[] = ['hour', 'weekday', 'day']

export const reports: readonly FeatureSample[] = [
  ...withAndWithoutTable('By line, with its chart', shown({})),
  message(
    'With what became of alerts',
    shown({}, { alerts: { sent: 15, taken: 12, medianMs: 240_000, isPartial: false } }).message,
  ),
  message(
    'With an alert that nobody took',
    shown({}, { alerts: { sent: 1, taken: 0, medianMs: undefined, isPartial: false } }).message,
  ),
  message('Where Slack refuses charts', firstWithout('data_visualization', shown({})) ?? { text: '' }),
  ...groupings.map((by) => message(`By ${by}`, shown({ by }).message)),
  message('By agent', shown({ by: 'agent' }, { agents }).message),
  message('By agent, and time ran out', shown({ by: 'agent' }, { agents: 'late' }).message),
  message('One day, per hour', shown({ from: today, by: 'hour' }).message),
  message('Outgoing calls', shown({ direction: 'outgoing', by: 'weekday' }).message),
  message('One agent', shown({ agentId: '1001', agentName: 'Anna Smith', by: 'day' }).message),
  message('One line', shown({ line: numbers[0], direction: 'incoming', by: 'day' }).message),
  message(
    'Over a clock change',
    shown({ from: day('2026-10-22'), to: day('2026-10-28'), by: 'day' }).message,
  ),
  message('Values that are not understood', reportMessage(viewOf(reportOf({}, odd))).message),
  message('More than 20,000 calls', reportMessage(viewOf(tooMany)).message),
  message('More than anybody waits for', reportMessage(viewOf({ ...tooMany, totals: 'time' })).message),
  message('No calls', reportMessage(viewOf(reportOf({ from: today, by: 'hour' }, [], []))).message),
  text('Reading, once', readingText(2544, 10_000, 25_000)),
  message(
    'The service fails half way',
    apology(describeFailure(halfWay, context), context, { retry }).message,
  ),
  message('Words that are not recognised', misunderstood('yesterdey by:weekdy')),
  message('Words that do not go together', misunderstood('outgoing by:line')),
  message(
    'A name that several agents have',
    which('agent', 'smith', agentChoices(query, account.slice(0, 3))),
  ),
  message('A name that no agent has', which('agent', 'nobody')),
  message('A name that no line has', which('line', 'warehouse')),
  modal('Filter', filter()),
  modal('Filter, filled in', filter({ line: numbers[1], agentId: '1001', agentName: 'Anna Smith' })),
  modal('Filter, no line has a name', filter({}, LineNames.none)),
  modal('Filter, submitted too late', filter(), { from: outdatedFilterText }),
  modal('Where to post', postForm),
  modal('Where to post, opened too long ago', postForm, { channel: outdatedText }),
  message('Preview', messages.preview(post, plan.channel, setting).message),
  message(
    'Preview once more',
    messages.preview(post, plan.channel, { ...setting, note: changedNote }).message,
  ),
  message('The post in a channel', attributed(post, adaName).message),
  message('Discarded', messages.discarded()),
  message('Posted before', messages.used(finance)),
  message('Not taken just now', messages.unsent({ kind: 'not-now', retryAfterMs: undefined }, finance)),
]
