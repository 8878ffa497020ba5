import { describe, expect, test } from 'vitest'
import {
  actions,
  beyond,
  button,
  chart,
  inHome,
  inMessage,
  inModal,
  input,
  type Limit,
  line,
  mrkdwn,
  option,
  plain,
  raw,
  rich,
  richSection,
  section,
  table,
  text,
  times,
  x,
} from './samples.ts'

const image = (fields: object = {}) => ({
  type: 'image',
  image_url: 'https://example.com/a.png',
  alt_text: 'a',
  ...fields,
})
const grid = (rows: number, columns: number, cell = 'a') =>
  table(times(rows, () => times(columns, () => raw(cell))))
const heading = (fields: object) => ({ type: 'header', text: plain('a'), ...fields })
const dataTable = (rows: number, fields: object = {}) => ({
  type: 'data_table',
  caption: 'Calls',
  rows: times(rows, () => [raw('a'), raw('b')]),
  ...fields,
})
const container = (blocks: number, fields: object = {}) => ({
  type: 'container',
  title: plain('Calls'),
  child_blocks: times(blocks, () => section({ text: plain('a') })),
  ...fields,
})
const date = (format: string, fields: object = {}) => ({
  type: 'date',
  timestamp: 1_700_000_000,
  format,
  ...fields,
})
const list = (fields: object = {}) => ({
  type: 'rich_text_list',
  style: 'bullet',
  elements: [richSection(text('one'))],
  ...fields,
})

const mostInMessages: readonly Limit[] = [
  ['header', (n) => ({ type: 'header', text: plain(x(n)) }), 150, '/text/text'],
  ['section text', (n) => section({ text: mrkdwn(x(n)) }), 3000, '/text/text'],
  ['section fields', (n) => section({ fields: times(n, () => mrkdwn('a')) }), 10, '/fields'],
  ['section field', (n) => section({ fields: [plain(x(n))] }), 2000, '/fields/0/text'],
  ['context elements', (n) => ({ type: 'context', elements: times(n, () => mrkdwn('a')) }), 10, '/elements'],
  ['actions elements', (n) => actions(...times(n, () => button())), 25, '/elements'],
  ['block_id', (n) => ({ type: 'divider', block_id: x(n) }), 255, '/block_id'],
  ['table rows', (n) => grid(n, 2), 100, '/rows'],
  ['table columns', (n) => grid(2, n), 20, '/rows/0'],
  ['header level', (n) => heading({ level: n }), 4, '/level'],
  ['data table rows', (n) => dataTable(n), 101, '/rows'],
  ['data table page', (n) => dataTable(2, { page_size: n }), 100, '/page_size'],
  ['container blocks', (n) => container(n), 10, '/child_blocks'],
  ['chart title', (n) => chart(line(1, 1), { title: x(n) }), 50, '/title'],
  ['chart series', (n) => chart(line(n, 2)), 6, '/chart/series'],
  ['chart categories', (n) => chart(line(1, n)), 20, '/chart/axis_config/categories'],
  ['chart series name', (n) => chart(line(1, 1, () => x(n))), 20, '/chart/series/0/name'],
  [
    'chart category label',
    (n) =>
      chart({
        type: 'bar',
        series: [{ name: 'a', data: [{ label: x(n), value: 1 }] }],
        axis_config: { categories: [x(n)] },
      }),
    20,
    '/chart/axis_config/categories/0',
  ],
  [
    'pie segments',
    (n) => chart({ type: 'pie', segments: times(n, (at) => ({ label: `l${at}`, value: 1 })) }),
    6,
    '/chart/segments',
  ],
  ['rich text length', (n) => rich(richSection(text(x(n)))), 3000, '/elements/0/elements/0/text'],
  ['context text', (n) => ({ type: 'context', elements: [mrkdwn(x(n))] }), 3000, '/elements/0/text'],
  [
    'chart other axis label',
    (n) => chart({ ...line(1, 1), axis_config: { categories: ['c0'], y_label: x(n) } }),
    50,
    '/chart/axis_config/y_label',
  ],
]

/** What is taken, what is refused beside it, where, and in which words. */
const messageLimits: [name: string, taken: unknown, refused: unknown, path: string, rule: RegExp][] = [
  [
    'header of plain text',
    { type: 'header', text: plain('a') },
    { type: 'header', text: mrkdwn('a') },
    '/text/type',
    /plain/,
  ],
  [
    'header not empty',
    { type: 'header', text: plain('a') },
    { type: 'header', text: plain('') },
    '/text/text',
    /more than 0/,
  ],
  [
    'section text not empty',
    section({ text: mrkdwn('a') }),
    section({ text: mrkdwn('') }),
    '/text/text',
    /more than 0/,
  ],
  ['section with something', section({ fields: [plain('a')] }), section({}), '', /`text` or `fields`/],
  [
    'section with a field',
    section({ fields: [plain('a')] }),
    section({ fields: [] }),
    '/fields',
    /fewer than 1/,
  ],
  [
    'section accessory',
    section({ text: plain('a'), accessory: button(), expand: true }),
    section({ text: plain('a'), accessory: { type: 'plain_text_input' } }),
    '/accessory/type',
    /unsupported type: plain_text_input/,
  ],
  [
    'context holds text and images',
    { type: 'context', elements: [image(), plain('a')] },
    { type: 'context', elements: [button()] },
    '/elements/0/type',
    /unsupported type: button/,
  ],
  ['divider', { type: 'divider' }, { type: 'divider', text: plain('a') }, '', /additional property: text/],
  ['actions with something', actions(button()), actions(), '/elements', /fewer than 1/],
  [
    'emoji is for plain text',
    section({ text: { ...plain('a'), emoji: true } }),
    section({ text: { ...mrkdwn('a'), emoji: true } }),
    '/text',
    /additional property: emoji/,
  ],
  [
    'verbatim is for mrkdwn',
    section({ text: { ...mrkdwn('a'), verbatim: true } }),
    section({ text: { ...plain('a'), verbatim: true } }),
    '/text',
    /additional property: verbatim/,
  ],
  [
    'verbatim is asked for',
    section({ text: mrkdwn('@here') }),
    section({ text: { type: 'mrkdwn', text: '@here' } }),
    '/text/verbatim',
    /must be true/,
  ],
  [
    'escaped mention',
    section({ text: mrkdwn('&lt;!channel&gt;') }),
    section({ text: mrkdwn('to <!channel>') }),
    '/text/text',
    /<!channel>/,
  ],
  [
    'mention of a person',
    section({ text: mrkdwn('<@U1>') }),
    section({ text: mrkdwn('<!here|here>') }),
    '/text/text',
    /<!here>/,
  ],
  [
    'mention in a field',
    section({ fields: [plain('<!everyone>')] }),
    section({ fields: [mrkdwn('<!everyone>')] }),
    '/fields/0/text',
    /<!everyone>/,
  ],
  [
    'image',
    image({ alt_text: x(2000), title: plain(x(2000)) }),
    image({ alt_text: x(2001) }),
    '/alt_text',
    /2001/,
  ],
  ['image title', image({ title: plain('a') }), image({ title: plain(x(2001)) }), '/title/text', /2001/],
  ['image of one source', image(), image({ slack_file: { id: 'F1' } }), '', /image_url/],
  ['image of some source', image(), { type: 'image', alt_text: 'a' }, '', /image_url/],
  [
    'image url',
    image({ image_url: `https://e.com/${x(2986)}` }),
    image({ image_url: `https://e.com/${x(2987)}` }),
    '/image_url',
    /3001/,
  ],
  [
    'image with a description',
    image(),
    { type: 'image', image_url: 'https://e.com' },
    '/alt_text',
    /missing required/,
  ],
  [
    'table characters',
    grid(100, 10, x(10)),
    table([[raw(x(9_999)), raw('xx')]]),
    '/rows',
    /10001 characters.*10001/,
  ],
  ['table of one row', grid(1, 1), table([]), '/rows', /fewer than 1/],
  ['table cell text', grid(1, 1), grid(1, 1, ''), '/rows/0/0/text', /more than 0/],
  ['table rows of one length', grid(2, 2), table([[raw('a'), raw('b')], [raw('a')]]), '/rows/1', /2 cells/],
  [
    'table cells',
    table([[rich(richSection(text('a'))), { type: 'raw_number', value: 1, text: '1' }]]),
    table([[mrkdwn('a')]]),
    '/rows/0/0/type',
    /unsupported type: mrkdwn/,
  ],
  [
    'table cell of rich text',
    table([[rich(richSection(text('a')))]]),
    table([[rich(richSection(text('')))]]),
    '/rows/0/0/elements/0/elements/0/text',
    /more than 0/,
  ],
  [
    'table number',
    table([[{ type: 'raw_number', value: 1, text: '1' }]]),
    table([[{ type: 'raw_number', value: '1', text: '1' }]]),
    '/rows/0/0/value',
    /number/,
  ],
  [
    'table settings',
    table([[raw('a')]], { column_settings: [{ align: 'right', is_wrapped: true }] }),
    table([[raw('a')]], { column_settings: [{ align: 'middle' }] }),
    '/column_settings/0/align',
    /enum/,
  ],
  [
    'table settings for its columns',
    table([[raw('a'), raw('b')]], { column_settings: [{}, {}] }),
    table([[raw('a')]], { column_settings: [{}, {}] }),
    '/column_settings',
    /no more than 1/,
  ],
  [
    'table settings are objects',
    table([[raw('a'), raw('b')]], { column_settings: [{}, { align: 'right' }] }),
    table([[raw('a'), raw('b')]], { column_settings: [null, { align: 'right' }] }),
    '/column_settings/0',
    /must provide an object/,
  ],
  ['data table of something', dataTable(2), dataTable(1), '/rows', /fewer than 2/],
  ['data table caption', dataTable(2), dataTable(2, { caption: undefined }), '/caption', /missing required/],
  [
    'data table row header',
    dataTable(2, { row_header_column_index: 1 }),
    dataTable(2, { row_header_column_index: -1 }),
    '/row_header_column_index',
    /at least 0/,
  ],
  [
    'data table head of plain cells',
    dataTable(2, { rows: [[raw('a')], [rich(richSection(text('a')))]] }),
    dataTable(2, { rows: [[rich(richSection(text('a')))], [raw('a')]] }),
    '/rows/0/0/type',
    /unsupported type: rich_text/,
  ],
  [
    'data table rows of one length',
    dataTable(2),
    dataTable(2, { rows: [[raw('a'), raw('b')], [raw('a')]] }),
    '/rows/1',
    /2 cells/,
  ],
  ['container of something', container(1), container(0), '/child_blocks', /fewer than 1/],
  [
    'container title',
    container(1, { title: plain(x(150)), subtitle: mrkdwn(x(150)) }),
    container(1, { title: plain(x(151)) }),
    '/title/text',
    /151/,
  ],
  [
    'container with a title',
    container(1, { title: undefined, rich_text_title: rich(richSection(text('a'))) }),
    container(1, { title: undefined }),
    '',
    /`rich_text_title`/,
  ],
  [
    'container of blocks that it holds',
    container(1, { child_blocks: [table([[raw('a')]]), actions(button())] }),
    container(1, { child_blocks: [input({ type: 'plain_text_input' })] }),
    '/child_blocks/0/type',
    /unsupported type: input/,
  ],
  [
    'container that is collapsed',
    container(1, { is_collapsible: true, default_collapsed: true, width: 'wide', icon: image() }),
    container(1, { default_collapsed: true }),
    '',
    /must be collapsible/,
  ],
  [
    'chart names differ',
    chart(line(2, 1)),
    chart(line(2, 1, () => 'same')),
    '/chart/series/1/name',
    /duplicate/,
  ],
  [
    'chart points for every category',
    chart(line(1, 2)),
    chart({ ...line(1, 2), axis_config: { categories: ['c0', 'c1', 'c2'] } }),
    '/chart/series/0/data',
    /every category/,
  ],
  [
    'chart axis label',
    chart({ ...line(1, 1), axis_config: { categories: ['c0'], x_label: x(50), y_label: x(50) } }),
    chart({ ...line(1, 1), axis_config: { categories: ['c0'], x_label: x(51) } }),
    '/chart/axis_config/x_label',
    /51/,
  ],
  [
    'pie value',
    chart({ type: 'pie', segments: [{ label: 'a', value: 0.1 }] }),
    chart({ type: 'pie', segments: [{ label: 'a', value: 0 }] }),
    '/chart/segments/0/value',
    /greater than 0/,
  ],
  [
    'chart kinds',
    chart({ ...line(1, 1), type: 'area' }),
    chart({ ...line(1, 1), type: 'radar' }),
    '/chart/type',
    /unsupported type: radar/,
  ],
  [
    'rich text',
    rich(richSection(text('a', { style: { bold: true } }))),
    rich(richSection(text(''))),
    '/elements/0/elements/0/text',
    /more than 0/,
  ],
  ['rich text with something', rich(richSection(text('a'))), rich(), '/elements', /fewer than 1/],
  [
    'rich text section with something',
    rich(richSection(text('a'))),
    rich(richSection()),
    '/elements/0/elements',
    /fewer than 1/,
  ],
  [
    'rich text list',
    rich(list({ indent: 8, border: 1, offset: 2 })),
    rich(list({ indent: 9 })),
    '/elements/0/indent',
    /at most 8/,
  ],
  [
    'rich text list style',
    rich(list({ style: 'ordered' })),
    rich(list({ style: 'dash' })),
    '/elements/0/style',
    /enum/,
  ],
  [
    'rich text border',
    rich(list({ border: 0 })),
    rich(list({ border: 2 })),
    '/elements/0/border',
    /at most 1/,
  ],
  [
    'rich text link',
    rich(richSection({ type: 'link', url: 'https://example.com', text: 'a', style: { code: true } })),
    rich(richSection({ type: 'link', url: 'example.com' })),
    '/elements/0/elements/0/url',
    /invalid_url/,
  ],
  [
    'rich text link text',
    rich(richSection({ type: 'link', url: 'https://e.com' })),
    rich(richSection({ type: 'link', url: 'https://e.com', text: '' })),
    '/elements/0/elements/0/text',
    /more than 0/,
  ],
  [
    'rich text date',
    rich(richSection(date('{date_short} at {time}', { fallback: 'then' }))),
    rich(richSection(date('then'))),
    '/elements/0/elements/0/format',
    /date token/,
  ],
  [
    'rich text date in seconds',
    rich(richSection(date('{time}'))),
    rich(richSection(date('{time}', { timestamp: 1_700_000_000_000 }))),
    '/elements/0/elements/0/timestamp',
    /at most/,
  ],
  [
    'rich text date at the start',
    rich(richSection(date('{time}', { timestamp: 0 }))),
    rich(richSection(date('{time}', { timestamp: -1 }))),
    '/elements/0/elements/0/timestamp',
    /at least 0/,
  ],
  [
    'rich text date at the end',
    rich(richSection(date('{ago}', { timestamp: 9_999_999_999 }))),
    rich(richSection(date('{ago}', { timestamp: 10_000_000_000 }))),
    '/elements/0/elements/0/timestamp',
    /at most/,
  ],
  [
    'rich text list indent',
    rich(list({ indent: 0, offset: 0 })),
    rich(list({ indent: -1 })),
    '/elements/0/indent',
    /at least 0/,
  ],
  [
    'rich text mentions',
    rich(
      richSection(
        { type: 'user', user_id: 'U1' },
        { type: 'channel', channel_id: 'C1' },
        { type: 'usergroup', usergroup_id: 'S1' },
        { type: 'emoji', name: 'wave' },
      ),
    ),
    rich(richSection({ type: 'broadcast', range: 'channel' })),
    '/elements/0/elements/0/type',
    /unsupported type: broadcast/,
  ],
  [
    'rich text preformatted',
    rich({ type: 'rich_text_preformatted', elements: [text('a')], border: 0 }),
    rich({ type: 'rich_text_preformatted', elements: [{ type: 'emoji', name: 'wave' }] }),
    '/elements/0/elements/0/type',
    /unsupported type: emoji/,
  ],
  [
    'rich text quote',
    rich({ type: 'rich_text_quote', elements: [text('a')] }),
    rich({ type: 'rich_text_quote', elements: [richSection(text('a'))] }),
    '/elements/0/elements/0/type',
    /unsupported type: rich_text_section/,
  ],
  [
    'input label and hint',
    input({ type: 'plain_text_input' }, { label: plain(x(2000)), hint: plain(x(2000)), optional: true }),
    input({ type: 'plain_text_input' }, { label: plain(x(2001)) }),
    '/label/text',
    /2001/,
  ],
  [
    'input hint',
    input({ type: 'plain_text_input' }),
    input({ type: 'plain_text_input' }, { hint: plain(x(2001)) }),
    '/hint/text',
    /2001/,
  ],
  [
    'input element',
    input({ type: 'plain_text_input' }),
    input(button()),
    '/element/type',
    /unsupported type: button/,
  ],
]

describe('blocks of a message', () => {
  test.each(mostInMessages)('%s', (_name, made, most, path) => {
    expect(inMessage(made(most))).toEqual([])
    expect(inMessage(made(most + 1))).toContainEqual({ path: `/blocks/0${path}`, rule: beyond(most) })
  })

  test.each(messageLimits)('%s', (_name, taken, refused, path, rule) => {
    expect(inMessage(taken)).toEqual([])
    expect(inMessage(refused)).toContainEqual({ path: `/blocks/0${path}`, rule: expect.stringMatching(rule) })
  })

  test('a block of an unknown type, of no type, and what is no block', () => {
    expect(inMessage({ type: 'markdown', text: 'a' }, { text: 'a' }, null, 'a')).toEqual([
      { path: '/blocks/0/type', rule: 'unsupported type: markdown' },
      { path: '/blocks/1/type', rule: 'missing required field: type' },
      { path: '/blocks/2', rule: 'must provide an object' },
      { path: '/blocks/3', rule: 'must provide an object' },
    ])
  })

  test('every unknown key of a block is named', () => {
    expect(inMessage({ type: 'divider', color: 'red', size: 1 })).toEqual([
      { path: '/blocks/0', rule: 'invalid additional property: color' },
      { path: '/blocks/0', rule: 'invalid additional property: size' },
    ])
  })

  test('an emoji counts as the two UTF-16 units that it is', () => {
    expect(inMessage({ type: 'header', text: plain('😀'.repeat(75)) })).toEqual([])
    expect(inMessage({ type: 'header', text: plain('😀'.repeat(76)) })).toHaveLength(1)
  })

  test('characters in rich text cells count with those of the others', () => {
    const cell = (length: number) =>
      rich(richSection(text(x(length)), { type: 'link', url: 'https://e.com', text: x(500) }))
    const cells = (last: number) => [[cell(2500), cell(2500), cell(2500), raw(x(last))]]
    expect(inMessage(table(cells(1000)))).toEqual([])
    expect(inMessage(table(cells(1001)))).toEqual([
      { path: '/blocks/0/rows', rule: expect.stringContaining('has 10001') },
    ])
  })
})

describe('where a block may stand', () => {
  const alert = { type: 'alert', text: mrkdwn('careful'), level: 'warning' }

  test('alerts in modals alone', () => {
    expect(inModal(alert)).toEqual([])
    expect(inModal({ ...alert, level: 'loud' })).toEqual([
      { path: '/blocks/0/level', rule: expect.stringMatching(/enum/) },
    ])
    const refused = [{ path: '/blocks/0/type', rule: 'unsupported type: alert' }]
    expect(inMessage(alert)).toEqual(refused)
    expect(inHome(alert)).toEqual(refused)
  })

  test.each([
    ['table', grid(1, 1)],
    ['data_visualization', chart(line(1, 1))],
    ['container', container(1)],
  ])('%s in messages alone', (type, block) => {
    expect(inMessage(block)).toEqual([])
    const refused = [{ path: '/blocks/0/type', rule: `unsupported type: ${type}` }]
    expect(inModal(block)).toEqual(refused)
    expect(inHome(block)).toEqual(refused)
  })

  test('data tables in messages and in the home tab', () => {
    expect(inMessage(dataTable(2), dataTable(2))).toEqual([])
    expect(inHome(dataTable(2))).toEqual([])
    expect(inModal(dataTable(2))).toEqual([{ path: '/blocks/0/type', rule: 'unsupported type: data_table' }])
  })

  test('10,000 characters in all tables of a message', () => {
    const long = dataTable(2, { rows: [[raw('a')], [raw(x(4998))]] })
    expect(inMessage(table([[raw(x(5001))]]), long)).toEqual([])
    expect(inMessage(table([[raw(x(5002))]]), long)).toEqual([
      { path: '/blocks', rule: expect.stringContaining('has 10001') },
    ])
  })

  test('one table and two charts in a message', () => {
    const tables = [grid(1, 1), grid(1, 1)]
    expect(inMessage(...tables)).toEqual([{ path: '/blocks/1', rule: 'only_one_table_allowed' }])
    const charts = times(3, () => chart(line(1, 1)))
    expect(inMessage(grid(1, 1), container(1, { child_blocks: [grid(1, 1)] }))).toEqual([
      { path: '/blocks/1/child_blocks/0', rule: 'only_one_table_allowed' },
    ])
    expect(inMessage(...charts.slice(1))).toEqual([])
    expect(inMessage(...charts)).toEqual([
      { path: '/blocks/2', rule: expect.stringContaining('no more than 2') },
    ])
  })
})

describe('ids', () => {
  test('block_ids are unique', () => {
    const block = (block_id: string) => ({ type: 'divider', block_id })
    expect(inMessage(block('a'), block('b'), { type: 'divider' }, { type: 'divider' })).toEqual([])
    const refused = [{ path: '/blocks/1/block_id', rule: 'duplicate block_id: a' }]
    expect(inMessage(block('a'), block('a'))).toEqual(refused)
    expect(inModal(block('a'), block('a'))).toEqual(refused)
    expect(inMessage(block('a'), container(1, { child_blocks: [block('a')] }))).toEqual([
      { path: '/blocks/1/child_blocks/0/block_id', rule: 'duplicate block_id: a' },
    ])
  })

  test('action_ids are unique in a block, not between blocks', () => {
    const one = button({ action_id: 'a' })
    expect(
      inMessage(actions(one, button({ action_id: 'b' })), actions(one), actions(button(), button())),
    ).toEqual([])
    const choice = { type: 'overflow', action_id: 'a', options: [option('v')] }
    expect(inMessage(actions(one, choice))).toEqual([
      { path: '/blocks/0/elements/1/action_id', rule: 'duplicate action_id: a' },
    ])
  })
})
