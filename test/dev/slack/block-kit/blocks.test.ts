import { describe, expect, it } from 'vitest'
import { inHome, inMessage, inModal, type Limit, type Rule, refusal, testSamples } from './checks.ts'
import { actions, button, input, mrkdwn, notPlain, option, plain, section, times, x } from './samples.ts'

const raw = (text: string) => ({ type: 'raw_text', text })
const table = (rows: unknown[][], fields: object = {}) => ({ type: 'table', rows, ...fields })
const grid = (rows: number, columns: number) => table(times(rows, () => times(columns, () => raw('a'))))
const count = (value: number) => ({ type: 'raw_number', value, text: `${value}` })
const dataTable = (rows: unknown[][], fields: object = {}) => ({
  type: 'data_table',
  caption: 'Calls',
  rows,
  ...fields,
})
const dataGrid = (rows: number, columns: number) =>
  dataTable(times(rows, () => times(columns, () => raw('a'))))
const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements })
const richSection = (...elements: unknown[]) => rich({ type: 'rich_text_section', elements })
const text = (value: string, fields: object = {}) => ({ type: 'text', text: value, ...fields })
const context = (...elements: unknown[]) => ({ type: 'context', elements })
const chart = (own: object, fields: object = {}) => ({
  type: 'data_visualization',
  title: 'Calls',
  chart: own,
  ...fields,
})
const bars = (series: number, categories: number, name = (index: number) => `s${index}`) => ({
  type: 'bar',
  series: times(series, (index) => ({
    name: name(index),
    data: times(categories, (at) => ({ label: `c${at}`, value: at - 3 })),
  })),
  axis_config: { categories: times(categories, (at) => `c${at}`) },
})
const field = { type: 'plain_text_input' }

const limits: readonly Limit[] = [
  ['header', (n) => ({ type: 'header', text: plain(x(n)) }), 150, '/text/text'],
  ['section text', (n) => section({ text: mrkdwn(x(n)) }), 3000, '/text/text'],
  ['section fields', (n) => section({ fields: times(n, () => mrkdwn('a')) }), 10, '/fields'],
  ['section field', (n) => section({ fields: [plain(x(n))] }), 2000, '/fields/0/text'],
  ['context elements', (n) => context(...times(n, () => mrkdwn('a'))), 10, '/elements'],
  ['context text', (n) => context(mrkdwn(x(n))), 3000, '/elements/0/text'],
  ['actions elements', (n) => actions(...times(n, () => button())), 25, '/elements'],
  ['block_id', (n) => ({ type: 'divider', block_id: x(n) }), 255, '/block_id'],
  ['input label', (n) => input(field, { label: plain(x(n)) }), 2000, '/label/text'],
  ['input hint', (n) => input(field, { hint: plain(x(n)) }), 2000, '/hint/text'],
  ['table rows', (n) => grid(n, 2), 100, '/rows'],
  ['table columns', (n) => grid(2, n), 20, '/rows/0'],
  ['table characters', (n) => table([[raw(x(5000)), raw(x(n - 5000))]]), 10_000, '/rows'],
  ['data table rows', (n) => dataGrid(n, 2), 101, '/rows'],
  ['data table columns', (n) => dataGrid(2, n), 20, '/rows/0'],
  ['data table characters', (n) => dataTable([[raw('a')], [raw(x(n - 1))]]), 10_000, '/rows'],
  ['data table page', (n) => dataTable([[raw('a')], [count(1)]], { page_size: n }), 100, '/page_size'],
  ['chart title', (n) => chart(bars(1, 1), { title: x(n) }), 50, '/title'],
  ['chart series', (n) => chart(bars(n, 2)), 6, '/chart/series'],
  ['chart categories', (n) => chart(bars(1, n)), 20, '/chart/axis_config/categories'],
  ['chart series name', (n) => chart(bars(1, 1, () => x(n))), 20, '/chart/series/0/name'],
  ['rich text', (n) => richSection(text(x(n))), 3000, '/elements/0/elements/0/text'],
]

const accepted = [
  section({ text: plain('a'), accessory: button() }),
  section({ text: { ...plain('a'), emoji: true } }),
  section({ text: mrkdwn('&lt;!channel&gt;') }),
  section({ text: mrkdwn('<@U1>') }),
  section({ fields: [plain('<!everyone>')] }),
  context(plain('a')),
  table([[richSection(text('a', { style: { bold: true } })), raw('1')]]),
  table([[raw('a')]], { column_settings: [{ align: 'right', is_wrapped: true }] }),
  dataTable([
    [raw('a'), raw('b')],
    [raw('a'), count(-1.5)],
  ]),
  richSection({ type: 'link', url: 'https://e.com' }),
  rich({ type: 'rich_text_preformatted', elements: [text('a')] }),
]

const rules: readonly Rule[] = [
  [{ type: 'header', text: notPlain }, '/text/type', /plain/],
  [section({ text: plain('a'), expand: undefined }), '/expand', /must be true/],
  [section({}), '', /`text` or `fields`/],
  [section({ text: plain('a'), accessory: field }), '/accessory/type', /unsupported type: plain_text_input/],
  [context(button()), '/elements/0/type', /unsupported type: button/],
  [{ type: 'divider', text: plain('a') }, '', /additional property: text/],
  [section({ text: { ...mrkdwn('a'), emoji: true } }), '/text', /additional property: emoji/],
  [section({ text: { type: 'mrkdwn', text: '@here' } }), '/text/verbatim', /must be true/],
  [section({ text: mrkdwn('to <!channel>') }), '/text/text', /<!channel>/],
  [section({ text: mrkdwn('<!here|here>') }), '/text/text', /<!here>/],
  [section({ fields: [mrkdwn('<!everyone>')] }), '/fields/0/text', /<!everyone>/],
  [table([]), '/rows', /fewer than 1/],
  [table([[raw('a'), raw('b')], [raw('a')]]), '/rows/1', /2 cells/],
  [table([[mrkdwn('a')]]), '/rows/0/0/type', /unsupported type: mrkdwn/],
  [table([[raw('a')]], { column_settings: [{ align: 'middle' }] }), '/column_settings/0/align', /enum/],
  [table([[raw('a')]], { column_settings: [{}, {}] }), '/column_settings', /no more than 1/],
  [table([[raw('a')]], { column_settings: [null] }), '/column_settings/0', /must provide an object/],
  [dataTable([[raw('a')]]), '/rows', /fewer than 2/],
  [dataTable([[raw('a')], [raw('b')]], { caption: undefined }), '/caption', /missing/],
  [dataTable([[raw('a'), raw('b')], [raw('a')]]), '/rows/1', /2 cells/],
  [dataTable([[richSection(text('a'))], [raw('b')]]), '/rows/0/0/type', /unsupported type: rich_text/],
  [dataTable([[raw('a')], [{ ...count(1), value: '1' }]]), '/rows/1/0/value', /number/],
  [dataTable([[raw('a')], [{ ...count(1), text: '' }]]), '/rows/1/0/text', /more than 0/],
  [chart(bars(2, 1, () => 'same')), '/chart/series/1/name', /duplicate/],
  [
    chart({ ...bars(1, 2), axis_config: { categories: ['c0', 'c1', 'c2'] } }),
    '/chart/series/0/data',
    /every category/,
  ],
  [chart({ ...bars(1, 1), type: 'pie' }), '/chart/type', /unsupported type: pie/],
  [richSection(text('')), '/elements/0/elements/0/text', /more than 0/],
  [richSection({ type: 'link', url: 'e.com' }), '/elements/0/elements/0/url', /invalid_url/],
  [input(button()), '/element/type', /unsupported type: button/],
]

describe('blocks of a message', () => {
  testSamples({ limits, accepted, rules }, inMessage, '/blocks/0')

  it('refuses blocks that the app does not use', () => {
    expect(inMessage({ type: 'image' }, { text: 'a' }, null, 'a')).toEqual([
      { path: '/blocks/0/type', rule: 'unsupported type: image' },
      { path: '/blocks/1/type', rule: 'missing required field: type' },
      { path: '/blocks/2', rule: 'must provide an object' },
      { path: '/blocks/3', rule: 'must provide an object' },
    ])
  })

  it('counts an emoji as two UTF-16 units', () => {
    expect(inMessage({ type: 'header', text: plain('😀'.repeat(75)) })).toEqual([])
    expect(inMessage({ type: 'header', text: plain('😀'.repeat(76)) })).toHaveLength(1)
  })

  it('counts the characters of rich text cells', () => {
    const cell = (length: number) =>
      richSection(text(x(length)), { type: 'link', url: 'https://e.com', text: x(500) })
    const cells = (last: number) => [[cell(2500), cell(2500), cell(2500), raw(x(last))]]
    expect(inMessage(table(cells(1000)))).toEqual([])
    expect(inMessage(table(cells(1001)))).toEqual([refusal('/blocks/0/rows', /has 10001/)])
  })

  it('allows one table, two charts, and 10,000 characters in all data tables', () => {
    const sized = (n: number) => dataTable([[raw('a')], [raw(x(n - 1))]])
    expect(inMessage(sized(5000), sized(5000))).toEqual([])
    expect(inMessage(sized(5000), sized(5001))).toEqual([refusal('/blocks', /all tables/)])
    expect(inMessage(grid(1, 1), grid(1, 1))).toEqual([{ path: '/blocks/1', rule: 'only_one_table_allowed' }])
    const charts = times(3, () => chart(bars(1, 1)))
    expect(inMessage(...charts.slice(1))).toEqual([])
    expect(inMessage(...charts)).toEqual([refusal('/blocks/2', /no more than 2/)])
  })
})

describe('surfaces', () => {
  it('allow alerts only in modals', () => {
    const alert = { type: 'alert', text: mrkdwn('careful'), level: 'warning' }
    expect(inModal(alert)).toEqual([])
    expect(inModal({ ...alert, level: 'loud' })).toEqual([refusal('/blocks/0/level', /enum/)])
    const refused = [{ path: '/blocks/0/type', rule: 'unsupported type: alert' }]
    expect(inMessage(alert)).toEqual(refused)
    expect(inHome(alert)).toEqual(refused)
  })

  it.each([
    ['table', grid(1, 1)],
    ['data_table', dataGrid(2, 1)],
    ['data_visualization', chart(bars(1, 1))],
  ])('allow %s only in messages', (type, block) => {
    expect(inMessage(block)).toEqual([])
    const refused = [{ path: '/blocks/0/type', rule: `unsupported type: ${type}` }]
    expect(inModal(block)).toEqual(refused)
    expect(inHome(block)).toEqual(refused)
  })
})

describe('ids', () => {
  it('of blocks are unique in a message or view', () => {
    const block = (block_id: string) => ({ type: 'divider', block_id })
    expect(inMessage(block('a'), block('b'), { type: 'divider' }, { type: 'divider' })).toEqual([])
    const refused = [{ path: '/blocks/1/block_id', rule: 'duplicate block_id: a' }]
    expect(inMessage(block('a'), block('a'))).toEqual(refused)
    expect(inModal(block('a'), block('a'))).toEqual(refused)
  })

  it('of actions are unique in a block, not between blocks', () => {
    const one = button({ action_id: 'a' })
    const other = button({ action_id: 'b' })
    expect(inMessage(actions(one, other), actions(one), actions(button(), button()))).toEqual([])
    expect(inMessage(actions(one, { type: 'overflow', action_id: 'a', options: [option('v')] }))).toEqual([
      { path: '/blocks/0/elements/1/action_id', rule: 'duplicate action_id: a' },
    ])
  })
})
