import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reportCommand } from '../../src/features/reports/query.ts'
import { callFilters, writeWords } from '../../src/query/filters/call-filters.ts'
import type { Filter, ParsedFilters, ResolvedFilters } from '../../src/query/filters/filter.ts'
import { parseWords } from '../../src/query/parse.ts'
import { toListQuery } from '../../src/query/query.ts'
import { splitWords } from '../../src/slack/routing/words.ts'
import { addDays, parseDay } from '../../src/time/days.ts'
import { forAll, forRuns } from '../support/properties.ts'

const today = parseDay('2026-11-21')!
const parse = (text: string, grammar: readonly Filter[] = callFilters) =>
  parseWords(splitWords(text), grammar, today)

const dayAgo = fc.integer({ min: 0, max: 700 }).map((days) => addDays(today, -days))
const days = fc.oneof(
  fc.constant({}),
  fc.tuple(dayAgo, dayAgo).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a })),
  dayAgo.map((from) => ({ from })),
  dayAgo.map((to) => ({ to })),
)
const optional = <const T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values)
/** Agent ids, which may contain spaces and words with a meaning. */
const agentId = fc.oneof(
  fc.stringMatching(/^[\w.-]{1,20}$/),
  fc.constantFrom('1001', '«1001»', 'missed', 'last week', 'page:2', '+44 20'),
)
const digits = fc.stringMatching(/^\d{4,17}$/)

const withoutUndefined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

/** Returns the query as if the agent had been looked up. */
const asQuery = ({ agent: agentId, ...filters }: ParsedFilters) => withoutUndefined({ ...filters, agentId })

const queries = fc
  .record({
    days,
    direction: optional('incoming', 'outgoing'),
    status: optional('answered', 'missed'),
    hours: optional('morning', 'afternoon', 'evening'),
    agentId: fc.option(agentId, { nil: undefined }),
    number: fc.option(digits, { nil: undefined }),
    page: optional(2, 7, 999_999),
  } as const)
  .map(({ days: own, ...rest }): ResolvedFilters => ({ ...own, ...rest }))

it('a query written as a command parses as the same query, in any order of the words', () => {
  forRuns(500, queries, fc.infiniteStream(fc.nat()), (query, places) => {
    const text = writeWords(query)
    const shuffled = splitWords(text)
      .map(({ written }) => ({ written, place: places.next().value ?? 0 }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ written }) => written)
    for (const words of [text, shuffled.join(' ')]) {
      const { filters, names, problem } = parse(words)
      expect({ names, problem }).toEqual({ names: [], problem: undefined })
      expect(asQuery(filters)).toEqual(withoutUndefined(query))
    }
  })
})

it('accepts any pair of quotes around a value', () => {
  const quotes = fc.constantFrom(['"', '"'], ['“', '”'], ['”', '”'], ['„', '“'], ['«', '»'], ['“', ''])
  const names = fc.stringMatching(/^[A-Za-z0-9:.' -]{1,30}$/).filter((name) => name.trim() !== '')
  forAll(quotes, names, ([open = '', close = ''], name) => {
    const agent = name.trim()
    expect(parse(`agent:${open}${name}${close}`)).toMatchObject({ problem: undefined, filters: { agent } })
    fc.pre(close !== '')
    const { filters } = parse(`missed agent:${open}${name}${close} out`)
    expect(filters).toEqual({ agent, status: 'missed', direction: 'outgoing' })
  })
})

describe('any text', () => {
  const colons = 'agent: agent:anna line:x number: number:anna number 0042 +44 page:0 from: agent'.split(' ')
  const typed = fc.oneof(
    fc.constantFrom('missed', 'in', 'last', '7', 'days', 'since', '5', 'Nov', '..', 'today', 'monday'),
    fc.constantFrom(...colons),
    fc.constantFrom('constructor', '__proto__', 'toString:1', 'hasOwnProperty', '"', '“', 'by:day', '31.12.'),
    fc.string({ maxLength: 8 }),
  )

  it('is parsed, or explained in one sentence with a suggestion that can be parsed', () => {
    forRuns(1000, fc.array(typed, { maxLength: 8 }), (parts) => {
      const { problem, names, suggest } = parse(parts.join(' '))
      expect(problem).not.toBe('')
      const suggested = suggest()
      const count = suggested === undefined ? 0 : splitWords(suggested).length
      if (suggested !== undefined && problem === undefined)
        expect(count).toBe(splitWords(parts.join(' ')).length)
      if (suggested !== undefined) expect(parse(suggested)).toMatchObject({ problem: undefined, names: [] })
      if (problem === undefined && names.length === 0) expect(suggested).toBeUndefined()
    })
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])('%s is a name', (text) => {
    expect(parse(text)).toMatchObject({ filters: {}, names: [text], problem: undefined })
  })

  it.each([
    ['status:constructor', 'Write status:answered or status:missed.'],
    ['constructor:1', 'I didn\'t understand "constructor:1".'],
  ])('%s is not a value', (text, problem) => {
    expect(parse(text).problem).toContain(problem)
  })
})

describe('the work of parsing', () => {
  /** Counts the texts that the filters look at. */
  function countSteps(text: string): number {
    let steps = 0
    const filters = reportCommand.grammar.map((filter) => ({
      ...filter,
      parse(...typed: Parameters<typeof filter.parse>) {
        steps += 1
        return filter.parse(...typed)
      },
    }))
    parse(text, filters).suggest()
    return steps
  }

  const words = 'a,1,last,agent:a,agent,from,from:5,number:,number:a,"a",5 Nov,x:y'.split(',')

  it.each(words)('is constant for each word of many times %s', (word) => {
    const [fifty, thousand] = [50, 1000].map((count) => countSteps(`${word} `.repeat(count)) / count)
    expect(fifty).toBeLessThan(120)
    expect(thousand).toBeLessThanOrEqual((fifty ?? 0) * 1.2)
  })

  it('is constant for one word of 8,000 characters', () => {
    expect(countSteps('a'.repeat(8000))).toBeLessThan(50)
    expect(countSteps('1'.repeat(8000))).toBeLessThan(50)
  })

  it('is constant for each word of any mixture', () => {
    forAll(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 50 }), (mixed) => {
      expect(countSteps(mixed.join(' ')) / mixed.length).toBeLessThan(150)
    })
  })
})

describe('the words that the contract lists', () => {
  const nov = (date: number) => parseDay(`2026-11-${String(date).padStart(2, '0')}`)

  it.each<[string, ParsedFilters]>([
    ['missed monday', { status: 'missed', from: nov(16), to: nov(16) }],
    ['5 Nov', { from: nov(5), to: nov(5) }],
    ['since yesterday missed', { status: 'missed', from: nov(20) }],
    ['from:"5 Nov" to:yesterday', { from: nov(5), to: nov(20) }],
    ['+442079460042', { number: '442079460042' }],
    ['+44 20 7946 0042 5 Nov', { number: '442079460042', from: nov(5), to: nov(5) }],
    ['number:030 12-34', { number: '0301234' }],
    ['030-1234567 out', { number: '0301234567', direction: 'outgoing' }],
    ['line:Sales Berlin in', { line: 'Sales Berlin', direction: 'incoming' }],
    ['agent: Anna', { agent: 'Anna' }],
    ['agent:anna de la cruz today', { agent: 'anna de la cruz', from: nov(21), to: nov(21) }],
    ['agent:"«1001»" in', { agent: '«1001»', direction: 'incoming' }],
    ['agent:«"Anna" Smith» in', { agent: '"Anna" Smith', direction: 'incoming' }],
    ['agent: "anna smith" in', { agent: 'anna smith', direction: 'incoming' }],
  ])('%s', (text, filters) => {
    expect(parse(text)).toMatchObject({ problem: undefined, names: [], filters })
  })

  it.each([
    ['number 0042', 'number:0042'],
    ['from monday', 'from:monday'],
    ['from:5 Nov missed to: 7 nov', '2026-11-05..2026-11-07 missed'],
    ['from 5 Nov to 7 Nov', '2026-11-05..2026-11-07'],
    ['nov 5th - 7 November 2026', '2026-11-05..2026-11-07'],
    ['5-7 Nov', '2026-11-05..2026-11-07'],
    ['between monday and wednesday', '2026-11-16..2026-11-18'],
    ['last saturday', '2026-11-14'],
    ['until yesterday', 'to:yesterday'],
    ['this year', '2026-01-01..2026-12-31'],
    ['last 2 weeks', 'last 14 days'],
    ['last 3 months', 'last 92 days'],
    ['page 2 not answered', 'missed page:2'],
    ['unanswered yesterday', 'missed yesterday'],
    ['outbound status missed', 'outgoing missed'],
    ['agent anna smith missed', 'agent:"anna smith" missed'],
    ['line "Support Berlin" today', 'line:"Support Berlin" today'],
  ])('%s means %s', (text, written) => {
    expect(parse(text)).toMatchObject({ problem: undefined, names: [], filters: parse(written).filters })
  })

  it.each([
    ['last 367 days', '"last 367 days": write 1 to 366 days. '],
    ['29 Feb 2026', '"29 Feb 2026" isn\'t a date.'],
    ['31.11.', '"31.11." isn\'t a date.'],
    ['2026-11-31', '"2026-11-31" isn\'t a date. Write it as 2026-11-05, 5 Nov, today or yesterday.'],
    ['outgoing to:2026-11-31', '"2026-11-31" isn\'t a date.'],
    ['from:"5 Nov evening"', '"5 Nov evening" isn\'t a date.'],
    ['to:"last week"', '"last week" isn\'t a date.'],
    ['2026-11-31..2026-12-05', '"2026-11-31..2026-12-05" isn\'t a date.'],
    ['2026-11-05..', '"2026-11-05.." isn\'t a date.'],
    ['24/11/2026..25/11/2026', '24 Nov 2026 is in the future.'],
    ['number:0042 2026-11-31', '"2026-11-31" isn\'t a date.'],
    ['0042 31/11/2026', '"31/11/2026" isn\'t a date.'],
    ['0042 5/11', 'Does "5/11" mean 5 Nov 2026 or 11 May 2026?'],
    ['5 Nov..1 Nov', 'In "5 Nov..1 Nov" the end date is before the start date.'],
    ['from:5 Nov to:1 Nov', 'The end date (2026-11-01) is before the start date (2026-11-05).'],
    ['tomorrow', '22 Nov 2026 is in the future.'],
    ['missed answered', 'Choose "missed" or "answered", not both.'],
    ['number:anna', 'I didn\'t understand "number:anna". Add 4 to 17 digits'],
    ['number:123', 'I didn\'t understand "number:123". Add 4 to 17 digits: number:79460042.'],
    ['number:123456789012345678', 'Add 4 to 17 digits'],
    ['number:1234 number:5678', 'Choose "number:1234" or "number:5678", not both.'],
    ['page:0', "There's no page 0."],
    ['page:', 'I didn\'t understand "page:". Add a number: page:2.'],
    ['colour:blue missed', 'I didn\'t understand "colour:blue".'],
  ])('%s: %s', (text, problem) => {
    expect(parse(text).problem).toContain(problem)
  })

  it('a number is searched in both directions, a line in incoming calls', () => {
    expect(toListQuery(parse('0042').filters)).toMatchObject({ direction: 'both', number: '0042', page: 1 })
    expect(toListQuery(parse('line:0042').filters)).toMatchObject({ direction: 'incoming' })
    expect(toListQuery(parse('').filters)).toMatchObject({ direction: 'incoming', page: 1 })
  })
})

it.each([
  ['Anna Smith', ['Anna Smith']],
  ['missed Anna Smith last week', ['Anna Smith']],
  ['Anna yesterday Sales', ['Anna', 'Sales']],
  ['"Sales London" "Anna Smith" page:2', ['Sales London', 'Anna Smith']],
  ['"missed"', ['missed']],
  ['123', ['123']],
  ['agent:"anna smith" jones', ['jones']],
])('%s has these words outside the grammar: %j', (text, names) => {
  expect(parse(text)).toMatchObject({ problem: undefined, names })
})

describe('the suggested command', () => {
  it.each([
    ['mised yesterday', 'missed yesterday'],
    ['outgoin lst week', 'outgoing last week'],
    ['last 7 dais', 'last 7 days'],
    ['form:2026-11-05', 'from:2026-11-05'],
    ['status:mised page:0', 'status:missed page:1'],
    ['2026-11-05..2026-11-01', '2026-11-01..2026-11-05'],
    ['mised agent:"Anna Smith"', 'missed agent:"Anna Smith"'],
    ['agnet:"Anna Smith"', 'agent:"Anna Smith"'],
    ['missed mondya', 'missed monday'],
    ['to:fridy', 'to:friday'],
  ])('for %s: %s', (text, suggested) => {
    expect(parse(text).suggest()).toBe(suggested)
  })

  it.each([
    ...['missed answered', 'from:soon', 'tomorrow', 'missed', 'missed xyzzy'],
    ...['mised xyzzy', 'who took what', 'mised x:y', 'mised "Anna"'],
  ])('for %s: none', (text) => {
    expect(parse(text).suggest()).toBeUndefined()
  })
})
