import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { Aggregator, type CallFigures } from '../../../src/features/reports/aggregate.ts'
import { reportCommand } from '../../../src/features/reports/command.ts'
import { reportFilter } from '../../../src/features/reports/filter-form.ts'
import { planReport, type Report } from '../../../src/features/reports/report.ts'
import { postedReport, reportMessage } from '../../../src/features/reports/view.ts'
import {
  comparisonText,
  factsFor,
  missedRate,
  totalsDaysText,
  unparsedTexts,
} from '../../../src/features/reports/words.ts'
import { groupings } from '../../../src/grammar/filters.ts'
import { parseWords } from '../../../src/grammar/parse-words.ts'
import { splitWords } from '../../../src/grammar/words.ts'
import type { ReportQuery } from '../../../src/slack/blocks/links.ts'
import type { Answer } from '../../../src/slack/deliver/answer.ts'
import { attributed } from '../../../src/slack/deliver/post-messages.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import type { Money } from '../../../src/telephony/money.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { addDays, parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { anyCharacter } from '../../support/properties.ts'
import { sentForms } from '../../support/sent-forms.ts'
import { headOf, rowsOf } from '../../support/shown.ts'

const day = (text: string) => parseDay(text)!
const today = day('2026-11-21')
const now = new Date('2026-11-21T14:00:00Z')
const berlin = parseZone('Europe/Berlin')!
const team = { teamId: 'T1', enterpriseId: undefined }

/** A report of these calls, in both periods. */
function reportOf(query: ReportQuery, calls: readonly Call[], zone = berlin): Report {
  const plan = planReport(query, zone, now)
  const of = (period: Report['plan']['period']) => {
    const aggregator = new Aggregator({ period, zone, line: query.line })
    for (const call of calls) aggregator.add(call)
    return aggregator.result
  }
  const aggregate = of(plan.period)
  const { figures } = aggregate
  return { plan, figures, before: of(plan.before).figures, isBeforeOfTotals: false, aggregate, count: 1 }
}

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

describe('the words of /calls report', () => {
  const read = (text: string) => {
    const { filters, ...parsed } = parseWords(splitWords(text), reportCommand.grammar, today)
    const { agent, line } = filters
    return { ...parsed, agent, line, query: reportCommand.complete(filters, today) }
  }

  it('are the last 7 days in both directions by line, where there are none', () => {
    expect(read('')).toMatchObject({
      query: { from: '2026-11-15', to: '2026-11-21', direction: undefined, by: 'line' },
      problem: undefined,
    })
  })

  it.each([
    ['yesterday out', { from: '2026-11-20', to: '2026-11-20', direction: 'outgoing', by: 'day' }],
    ['by:weekday last month incoming', { from: '2026-10-01', direction: 'incoming', by: 'weekday' }],
    ['BY:Agent 2026-11-01..2026-11-05', { from: '2026-11-01', to: '2026-11-05', by: 'agent' }],
  ])('%s', (text, query) => expect(read(text)).toMatchObject({ query, problem: undefined }))

  it('take names without quotes, up to a word that means something', () => {
    expect(read('agent:Anna Smith last week')).toMatchObject({
      agent: 'Anna Smith',
      query: { to: '2026-11-15' },
    })
    expect(read('line:Sales Berlin by:hour')).toMatchObject({ line: 'Sales Berlin', query: { by: 'hour' } })
    expect(read('line:+49 30 2312 5042')).toMatchObject({ line: '+49 30 2312 5042' })
    expect(read('agent:"out today" in')).toMatchObject({
      agent: 'out today',
      query: { direction: 'incoming' },
    })
  })

  it.each([
    ['yesterdey', 'yesterday'],
    ['lst 7 days', 'last 7 days'],
    ['by:wekday', 'by:weekday'],
    ['2026-11-05..2026-11-01', '2026-11-01..2026-11-05'],
    ['agnt:anna', 'agent:anna'],
    ['xyzzy', ''],
  ])('for %s: suggests %s', (text, suggested) => {
    expect(read(text).suggest()).toBe(suggested)
  })

  it.each(['by:moon', 'outgoing by:line', 'line:sales outgoing', 'by:', 'agent:'])(
    'for %s: suggests nothing',
    (text) => {
      expect(read(text).problem).toBeDefined()
      expect(read(text).suggest()).toBeUndefined()
    },
  )
})

describe('figures in words', () => {
  const money = (units: bigint, scale = 4): Money => ({ symbol: '', units, scale })
  const of = (calls: number, missed: number, seconds: number, cost: Money) => ({
    calls,
    answered: calls - missed,
    missed,
    seconds,
    averageSeconds: 61,
    cost,
  })
  const none = { calls: undefined, answered: undefined, missed: undefined }
  const factsOf = (incoming: CallFigures, before: CallFigures) => {
    const query = { from: today, to: today, direction: 'incoming', by: 'day', details: true } as const
    const figures = { incoming, outgoing: none }
    return factsFor({ ...reportOf(query, []), figures, before: { incoming: before, outgoing: none } })
  }

  it.each([
    ['10 of 30 after 10 of 60', [30, 10], [60, 10], '33.3% (+16.7 points)'],
    ['10 of 60 after 10 of 30', [60, 10], [30, 10], '16.7% (−16.7 points)'],
    ['20 of 60 after 10 of 30', [60, 20], [30, 10], '33.3% (no change)'],
    ['10 of 30 after none of 40', [30, 10], [40, 0], '33.3% (+33.3 points)'],
    ['10 of 30 after no call', [30, 10], [0, 0], '33.3%'],
    ['10 of 30 after few calls', [30, 10], [9, 1], '33.3%'],
    ['few calls', [9, 3], [60, 10], '33.3%'],
  ] as const)('round the change of a rate once: %s', (_, [calls, missed], [earlier, missedEarlier], rate) => {
    const [now, before] = [of(calls, missed, 0, money(0n)), of(earlier, missedEarlier, 0, money(0n))]
    const [facts = []] = factsOf(now, before)
    expect(facts[1]?.value.split(' · ')[1]).toBe(rate)
  })

  it('say what changed, and nothing where the other is not known', () => {
    const now = of(133, 29, 11_720, money(123_405n))
    const [facts = []] = factsOf(now, of(121, 32, 11_000, money(130_000n)))
    expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'Incoming: 133 (+12)',
      'Missed: 29 (−3) · 21.8% (−4.6 points)',
      'Talk time: 3 h 15 min (+12 min)',
      'Answered: 104 (+15)',
      'Average length: 1 min 1 s (no change)',
      'Cost: 12.3405 (−0.6595)',
    ])
    const [unknown = []] = factsOf(of(1, 1, 0, money(0n)), none)
    expect(unknown.map(({ value }) => value)).toEqual([
      '1',
      '1 · 100.0%',
      '0 min',
      '0',
      '1 min 1 s',
      '0.0000',
    ])
    expect(missedRate({ calls: 0, answered: 0, missed: 0 })).toBe('–')
  })

  it('say what was not understood, and what that leaves out', () => {
    const query: ReportQuery = { from: day('2026-11-15'), to: today, by: 'line' }
    const odd = reportOf(query, [
      call({ seconds: { raw: 'n/a' } }),
      call({ status: { raw: '' } }),
      call({ status: { raw: 'VOICEMAIL' } }),
    ])
    expect(unparsedTexts(odd)).toEqual([
      '1 incoming call has a length that can\'t be read ("n/a"). It counts as a call, but not towards the talk time.',
      "2 incoming calls have a result that can't be read (empty). They count as calls, but neither as answered nor as missed.",
    ])
  })

  it('say what they are compared with, where there is enough to compare', () => {
    const compared = (query: ReportQuery, more: Partial<Report> = {}) => {
      const report = reportOf(query, [])
      const figures = { incoming: of(10, 1, 0, money(0n)), outgoing: none }
      return comparisonText({ ...report, figures, before: figures, ...more }, today)
    }
    const week: ReportQuery = { from: day('2026-11-15'), to: today, by: 'line' }
    expect(compared(week)).toBe('Compared with 8–14 Nov, up to Sat 15:00.')
    expect(compared(week, { isBeforeOfTotals: true })).toBe(
      'Compared with 8–14 Nov, including the whole last day.',
    )
    const past = { from: day('2026-11-01'), to: day('2026-11-01'), by: 'hour' } as const
    expect(compared(past)).toBe('Compared with 31 Oct.')
    const before = { incoming: of(9, 1, 0, money(0n)), outgoing: none }
    expect(compared(week, { before })).toBeUndefined()
  })

  it("say of the service's totals that their days are of one offset, over a clock change alone", () => {
    const query: ReportQuery = { from: day('2026-10-20'), to: day('2026-10-26'), by: 'agent' }
    const over = { ...reportOf(query, []), agents: [] }
    expect(totalsDaysText(over)).toContain('The totals by agent are of days at UTC+02:00 throughout')
    const after = { ...reportOf({ ...query, from: day('2026-10-26') }, []), agents: [] }
    expect(totalsDaysText(after)).toBeUndefined()
    expect(totalsDaysText(reportOf(query, []))).toBeUndefined()
  })
})

describe('whatever the service holds', () => {
  const text = fc.oneof(
    fc.constantFrom('', '<!channel>', '&'.repeat(200), '电'.repeat(200), '+493023125042', '0'.repeat(201)),
    fc.string({ unit: anyCharacter, maxLength: 200 }),
  )
  const calls = fc.array(
    fc.record({
      number: text,
      direction: fc.constantFrom('incoming' as const, 'outgoing' as const),
      minutesAgo: fc.nat({ max: 60 * 24 * 400 }),
      status: fc.oneof(
        fc.constantFrom('answered' as const, 'missed' as const),
        text.map((raw) => ({ raw })),
      ),
      seconds: fc.oneof(
        fc.nat({ max: 10 ** 8 }),
        text.map((raw) => ({ raw })),
      ),
      cost: fc.oneof(
        fc.constantFrom('0', '-0.1', '9'.repeat(30), `0.${'1'.repeat(30)}`),
        text.map((raw) => ({ raw })),
      ),
    }),
    { maxLength: 120 },
  )
  const queries = fc.record({
    length: fc.integer({ min: 1, max: 732 }),
    direction: fc.constantFrom(undefined, 'incoming' as const, 'outgoing' as const),
    by: fc.constantFrom(...groupings),
    agent: fc.boolean(),
  })

  it('each table adds up to its last row, and to the figures, whatever it is told apart by', async () => {
    const someAgents = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(calls, queries, someAgents, async (listed, { length, direction, by }, counts) => {
        const query: ReportQuery = { from: addDays(today, 1 - length), to: today, direction, by }
        const all = listed.map(({ minutesAgo, ...own }, index) => {
          const at = new Date(now.getTime() - minutesAgo * 60_000)
          return call({ ...own, id: String(index), at: index % 7 === 6 ? { raw: '0000' } : at })
        })
        const report = reportOf(query, all)
        const { incoming, outgoing } = report.figures
        // Each has calls that the figures hold too.
        let left = Math.min(incoming.answered!, incoming.missed!, outgoing.answered!, outgoing.missed!)
        const agents = counts.map(([answered, missed], index) => {
          const [own, other] = [Math.min(answered, left), Math.min(missed, left)]
          left -= Math.max(own, other)
          const figures = { calls: own + other, answered: own, missed: other }
          return {
            id: String(index),
            name: `Agent ${index}`,
            figures: { incoming: figures, outgoing: figures },
          }
        })
        const view = { report: { ...report, agents }, lines: LineNames.none, now, nonce: 'nonce-12' }
        const table = postedReport(view).message as unknown as Message
        const [total, ...rows] = rowsOf(table).reverse()
        if (!total) return
        expect(total[0]).toBe('Total')
        for (const [column, head] of headOf(table).entries()) {
          const of = { Incoming: incoming.calls, Missed: incoming.missed, Outgoing: outgoing.calls }
          const figure = head === 'No answer' ? outgoing.missed : of[head as keyof typeof of]
          if (figure === undefined) continue
          const numbers = rows.map((row) => Number(row[column]?.replaceAll(',', '')))
          expect(numbers.reduce((sum, one) => sum + one, 0)).toBe(figure)
          expect(total[column]).toBe(figure.toLocaleString('en'))
        }
        const isCount = (text: string) => /^[\d,]+$/.test(text)
        for (const [, ...cells] of rows) expect(cells.filter(isCount).some((text) => text !== '0')).toBe(true)
        expect(rows.length).toBeLessThanOrEqual(26)
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['hour', ['09:00', '10:00', '11:00']],
    ['weekday', ['Monday', 'Tuesday', 'Wednesday']],
    ['day', ['Mon 16 Nov', 'Tue 17 Nov', 'Wed 18 Nov']],
  ] as const)('a table by %s is in order of time, whichever has the most missed calls', (by, labels) => {
    const of = (text: string) => call({ at: new Date(`2026-11-${text}:00:00Z`), status: 'missed' })
    const all = [of('17T09'), of('17T09'), of('18T10'), of('18T10'), of('18T10'), of('16T08')]
    const report = reportOf({ from: day('2026-11-15'), to: today, by }, all)
    const { message } = postedReport({ report, lines: LineNames.none, now, nonce: 'nonce-12' })
    expect(rowsOf(message as unknown as Message).map(([label]) => label)).toEqual([...labels, 'Total'])
  })

  it('a report, its post and its preview are what Slack takes, with their table', async () => {
    await fc.assert(
      fc.asyncProperty(calls, queries, text, async (listed, { length, direction, by, agent }, name) => {
        const query: ReportQuery = {
          from: addDays(today, 1 - length),
          to: today,
          direction,
          by,
          ...(agent ? { agentId: 'a'.repeat(37), agentName: name.slice(0, 75) } : {}),
        }
        const all = listed.map(({ minutesAgo, ...own }, index) =>
          call({ ...own, id: String(index), at: new Date(now.getTime() - minutesAgo * 60_000) }),
        )
        const lines = new LineNames([{ number: '+493023125042', name: 'Sales <Berlin>' }])
        const agents = listed.map(({ number }, index) => ({
          id: String(index),
          name: number,
          figures: reportOf(query, []).figures,
        }))
        const report = { ...reportOf(query, all), ...(by === 'agent' ? { agents } : {}) }
        const view = { report, lines, now, nonce: 'nonce-12' }
        for (const answer of [
          reportMessage(view),
          attributed(postedReport(view), 'x'.repeat(300)),
        ] as Answer[]) {
          const forms = await sentForms(answer, team)
          for (const message of forms.slice(0, -1)) {
            expect(checkMessage(message)).toEqual([])
            expect(message.blocks.length).toBeGreaterThan(2)
            expect(message.text).not.toContain('<!')
          }
        }
        const place = { responseUrl: 'https://hooks.slack.com/x', message: '1', actionTs: '1', query }
        const form = reportFilter.view({ team, channel: 'C1' }, place, 'UTC', { setting: lines })
        expect(checkView(form)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})
