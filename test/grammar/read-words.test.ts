import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsGrammar, toListQuery } from '../../src/features/calls/query.ts'
import { reportCommand } from '../../src/features/reports/command.ts'
import {
  type Asked,
  agent,
  direction,
  type Filter,
  type Filtered,
  groupings,
  number,
  page,
  range,
  status,
  writeWords,
} from '../../src/grammar/filters.ts'
import { type Grammar, readWords } from '../../src/grammar/read-words.ts'
import { splitWords } from '../../src/grammar/words.ts'
import { addDays, lastDays, parseDay } from '../../src/time/days.ts'

const today = parseDay('2026-11-21')!
const read = (text: string, grammar: Grammar = callsGrammar) => readWords(splitWords(text), grammar, today)

const dayAgo = fc.integer({ min: 0, max: 700 }).map((days) => addDays(today, -days))
const days = fc.oneof(
  fc.constant({}),
  fc.tuple(dayAgo, dayAgo).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a })),
  dayAgo.map((from) => ({ from })),
  dayAgo.map((to) => ({ to })),
)
const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values)
/** An id, as the service may have one: with spaces, and with words in it that mean something. */
const agentId = fc.oneof(
  fc.stringMatching(/^[\w.-]{1,20}$/),
  fc.constantFrom('1001', 'missed', 'last week', 'page:2', '+44 20'),
)
const digits = fc.stringMatching(/^\d{4,17}$/)

const withoutUndefined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

/** What the words come to, with the agent's id as if it had been looked up. */
const asQuery = ({ agent: agentId, ...asked }: Asked) => withoutUndefined({ ...asked, agentId })

describe('a query as the words of a command', () => {
  const queries = fc
    .record({
      days,
      direction: oneOf('incoming', 'outgoing'),
      status: oneOf('answered', 'missed'),
      agentId: fc.option(agentId, { nil: undefined }),
      number: fc.option(digits, { nil: undefined }),
      page: oneOf(2, 7, 999_999),
    } as const)
    .map(({ days: own, ...rest }): Filtered => ({ ...own, ...rest }))

  it('is read as the same query, in any order of the words', () => {
    fc.assert(
      fc.property(queries, fc.infiniteStream(fc.nat()), (query, places) => {
        const text = writeWords(callsGrammar.filters, query)
        const shuffled = splitWords(text)
          .map(({ written }) => ({ written, place: places.next().value ?? 0 }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ written }) => written)
        for (const words of [text, shuffled.join(' ')]) {
          const { asked, problems } = read(words)
          expect(problems).toEqual([])
          expect(asQuery(asked)).toEqual(withoutUndefined(query))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is that of a report too', () => {
    const reports = fc.record({
      days: fc
        .tuple(dayAgo, fc.nat({ max: 20 }))
        .map(([from, count]) => ({ from, to: addDays(from, count) })),
      by: fc.constantFrom(...groupings),
      agentId: fc.option(agentId, { nil: undefined }),
    })
    fc.assert(
      fc.property(reports, ({ days: own, ...rest }) => {
        const query = { ...own, ...rest }
        const { asked, problems } = read(
          writeWords(reportCommand.grammar.filters, query),
          reportCommand.grammar,
        )
        expect(problems).toEqual([])
        expect(asQuery(asked)).toEqual(withoutUndefined(query))
      }),
    )
  })
})

describe('values in quotes', () => {
  it('are one value, whichever quotes a keyboard has', () => {
    const quotes = fc.constantFrom(
      ['"', '"'],
      ['“', '”'],
      ['”', '”'],
      ['„', '“'],
      ['«', '»'],
      ['“', '"'.slice(1)],
    )
    const names = fc.stringMatching(/^[A-Za-z0-9:.' -]{1,30}$/).filter((name) => name.trim() !== '')
    fc.assert(
      fc.property(quotes, names, ([open = '', close = ''], name) => {
        const { asked, problems } = read(`agent:${open}${name}${close}`)
        expect(problems).toEqual([])
        expect(asked).toEqual({ agent: name.trim() })
        fc.pre(close !== '')
        expect(read(`missed agent:${open}${name}${close} out`).asked).toEqual({
          agent: name.trim(),
          status: 'missed',
          direction: 'outgoing',
        })
      }),
    )
  })
})

describe('whatever is typed', () => {
  const typed = fc.oneof(
    fc.constantFrom(
      'missed',
      'in',
      'last',
      '7',
      'days',
      'since',
      '5',
      'Nov',
      '..',
      'today',
      'yesterday',
      'monday',
    ),
    fc.constantFrom(
      'agent:',
      'agent:anna',
      'line:x',
      'number:',
      '0042',
      '+44',
      'page:0',
      'from:',
      'to:today',
    ),
    fc.constantFrom('constructor', '__proto__', 'toString:1', 'hasOwnProperty', '"', '“', 'by:day', '31.12.'),
    fc.string({ maxLength: 8 }),
  )

  it('is read, or is named word for word; and what was probably meant is understood', () => {
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 8 }), (parts) => {
        const text = parts.join(' ')
        const { problems, meant } = read(text)
        for (const problem of problems) expect(problem.text).not.toBe('')
        if (meant !== undefined) expect(read(meant).problems).toEqual([])
        if (problems.length === 0) expect(meant).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'status:constructor',
    'constructor:1',
  ])('%s is no word of ours', (text) => {
    expect(read(text).problems).toMatchObject([
      {
        text: `"${text}" isn't recognised.${text.startsWith('status') ? ' Write status:answered or status:missed.' : ''}`,
      },
    ])
  })
})

describe('the words that the contract lists', () => {
  it.each<[string, Asked]>([
    ['missed monday', { status: 'missed', from: parseDay('2026-11-16'), to: parseDay('2026-11-16') }],
    ['5 Nov', { from: parseDay('2026-11-05'), to: parseDay('2026-11-05') }],
    ['since yesterday missed', { status: 'missed', from: parseDay('2026-11-20') }],
    ['from:"5 Nov" to:yesterday', { from: parseDay('2026-11-05'), to: parseDay('2026-11-20') }],
    ['+442079460042', { number: '442079460042' }],
    [
      '+44 20 7946 0042 5 Nov',
      { number: '442079460042', from: parseDay('2026-11-05'), to: parseDay('2026-11-05') },
    ],
    ['number:030 12-34', { number: '0301234' }],
    ['030-1234567 out', { number: '0301234567', direction: 'outgoing' }],
    ['line:Sales Berlin in', { line: 'Sales Berlin', direction: 'incoming' }],
    ['agent: Anna', { agent: 'Anna' }],
  ])('%s', (text, asked) => {
    expect(read(text)).toMatchObject({ problems: [], asked })
  })

  it.each([
    ['last 367 days', '"last 367 days": the limit is 366 days. '],
    ['29 Feb 2026', '"29 Feb 2026" isn\'t a date.'],
    ['31.12.', '"31.12." isn\'t a date.'],
    ['2026-11-31..2026-12-05', '"2026-11-31..2026-12-05" isn\'t a date.'],
    ['24.12..26.12.', '"24.12..26.12." isn\'t a date.'],
    ['2026-11-05..', '"2026-11-05.." isn\'t a date.'],
    ['24/11/2026..25/11/2026', '"24/11/2026..25/11/2026" isn\'t a date.'],
    ['number:0042 2026-11-31', '"2026-11-31" isn\'t a date.'],
    ['0042 24/11/2026', '"24/11/2026" isn\'t a date.'],
    ['5 Nov..1 Nov', 'In "5 Nov..1 Nov" the end date is before the start date.'],
    ['123', '"123" isn\'t recognised.'],
    ['line:5042 number:1234', 'Choose line: or number:, not both.'],
  ])('%s: %s', (text, problem) => {
    const { problems } = read(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.text).toContain(problem)
  })

  it('a number alone is looked for in both directions, as after its key; of a line there are incoming calls alone', () => {
    expect(toListQuery(read('0042').asked)).toMatchObject({ direction: 'both', number: '0042', page: 1 })
    expect(toListQuery(read('line:0042').asked)).toMatchObject({ direction: 'incoming' })
    expect(toListQuery(read('').asked)).toMatchObject({ direction: 'incoming', page: 1 })
    expect(read('since yesterday', reportCommand.grammar).asked).toEqual({ from: '2026-11-20' })
    expect(reportCommand.complete({ from: parseDay('2026-11-20') }, today)).toMatchObject({ to: today })
    expect(reportCommand.complete({}, today)).toMatchObject(lastDays(7, today))
  })
})

it('each value is read by its filter alone, wherever it comes from', () => {
  const value = (filter: Filter, text: string) => filter.read(text, today)
  expect(value(direction, 'In')).toEqual({ asked: { direction: 'incoming' } })
  expect(value(direction, 'constructor')).toBeUndefined()
  expect(value(status, 'MISSED')).toEqual({ asked: { status: 'missed' } })
  expect(value(range, 'last 2 days')).toEqual({ asked: lastDays(2, today) })
  expect(value(range, 'next year')).toBeUndefined()
  expect(value(agent, 'Anna Smith')).toEqual({ asked: { agent: 'Anna Smith' } })
  expect(value(number, '+44 (0)20 7946 0042')).toEqual({ asked: { number: '442079460042' } })
  expect(value(page, '3')).toEqual({ asked: { page: 3 } })
  expect(value(page, 'x')).toEqual({ problem: '"page:x" isn\'t a page. Pages count from 1.', meant: '1' })
})
