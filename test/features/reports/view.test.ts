import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { sharedFooter } from '../../../src/features/calls/sharing.ts'
import { type ReportQuery, reportQuerySchema } from '../../../src/features/reports/actions.ts'
import { Aggregator, type CallFigures } from '../../../src/features/reports/aggregate.ts'
import { drawChart } from '../../../src/features/reports/chart.ts'
import { planReport } from '../../../src/features/reports/period.ts'
import { reportCommand, reportFilter } from '../../../src/features/reports/query.ts'
import type { FullReport, FullView } from '../../../src/features/reports/report.ts'
import { personalReport, renderReport } from '../../../src/features/reports/view.ts'
import { describeNotes, describeReport, listFacts } from '../../../src/features/reports/words.ts'
import { groupings } from '../../../src/query/filters/filter.ts'
import { parseWords } from '../../../src/query/parse.ts'
import type { Services } from '../../../src/services.ts'
import type { Click } from '../../../src/slack/inbound/payloads.ts'
import type { Interaction } from '../../../src/slack/routing/routes.ts'
import { splitWords } from '../../../src/slack/routing/words.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { noMoney, parseMoney } from '../../../src/telephony/money.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { displayText } from '../../../src/telephony/wire.ts'
import { addDays, parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { anyCharacter, forRuns, forRunsAsync } from '../../support/properties.ts'
import { sentVariants } from '../../support/sent-forms.ts'
import { getColumn, getHead, getRows } from '../../support/shown.ts'

const day = (text: string) => parseDay(text)!
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const today = day('2026-11-21')
const now = new Date('2026-11-21T14:00:00Z')
const berlin = parseZone('Europe/Berlin')!
const team = { teamId: 'T1', enterpriseId: undefined }

const week = { from: day('2026-11-15'), to: today, direction: 'incoming', by: 'line' } as const
const anna = { id: '0', name: 'Anna' }
const agents = [anna, { ...anna, id: '1' }]

/** Creates a report with the same calls in both periods; an agent answered every third one. */
function createReport(query: ReportQuery, calls: readonly Call[], known = agents): FullReport {
  const plan = planReport(query, berlin, now)
  const addUp = (period: FullReport['plan']['period']) => {
    const aggregator = new Aggregator(plan, period)
    for (const [index, call] of calls.entries()) {
      aggregator.add(call)
      const agent = known[index % 3]
      if (agent) aggregator.addOfAgent(agent, call)
    }
    return aggregator.summarize()
  }
  return { plan, aggregate: addUp(plan.period), figuresBefore: addUp(plan.periodBefore).figures }
}

const createView = (report: FullReport, lines = LineNames.none): FullView => ({ report, lines, nonce: 'n1' })
const renderPersonal = (report: FullReport, lines?: LineNames) =>
  personalReport(createView(report, lines), '#general')
/** Returns the message that Slack gets. */
const showPersonal = (report: FullReport) => renderPersonal(report).message as unknown as Message

const call = (changes: Partial<Call> = {}): Call => ({
  id: '1',
  direction: 'incoming',
  number: '+493023125042',
  at: new Date('2026-11-20T10:00:00Z'),
  seconds: 61,
  status: 'answered',
  cost: '0.01',
  recording: undefined,
  ...changes,
})

it.each([
  ['', { from: '2026-11-15', to: '2026-11-21', direction: 'incoming', by: 'line' }],
  ['yesterday out', { from: '2026-11-20', to: '2026-11-20', direction: 'outgoing', by: 'hour' }],
  ['last week out', { from: '2026-11-09', to: '2026-11-15', direction: 'outgoing', by: 'day' }],
  ['by:weekday last month incoming', { from: '2026-10-01', direction: 'incoming', by: 'weekday' }],
  ['BY:Agent 2026-11-01..2026-11-05', { from: '2026-11-01', to: '2026-11-05', by: 'agent' }],
  ['from:2026-09-01 to:2026-09-30', { from: '2026-09-01', to: '2026-09-30', by: 'line' }],
  ['to:2026-09-30 missed', { from: '2026-09-24', to: '2026-09-30', status: 'missed' }],
  ['number:79460042 since yesterday', { number: '79460042', from: '2026-11-20', to: '2026-11-21' }],
])('/calls report %s', (words, query) => {
  const { filters, problem } = parseWords(splitWords(words), reportCommand.grammar, today)
  expect(problem).toBeUndefined()
  expect(reportCommand.complete(filters, today)).toMatchObject(query)
})

describe('figures in words', () => {
  const createFigures = (calls: number, missed: number, more: Partial<CallFigures> = {}): CallFigures => ({
    calls,
    answered: calls - missed,
    missed,
    seconds: 0,
    cost: noMoney,
    ...more,
  })
  const withFigures = (figures: CallFigures, figuresBefore: CallFigures): FullReport => {
    const report = createReport(week, [])
    return { ...report, figuresBefore, aggregate: { ...report.aggregate, figures } }
  }
  /** Returns the notes below the comparison and the scope. */
  const getNotes = (calls: readonly Call[]) => describeNotes(createView(createReport(week, calls))).slice(2)

  it.each([
    ['10 of 30 after 10 of 60', [30, 10], [60, 10], '33% (+17 points)'],
    ['20 of 60 after 10 of 30', [60, 20], [30, 10], '33% (no change)'],
    ['10 of 30 after none of 40', [30, 10], [40, 0], '33% (+33 points)'],
    // 22.5% and 21.6% are 23% and 22%, but 0.9 points apart; 22.4% and 21.6% are both 22%, and so are these.
    ['a difference that rounds up', [1000, 225], [1000, 216], '23% (+1 point)'],
    ['a difference that rounds down', [1000, 227], [1000, 223], '23% (no change)'],
    ['10 of 30 after few calls', [30, 10], [9, 1], '33%'],
    ['few calls', [9, 3], [60, 10], '33%'],
  ] as const)(
    'round the change of a rate only once: %s',
    (_, [calls, missed], [earlier, missedEarlier], rate) => {
      const before = createFigures(earlier, missedEarlier)
      expect(listFacts(withFigures(createFigures(calls, missed), before))[1]?.[1].split(' · ')[1]).toBe(rate)
    },
  )

  it('say what changed', () => {
    const now = createFigures(133, 29, { seconds: 11_720, cost: parseMoney('12.3405')! })
    const before = createFigures(121, 32, { seconds: 11_000, cost: parseMoney('13.0')! })
    expect(listFacts(withFigures(now, before)).map(([name, value]) => `${name}: ${value}`)).toEqual([
      'Incoming: 133 (+12)',
      'Missed: 29 (−3) · 22% (−5 points)',
      'Answered: 104 (+15)',
      'Talk time: 3:15:20 (+12:00)',
      'Average length: 1:53',
      'Cost: 12.3405 (−0.6595)',
    ])
    const few = listFacts(withFigures(createFigures(1, 1), createFigures(0, 0)))
    expect(few.map(([, value]) => value)).toEqual(['1', '1 · 100%', '0'])
  })

  const friday = { from: '2026-11-20', to: '2026-11-20' }

  it.each([
    [{ from: '2026-11-15', to: '2026-11-21' }, 3, 1, '15–21 Nov: 3 calls, 1 missed (33%)'],
    [{ from: '2026-11-01', to: '2026-11-30' }, 1, 0, 'November: 1 call, none missed'],
    [{ from: '2025-11-01', to: '2025-11-30' }, 2000, 2000, 'November 2025: 2,000 calls, 2,000 missed (100%)'],
    [{ ...friday, direction: 'outgoing' }, 2, 1, 'Fri 20 Nov: 2 outgoing calls, 1 unanswered (50%)'],
    [{ status: 'missed', longer: 300 }, 1, 1, '15–21 Nov: 1 missed call longer than 5 minutes'],
    [{ agentId: '0', agentName: 'Anna' }, 2, 1, 'Anna, 15–21 Nov: 2 calls, 1 missed (50%)'],
    [{ number: '5042' }, undefined, undefined, '15–21 Nov: call report'],
  ])('are the title of %j, with %s calls and %s missed', (changes, calls, missed, title) => {
    const { plan } = createReport(reportQuerySchema.parse({ ...week, ...changes }), [])
    const report = { plan, calls, missed }
    expect(describeReport({ report, lines: LineNames.none, nonce: '' })).toBe(title)
  })

  it('mention calls with unreadable values once', () => {
    const odd = call({ at: { raw: '' } })
    expect(getNotes([])).toEqual([])
    expect(getNotes([call({ seconds: { raw: '' }, cost: { raw: '' } })])).toEqual([])
    expect(getNotes([odd])).toEqual(["Values of 1 call can't be read. They are left out."])
    expect(getNotes([call({ seconds: { raw: 'n/a' }, cost: { raw: 'free' } }), odd])).toEqual([
      "Values of 2 calls can't be read. They are left out.",
    ])
  })

  it.each([
    ['2026-11-15', '2026-11-21', 10, 'Compared with 8–14 Nov, up to 15:00.'],
    ['2026-11-01', '2026-11-01', 10, 'Compared with 25 Oct.'],
    ['2026-10-01', '2026-10-31', 10, 'Compared with 1–30 Sep.'],
    ['2026-11-01', '2026-11-30', 10, 'Compared with 1–21 Oct, up to 15:00.'],
    ['2026-11-15', '2026-11-21', 9, 'Too few calls to compare with 8–14 Nov.'],
  ])('name the period that %s to %s with %i calls is compared with', (from, to, count, note) => {
    const { plan } = createReport({ ...week, from: day(from), to: day(to) }, [])
    const figures = createFigures(count, 1)
    expect(describeNotes(createView({ ...withFigures(figures, figures), plan }))[0]).toBe(note)
  })
})

describe('with any data of the service', () => {
  const text = fc.oneof(
    fc.constantFrom('', '<!channel>', '&'.repeat(200), '电'.repeat(200), '+493023125042', '0'.repeat(201)),
    fc.string({ unit: anyCharacter, maxLength: 200 }).map(displayText),
  )
  const raw = text.map((value) => ({ raw: value }))
  const calls = fc.array(
    fc
      .record({
        number: text,
        at: fc.nat({ max: 60 * 24 * 400 }).map((minutesAgo) => new Date(now.getTime() - minutesAgo * 60_000)),
        status: fc.oneof(fc.constantFrom('answered' as const, 'missed' as const), raw),
        seconds: fc.oneof(fc.nat({ max: 10 ** 8 }), raw),
        cost: fc.oneof(fc.constantFrom('0', '-0.1', '9'.repeat(30), `0.${'1'.repeat(30)}`), raw),
      })
      .map(call),
    { maxLength: 120 },
  )
  const queries = fc
    .record({
      length: fc.integer({ min: 1, max: 732 }),
      direction: fc.constantFrom('incoming' as const, 'outgoing' as const),
      status: fc.constantFrom(undefined, 'answered' as const, 'missed' as const),
      by: fc.constantFrom(...groupings),
    })
    .map(({ length, ...query }): ReportQuery => {
      const by = query.by === 'line' && query.direction === 'outgoing' ? 'day' : query.by
      return { ...query, by, from: addDays(today, 1 - length), to: today }
    })

  it('each table adds up to the figures, with any grouping, and each chart to the same', () => {
    forRuns(200, calls, queries, (listed, query) => {
      const all = listed.map((one, index) => (index % 7 === 6 ? { ...one, at: { raw: '0000' } } : one))
      const report = createReport(query, all)
      const { figures } = report.aggregate
      const table = showPersonal(report)
      if (getRows(table).length === 0) return
      const [, first = ''] = getHead(table)
      for (const [head, figure] of new Map([
        ['Missed', figures.missed],
        ['No answer', figures.missed],
        [first, figures.calls],
      ])) {
        if (!getHead(table).includes(head)) continue
        const numbers = getColumn(table, head).map((number) => Number(number.replaceAll(',', '')))
        expect(sum(numbers)).toBe(figure)
      }
      expect(getColumn(table, first)).not.toContain('0')
      const charts = drawChart(createView(report)).blocks
      for (const { chart } of charts) {
        const { categories } = chart.axis_config
        expect(categories.length).toBeLessThanOrEqual(20)
        expect(new Set(categories).size).toBe(categories.length)
        for (const label of categories) expect(label.length).toBeLessThanOrEqual(20)
      }
      const values = charts.flatMap(({ chart }) => chart.series.flatMap(({ data }) => data))
      if (charts.length > 0 && query.status === undefined)
        expect(sum(values.map(({ value }) => value))).toBe(figures.calls)
    })
  })

  it.each([
    ['hour', '2026-11-15', 24, 'Hour', '00:00', '00:00'],
    ['day', '2026-11-15', 7, 'Day', 'Sun 15 Nov', 'Sun 15 Nov'],
    ['day', '2026-10-22', 31, 'Day', 'Thu 22 Oct', 'Thu 22 Oct'],
    ['day', '2026-10-21', 5, 'Week', '21–25 Oct', '21–25 Oct'],
    ['day', '2026-03-01', 39, 'Week', '1 Mar', '1 Mar'],
    ['day', '2026-02-28', 10, 'Month', '28 Feb', '28 Feb'],
    ['day', '2024-11-21', 25, 'Month', '21–30 Nov 2024', '21–30 Nov 2024'],
  ] as const)('groups by %s since %s in %i rows and bars', (by, from, count, title, row, bar) => {
    const hours = (Date.parse('2026-11-21T14:00:00Z') - Date.parse(`${from}T00:00:00+01:00`)) / 3_600_000
    const all = Array.from({ length: hours }, (_, hour) =>
      call({ at: new Date(now.getTime() - hour * 3_600_000) }),
    )
    const report = createReport({ ...week, from: day(from), by }, all)
    const [chart, ...more] = drawChart(createView(report)).blocks
    expect(chart?.title).toBe(
      `Incoming calls per ${title.toLowerCase()}${more.length > 0 ? ' (1 of 2)' : ''}`,
    )
    const bars = [chart, ...more].flatMap((one) => one?.chart.axis_config.categories ?? [])
    expect([bars[0], bars.length]).toEqual([bar, count])
    const table = showPersonal(report)
    expect([getHead(table)[0], getRows(table)[0]?.[0], getRows(table).length]).toEqual([title, row, count])
  })

  it.each([
    ['hour', ['09:00', '10:00', '11:00']],
    ['weekday', ['Monday', 'Tuesday', 'Wednesday']],
    ['day', ['Mon 16 Nov', 'Tue 17 Nov', 'Wed 18 Nov']],
  ] as const)('a table by %s is in order of time, and its chart is summed up', (by, labels) => {
    const at = (text: string) => call({ at: new Date(`2026-11-${text}:00:00Z`), status: 'missed' })
    const all = ['17T09', '17T09', '18T10', '18T10', '18T10', '16T08'].map(at)
    const message = showPersonal(createReport({ ...week, by }, [call({ at: { raw: '' } }), ...all]))
    expect(getRows(message).map(([label]) => label)).toEqual([...labels, 'No time'])
    expect(message.text).toContain(`\nMost calls: ${labels[2]} (3). Most missed: ${labels[2]} (3).\n`)
  })

  it('leaves a tie out of the summary of a chart', () => {
    const all = [call(), call({ number: '1' }), call({ number: '2', status: 'missed' })]
    expect(drawChart(createView(createReport(week, all))).summary).toBe('Most missed: 2 (1).')
  })

  it('says in its text, too, that nobody has taken a call', () => {
    const { text, blocks } = showPersonal(createReport({ ...week, by: 'person' }, [call()]))
    const sentence = 'Nobody has taken a missed call of these days.'
    expect(JSON.stringify(blocks)).toContain(sentence)
    expect(text).toContain(sentence)
  })

  it.each([
    ['line', 30],
    ['agent', 3],
    ['hour', 24],
    ['weekday', 7],
    ['day', 30],
  ] as const)('a busy month fits a message with its chart: by %s in %i rows', async (by, count) => {
    const all = Array.from({ length: 2000 }, (_, index) =>
      call({
        id: String(index),
        at: new Date(now.getTime() - index * 21 * 60_000),
        number: `+4930231250${10 + (index % 30)}`,
        status: index % 3 === 0 ? 'missed' : 'answered',
        seconds: 3700 + index,
        cost: '12.0490',
      }),
    )
    const names = all.slice(0, 30).map(({ number }) => ({ number, name: `Customer service ${number}` }))
    const query = { ...week, from: day('2026-10-23'), by }
    const [sent] = await sentVariants(renderPersonal(createReport(query, all), new LineNames(names)), team)
    expect(sent.blocks.map(({ type }: { type: string }) => type)).toContain('data_visualization')
    expect(getRows(sent)).toHaveLength(count)
  })

  it('Slack accepts a personal, a shared and a scheduled report, and the form', async () => {
    const lines = new LineNames([{ number: '+493023125042', name: 'Sales <Berlin>' }])
    const workspaces = { findZone: async () => ({ zone: parseZone('UTC') }), getLineNames: async () => lines }
    const services = { workspaces, now: () => now.getTime() } as unknown as Services
    const interaction = { actor: { workspace: team }, channel: 'C1' } as Interaction
    const replyTo = { responseUrl: 'https://hooks.slack.com/x', message: '1', actionTs: '1' }
    await forRunsAsync(40, calls, queries, text, fc.boolean(), async (all, asked, name, ofAgent) => {
      const agent = ofAgent ? { agentId: 'a'.repeat(37), agentName: name.slice(0, 75) } : {}
      const query = { ...asked, ...agent }
      const view = createView(createReport(query, all, [{ id: '0', name }]), lines)
      for (const answer of [
        personalReport(view, '#general'),
        renderReport(view, { below: sharedFooter({ id: 'U1', name: 'x'.repeat(300) }) }),
        renderReport(view, { below: [] }),
      ]) {
        for (const message of (await sentVariants(answer, team)).slice(0, -1)) {
          expect(checkMessage(message)).toEqual([])
          expect(message.blocks.length).toBeGreaterThan(2)
          expect(message.text).not.toContain('<!')
        }
      }
      const form = await reportFilter.open(services, interaction, { replyTo } as Click, query)
      expect(checkView(form)).toEqual([])
    })
  })
})
