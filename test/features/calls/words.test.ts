import { describe, expect, it } from 'vitest'
import { type CallsView, fillCallTable } from '../../../src/features/calls/columns.ts'
import { renderPrivateList, renderSharedList } from '../../../src/features/calls/view.ts'
import { formatTitle } from '../../../src/features/calls/words.ts'
import type { ListQuery } from '../../../src/query/query.ts'
import { requestText } from '../../../src/query/texts.ts'
import { shortTableLines, tableBlock, tableLines } from '../../../src/slack/blocks/tables.ts'
import type { Answer } from '../../../src/slack/deliver/answers.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'

const day = (text: string) => parseDay(text)!
const today = day('2026-11-21')
const zone = parseZone('Europe/Berlin')!
const now = new Date('2026-11-21T12:00:00Z')
const incoming: ListQuery = { direction: 'incoming', page: 1 }

describe('a list in words', () => {
  const range = (from: string, to: string) => ({ from: day(from), to: day(to) })

  const smith = { agentId: '7', agentName: 'Anna Smith', ...range('2026-11-21', '2026-11-21') }
  const unanswered = { direction: 'outgoing', status: 'missed' } as const
  const long = { longer: 300, ...range('2026-11-05', '2026-11-05') }

  it.each<[Partial<ListQuery>, title: string]>([
    [{}, 'Incoming calls'],
    [{ status: 'missed' }, 'Missed calls'],
    [unanswered, 'Unanswered outgoing calls'],
    [smith, 'Anna Smith: incoming calls today'],
    [range('2026-11-09', '2026-11-15'), 'Incoming calls last week'],
    [range('2026-11-08', '2026-11-15'), 'Incoming calls, 8–15 Nov'],
    [range('2026-10-28', '2026-11-03'), 'Incoming calls, 28 Oct – 3 Nov'],
    [range('2025-12-28', '2026-01-03'), 'Incoming calls, 28 Dec 2025 – 3 Jan 2026'],
    [{ from: day('2025-12-30') }, 'Incoming calls since 30 Dec 2025'],
    [{ to: today }, 'Incoming calls until 21 Nov'],
    [long, 'Incoming calls longer than 5 minutes on 5 Nov'],
  ])('%j: %s', (query, title) => {
    const counted = (count: string) =>
      title.replace(/^(.*: )?(\w)/, (_, name = '', first = '') => `${name}${count} ${first.toLowerCase()}`)
    expect(formatTitle(createView(1, undefined, query))).toBe(title)
    expect(formatTitle(createView(1, 0, query))).toBe(title)
    expect(formatTitle(createView(1, 2544, query))).toBe(counted('2,544'))
    expect(formatTitle(createView(1, 1, query))).toBe(counted('1').replace('calls', 'call'))
  })

  it.each<[Partial<ListQuery>, request: string]>([
    [{ ...unanswered, page: 3 }, 'unanswered outgoing calls, page 3'],
    [smith, 'incoming calls for Anna Smith, 21 Nov'],
    [range('2026-11-09', '2026-11-15'), 'incoming calls, 9–15 Nov'],
    [{ from: day('2025-12-30') }, 'incoming calls, since 30 Dec 2025'],
    [long, 'incoming calls longer than 5 minutes, 5 Nov'],
  ])('%j in a sentence: %s', (query, request) => {
    expect(requestText({ ...incoming, ...query }, today)).toBe(request)
  })
})

const createView = (page: number, total: number | undefined, query: Partial<ListQuery> = {}): CallsView => ({
  agentNames: new Map(),
  states: new Map(),
  query: { ...incoming, ...query, page },
  page: { calls: [], page, total },
  zone,
  now,
  today,
  recordingsBaseUrl: undefined,
  lines: LineNames.none,
  nonce: 'n',
})

describe('a page without calls', () => {
  const actionsIn = ({ message: { blocks = [] } }: Answer) =>
    blocks.flatMap((block) =>
      block.type === 'actions' ? block.elements.map((one) => ('action_id' in one ? one.action_id : '')) : [],
    )

  it.each([
    [9, 100, 'This list ends at page 5.', ['calls.page.first', 'calls.page.previous']],
    [3, undefined, 'This list ends at page 2.', ['calls.page.first', 'calls.page.previous']],
    [1, 0, 'No incoming calls yet.', []],
    [3, 0, 'No incoming calls yet.', []],
  ] as const)('page %i of a total of %s', (page, total, text, paging) => {
    const list = renderPrivateList(createView(page, total))
    expect(list.message.text).toBe(text)
    expect(actionsIn(list).filter((id) => id?.startsWith('calls.page.'))).toEqual(paging)
    const shared = renderSharedList(createView(page, total), { id: 'U1', name: 'Ada' })
    expect(actionsIn(shared)).toEqual(['share.remove'])
  })
})

describe('the table', () => {
  const call = (changes: Partial<Call>): Call => ({
    id: '1',
    direction: 'incoming',
    number: '+33199000042',
    at: new Date('2026-11-20T16:07:31Z'),
    seconds: 88,
    status: 'answered',
    cost: '0.012',
    recording: undefined,
    answered: 'anna',
    ...changes,
  })
  const missed = call({ status: 'missed', seconds: 0, cost: '0.000' })
  /** Differs from `call` in these columns, so that they aren't left out as the same in every row. */
  const other = call({ number: '+33199000043', seconds: 1, cost: '9', status: 'missed' })
  const fillAll = (query: Partial<ListQuery>, calls: readonly Call[]) =>
    fillCallTable({ ...createView(1, 0, query), page: { calls, page: 1, total: undefined } })
  const fill = (query: ListQuery, calls: readonly Call[]) => fillAll(query, calls).table
  function table(query: ListQuery, ...calls: Call[]): string[][] {
    const block = tableBlock(fill(query, calls), { blockId: 'n' })
    if (block.type !== 'table') throw new Error('no table')
    return block.rows.map((row) => row.map((cell) => ('text' in cell ? cell.text : '?')))
  }

  it('has the result in the second column, and a dash for zero', () => {
    expect(table(incoming, missed, call({}))).toEqual([
      ['Time', 'Result', 'Length', 'Cost'],
      ['20 Nov 17:07', 'Missed', '–', '–'],
      ['20 Nov 17:07', 'Answered', '1:28', '0.012'],
    ])
  })

  it.each([
    [{}, ['Line Sales', 'Answered by Anna', 'Length 1:28', 'Cost 0.012']],
    [{ number: '33199000042' }, ['Answered by Anna', 'Length 1:28', 'Cost 0.012']],
    [{ line: '…0042' }, ['Answered by Anna', 'Length 1:28', 'Cost 0.012']],
    [{ agentId: '7' }, ['Line Sales', 'Length 1:28', 'Cost 0.012']],
  ] as const)('says once what all rows share, except what the title says: %j', (query, sameValues) => {
    const calls = [call({}), call({ status: 'missed', at: new Date('2026-11-20T16:09:31Z') })]
    const agentNames = new Map([['anna', 'Anna']])
    const lines = new LineNames([{ number: '+33199000042', name: 'Sales' }])
    const page = { calls, page: 1, total: 2 }
    const filled = fillCallTable({ ...createView(1, 2, query), page, lines, agentNames })
    expect(filled.table.columns.map(({ title }) => title)).toEqual(['Time', 'Result'])
    expect(filled.sameText).toBe(`Same in every row: ${sameValues.join(' · ')}`)
    const { message } = renderPrivateList({ ...createView(1, 2, query), page, lines, agentNames })
    expect(JSON.stringify(message.blocks)).toContain(`Same in every row: ${sameValues.join(' · ')}"`)
  })

  it('has no column without a value, and no day in a list of one', () => {
    const oneDay = { status: 'missed', from: day('2026-11-20'), to: day('2026-11-20') } as const
    expect(table({ ...incoming, ...oneDay }, missed)).toEqual([
      ['Time', 'Result', 'Number called'],
      ['17:07', 'Missed', '+33199000042'],
    ])
    const [head, row] = table(
      { ...incoming, direction: 'outgoing' },
      { ...call({ direction: 'outgoing', recording: 'a.mp3' }), status: 'missed' },
      other,
    )
    expect(head).toEqual(['Time', 'Result', 'Number dialed', 'Length', 'Cost', 'Recording'])
    expect(row?.[1]).toBe('No answer')
  })

  it.each<[Partial<Call>, column: 'Length' | 'Cost', text: string]>([
    [{ seconds: 0 }, 'Length', '–'],
    [{ seconds: 5 }, 'Length', '0:05'],
    [{ seconds: 3599 }, 'Length', '59:59'],
    [{ seconds: 8120 }, 'Length', '2:15:20'],
    [{ cost: '0.0000' }, 'Cost', '–'],
    [{ cost: '.00' }, 'Cost', '–'],
    [{ cost: '0.0150' }, 'Cost', '0.0150'],
    [{ cost: '12' }, 'Cost', '12'],
    [{ cost: '-0.5' }, 'Cost', '-0.5'],
  ])('shows a call with %j as %s %s', (changes, column, text) => {
    const [head = [], row] = table(incoming, call(changes), other)
    expect(row?.[head.indexOf(column)]).toBe(text)
  })

  it('shows the year of a call in another year, and the day of a call on another day', () => {
    expect(table(incoming, call({ at: new Date('2025-11-20T16:07:31Z') }))[1]?.[0]).toBe('20 Nov 2025 17:07')
    const oneDay = { from: day('2026-11-20'), to: day('2026-11-20') }
    const [, nextDay] = table({ ...incoming, ...oneDay }, call({ at: new Date('2026-11-20T23:30:00Z') }))
    expect(nextDay?.[0]).toBe('21 Nov 00:30')
  })

  it('keeps the essential columns if no call has a value', () => {
    const empty = call({ at: { raw: '' }, number: '', status: { raw: ' ' }, seconds: 0, cost: '0' })
    expect(table(incoming, empty)).toEqual([
      ['Time', 'Result', 'Number called', 'Direction'],
      ['–', '–', '–', '–'],
    ])
  })

  it('has readable lines instead of a table', () => {
    const rows = fill(incoming, [missed, call({ recording: 'a.mp3' })])
    expect(shortTableLines(rows)).toEqual(['20 Nov 17:07 · Missed', '20 Nov 17:07 · Answered'])
    const text = JSON.stringify(tableLines(rows))
    expect(text).toContain('20 Nov 17:07 · *Missed*"')
    expect(text).toContain('20 Nov 17:07 · Answered · 1:28 · 0.012 · recorded"')
  })

  it('loses no line if they fill several sections', () => {
    const calls = Array.from({ length: 200 }, (_, index) => call({ seconds: index, cost: '<&>'.repeat(20) }))
    const page = { calls, page: 1, total: 200 }
    const { fallbacks = [] } = renderPrivateList({ ...createView(1, 200), page })
    const sections = (fallbacks[1]?.().blocks ?? []).filter((block) => block.type === 'section')
    expect(sections.length).toBeGreaterThan(1)
    expect(sections.flatMap(({ text }) => text?.text.split('\n') ?? [])).toHaveLength(200)
  })
})
