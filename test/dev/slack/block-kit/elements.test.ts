import { describe, expect, test } from 'vitest'
import {
  actions,
  beyond,
  button,
  confirm,
  inMessage,
  inModal,
  input,
  type Limit,
  mrkdwn,
  option,
  options,
  plain,
  section,
  times,
  x,
} from './samples.ts'

const select = (fields: object = {}) => ({ type: 'static_select', options: options(2), ...fields })
const external = (fields: object = {}) => ({ type: 'external_select', ...fields })
const overflow = (n: number, fields: object = {}) => ({ type: 'overflow', options: options(n), ...fields })
const radio = (fields: object = {}) => ({ type: 'radio_buttons', options: options(2), ...fields })
const boxes = (fields: object = {}) => ({ type: 'checkboxes', options: options(2), ...fields })
const group = (n: number, label = 'Group') => ({ label: plain(label), options: options(n) })
const withConfirm = (fields: object) => button({ confirm: confirm(fields) })
const url = (length: number) => `https://example.com/${x(length - 20)}`
const labelled = (text: string) => select({ options: [{ text: plain(text), value: 'a' }] })

const mostInActions: readonly Limit[] = [
  ['action_id', (n) => button({ action_id: x(n) }), 255, '/action_id'],
  ['button text', (n) => button({ text: plain(x(n)) }), 75, '/text/text'],
  ['button value', (n) => button({ value: x(n) }), 2000, '/value'],
  ['button url', (n) => button({ url: url(n) }), 3000, '/url'],
  ['button label', (n) => button({ accessibility_label: x(n) }), 75, '/accessibility_label'],
  ['confirm title', (n) => withConfirm({ title: plain(x(n)) }), 100, '/confirm/title/text'],
  ['confirm yes', (n) => withConfirm({ confirm: plain(x(n)) }), 30, '/confirm/confirm/text'],
  ['confirm no', (n) => withConfirm({ deny: plain(x(n)) }), 30, '/confirm/deny/text'],
  ['overflow options', (n) => overflow(n), 5, '/options'],
  [
    'overflow url',
    (n) => overflow(0, { options: [{ ...option('a'), url: url(n) }] }),
    3000,
    '/options/0/url',
  ],
  ['option text', (n) => labelled(x(n)), 75, '/options/0/text/text'],
  ['option value', (n) => select({ options: [option(x(n), 'a')] }), 150, '/options/0/value'],
  [
    'option description',
    (n) => select({ options: [{ ...option('a'), description: plain(x(n)) }] }),
    75,
    '/options/0/description/text',
  ],
  ['select options', (n) => select({ options: options(n) }), 100, '/options'],
  [
    'option groups',
    (n) => ({ type: 'static_select', option_groups: times(n, () => group(1)) }),
    100,
    '/option_groups',
  ],
  [
    'option group options',
    (n) => ({ type: 'static_select', option_groups: [group(n)] }),
    100,
    '/option_groups/0/options',
  ],
  ['placeholder', (n) => select({ placeholder: plain(x(n)) }), 150, '/placeholder/text'],
  ['radio options', (n) => radio({ options: options(n) }), 10, '/options'],
  ['checkboxes options', (n) => boxes({ options: options(n) }), 10, '/options'],
  [
    'ten digits',
    (n) => ({ type: 'datetimepicker', initial_date_time: n }),
    9_999_999_999,
    '/initial_date_time',
  ],
  ['radio text', (n) => radio({ options: [option('a', x(n))] }), 75, '/options/0/text/text'],
  [
    'radio description',
    (n) => radio({ options: [{ ...option('a'), description: mrkdwn(x(n)) }] }),
    75,
    '/options/0/description/text',
  ],
  ['overflow text', (n) => overflow(0, { options: [option('a', x(n))] }), 75, '/options/0/text/text'],
  ['user id', (n) => ({ type: 'users_select', initial_user: x(n) }), 255, '/initial_user'],
]

const inActions: [name: string, taken: unknown, refused: unknown, path: string, rule: RegExp][] = [
  ['button text plain', button(), button({ text: mrkdwn('a') }), '/text/type', /plain_text/],
  [
    'button url is one',
    button({ url: url(30) }),
    button({ url: 'javascript:alert(1)' }),
    '/url',
    /invalid_url/,
  ],
  ['button style', button({ style: 'danger' }), button({ style: 'default' }), '/style', /enum/],
  [
    'confirm text',
    withConfirm({ text: mrkdwn(x(300)) }),
    withConfirm({ text: plain(x(301)) }),
    '/confirm/text/text',
    /301/,
  ],
  [
    'confirm style',
    withConfirm({ style: 'danger' }),
    withConfirm({ style: 'red' }),
    '/confirm/style',
    /enum/,
  ],
  [
    'confirm complete',
    withConfirm({}),
    withConfirm({ deny: undefined }),
    '/confirm/deny',
    /missing required/,
  ],
  ['overflow with an option', overflow(1), overflow(0), '/options', /fewer than 1/],
  [
    'url in overflow menus alone',
    select(),
    select({ options: [{ ...option('a'), url: url(30) }] }),
    '/options/0',
    /property: url/,
  ],
  [
    'option values differ',
    select(),
    select({ options: [option('a'), option('a', 'b')] }),
    '/options/1/value',
    /duplicate/,
  ],
  ['select with an option', select(), select({ options: [] }), '/options', /fewer than 1/],
  ['select with options', select(), { type: 'static_select' }, '', /`options` or `option_groups`/],
  [
    'select with one kind',
    select(),
    select({ option_groups: [group(1)] }),
    '',
    /`options` or `option_groups`/,
  ],
  [
    'option group label',
    { type: 'static_select', option_groups: [group(100, x(75))] },
    { type: 'static_select', option_groups: [group(1, x(76))] },
    '/option_groups/0/label/text',
    /76/,
  ],
  [
    'initial option',
    select({ initial_option: option('v1') }),
    select({ initial_option: option('v1', 'b') }),
    '/initial_option',
    /exactly match/,
  ],
  [
    'initial option of a group',
    { type: 'static_select', option_groups: [group(2)], initial_option: option('v1') },
    { type: 'static_select', option_groups: [group(2)], initial_option: option('v2') },
    '/initial_option',
    /exactly match/,
  ],
  [
    'placeholder plain',
    select({ placeholder: plain('a') }),
    select({ placeholder: mrkdwn('a') }),
    '/placeholder/type',
    /plain_text/,
  ],
  [
    'min_query_length',
    external({ min_query_length: 0 }),
    external({ min_query_length: -1 }),
    '/min_query_length',
    /at least 0/,
  ],
  [
    'external options come later',
    external({ initial_option: option('a') }),
    external({ options: [option('a')] }),
    '',
    /property: options/,
  ],
  [
    'conversation filter',
    {
      type: 'conversations_select',
      filter: { include: ['public', 'private'] },
      default_to_current_conversation: true,
    },
    { type: 'conversations_select', filter: { include: ['secret'] } },
    '/filter/include/0',
    /enum/,
  ],
  [
    'conversation filter not empty',
    { type: 'conversations_select', filter: { exclude_bot_users: true } },
    { type: 'conversations_select', filter: {} },
    '/filter',
    /at least one/,
  ],
  [
    'channels',
    { type: 'channels_select', initial_channel: 'C1' },
    { type: 'channels_select', initial_channels: ['C1'] },
    '',
    /initial_channels/,
  ],
  [
    'users',
    { type: 'users_select', initial_user: 'U1' },
    { type: 'users_select', initial_user: '' },
    '/initial_user',
    /more than 0/,
  ],
  [
    'several options',
    {
      type: 'multi_static_select',
      options: options(2),
      initial_options: [option('v0')],
      max_selected_items: 1,
    },
    { type: 'multi_static_select', options: options(2), initial_options: [option('v0'), option('v2')] },
    '/initial_options/1',
    /exactly match/,
  ],
  [
    'several users',
    { type: 'multi_users_select', max_selected_items: 1 },
    { type: 'multi_users_select', max_selected_items: 0 },
    '/max_selected_items',
    /at least 1/,
  ],
  [
    'several channels',
    { type: 'multi_channels_select', initial_channels: ['C1'] },
    { type: 'multi_channels_select', initial_channels: [] },
    '/initial_channels',
    /fewer than 1/,
  ],
  [
    'several conversations',
    { type: 'multi_conversations_select', initial_conversations: ['C1'] },
    { type: 'multi_conversations_select', initial_conversations: [1] },
    '/initial_conversations/0',
    /string/,
  ],
  [
    'several external',
    { type: 'multi_external_select', min_query_length: 0 },
    { type: 'multi_external_select', min_query_length: 0.5 },
    '/min_query_length',
    /integer/,
  ],
  [
    'date',
    { type: 'datepicker', initial_date: '2028-02-29' },
    { type: 'datepicker', initial_date: '2026-02-29' },
    '/initial_date',
    /YYYY-MM-DD/,
  ],
  [
    'time',
    { type: 'timepicker', initial_time: '23:59' },
    { type: 'timepicker', initial_time: '24:00' },
    '/initial_time',
    /HH:mm/,
  ],
  [
    'time zone',
    { type: 'timepicker', timezone: 'Europe/Berlin' },
    { type: 'timepicker', timezone: 'Europe/Bonn' },
    '/timezone',
    /timezone/,
  ],
  [
    'date and time',
    { type: 'datetimepicker', initial_date_time: 1_628_633_820 },
    { type: 'datetimepicker', initial_date_time: 1_628_633_820_000 },
    '/initial_date_time',
    /at most/,
  ],
  [
    'radio mrkdwn',
    radio({ options: [{ text: mrkdwn('*a*'), value: 'a' }] }),
    select({ options: [{ text: mrkdwn('*a*'), value: 'a' }] }),
    '/options/0/text/type',
    /plain_text/,
  ],
  [
    'radio initial',
    radio({ initial_option: option('v0') }),
    radio({ initial_option: option('v9') }),
    '/initial_option',
    /exactly match/,
  ],
  [
    'checkboxes initial',
    boxes({ initial_options: options(2) }),
    boxes({ initial_options: [] }),
    '/initial_options',
    /fewer than 1/,
  ],
  [
    'checkboxes initial match',
    boxes({ initial_options: options(1) }),
    boxes({ initial_options: [option('v9')] }),
    '/initial_options/0',
    /exactly match/,
  ],
  [
    'earliest time',
    { type: 'timepicker', initial_time: '00:00' },
    { type: 'timepicker', initial_time: '0:00' },
    '/initial_time',
    /HH:mm/,
  ],
  [
    'minutes',
    { type: 'timepicker', initial_time: '19:59' },
    { type: 'timepicker', initial_time: '19:60' },
    '/initial_time',
    /HH:mm/,
  ],
  [
    'ten digits at least',
    { type: 'datetimepicker', initial_date_time: 1_000_000_000 },
    { type: 'datetimepicker', initial_date_time: 999_999_999 },
    '/initial_date_time',
    /at least 1000000000/,
  ],
]

describe('elements in an actions block', () => {
  test.each(mostInActions)('%s', (_name, made, most, path) => {
    expect(inMessage(actions(made(most)))).toEqual([])
    const refused = { path: `/blocks/0/elements/0${path}`, rule: beyond(most) }
    expect(inMessage(actions(made(most + 1)))).toContainEqual(refused)
  })

  test.each(inActions)('%s', (_name, taken, refused, path, rule) => {
    expect(inMessage(actions(taken))).toEqual([])
    expect(inMessage(actions(refused))).toContainEqual({
      path: `/blocks/0/elements/0${path}`,
      rule: expect.stringMatching(rule),
    })
  })

  test('an element of an unknown type, and an unknown key', () => {
    expect(inMessage(actions({ type: 'slider' }, button({ colour: 'red' })))).toEqual([
      { path: '/blocks/0/elements/0/type', rule: 'unsupported type: slider' },
      { path: '/blocks/0/elements/1', rule: 'invalid additional property: colour' },
    ])
  })

  test('all but text inputs may stand beside a section, too', () => {
    for (const accessory of [
      button(),
      overflow(2),
      select(),
      external(),
      radio(),
      boxes(),
      { type: 'datepicker' },
    ]) {
      expect(inMessage(section({ text: plain('a'), accessory }))).toEqual([])
    }
  })

  test('the order of the keys in an initial option does not count', () => {
    const initial_option = { value: 'v0', text: { text: 'v0', type: 'plain_text' } }
    expect(inMessage(actions(select({ initial_option })))).toEqual([])
  })
})

const field = (fields: object = {}) => ({ type: 'plain_text_input', ...fields })
const number = (fields: object = {}) => ({ type: 'number_input', is_decimal_allowed: false, ...fields })

const mostInInputs: readonly Limit[] = [
  ['text', (n) => field({ initial_value: x(n) }), 3000, '/initial_value'],
  ['shortest text', (n) => field({ min_length: n }), 3000, '/min_length'],
  ['text placeholder', (n) => field({ placeholder: plain(x(n)) }), 150, '/placeholder/text'],
  ['longest of all', (n) => field({ max_length: n }), 3000, '/max_length'],
]

const inInputs: [name: string, taken: unknown, refused: unknown, path: string, rule: RegExp][] = [
  ['longest text', field({ max_length: 1 }), field({ max_length: 0 }), '/max_length', /at least 1/],
  [
    'lengths in order',
    field({ min_length: 2, max_length: 2 }),
    field({ min_length: 3, max_length: 2 }),
    '/min_length',
    /max_length/,
  ],
  [
    'initial text',
    field({ initial_value: 'ab', max_length: 2 }),
    field({ initial_value: 'abc', max_length: 2 }),
    '/initial_value',
    /less than 3/,
  ],
  [
    'dispatch',
    field({ dispatch_action_config: { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] } }),
    field({ dispatch_action_config: { trigger_actions_on: ['on_click'] } }),
    '/dispatch_action_config/trigger_actions_on/0',
    /enum/,
  ],
  [
    'email',
    { type: 'email_text_input', initial_value: 'a@example.com' },
    { type: 'email_text_input', initial_value: 'a' },
    '/initial_value',
    /email/,
  ],
  [
    'url',
    { type: 'url_text_input', initial_value: url(30) },
    { type: 'url_text_input', initial_value: 'a' },
    '/initial_value',
    /url/,
  ],
  ['number', number({ initial_value: '-5' }), number({ initial_value: '0.5' }), '/initial_value', /whole/],
  [
    'decimal',
    number({ is_decimal_allowed: true, initial_value: '0.5' }),
    number({ initial_value: 5 }),
    '/initial_value',
    /string/,
  ],
  ['number says of decimals', number(), { type: 'number_input' }, '/is_decimal_allowed', /missing required/],
  [
    'numbers in order',
    number({ min_value: '1', max_value: '1' }),
    number({ min_value: '2', max_value: '1' }),
    '/min_value',
    /max_value/,
  ],
  [
    'number in range',
    number({ min_value: '1', initial_value: '1' }),
    number({ min_value: '2', initial_value: '1' }),
    '/initial_value',
    /min_value/,
  ],
  [
    'number up to',
    number({ max_value: '1', initial_value: '1' }),
    number({ max_value: '1', initial_value: '2' }),
    '/initial_value',
    /max_value/,
  ],
  [
    'no text',
    field({ initial_value: '', min_length: 0 }),
    field({ min_length: -1 }),
    '/min_length',
    /at least 0/,
  ],
  ['at least', field({ min_length: 1 }), field({ min_length: 0.5 }), '/min_length', /integer/],
  ['a button is no input', select(), button(), '/type', /unsupported type: button/],
  ['an overflow menu is no input', boxes(), overflow(2), '/type', /unsupported type: overflow/],
]

describe('elements of an input block', () => {
  test.each(mostInInputs)('%s', (_name, made, most, path) => {
    expect(inModal(input(made(most)))).toEqual([])
    expect(inModal(input(made(most + 1)))).toContainEqual({
      path: `/blocks/0/element${path}`,
      rule: beyond(most),
    })
  })

  test.each(inInputs)('%s', (_name, taken, refused, path, rule) => {
    expect(inModal(input(taken))).toEqual([])
    expect(inModal(input(refused))).toContainEqual({
      path: `/blocks/0/element${path}`,
      rule: expect.stringMatching(rule),
    })
  })

  test('one element alone takes the focus', () => {
    const focused = input(field({ focus_on_load: true }))
    expect(inModal(focused, input(field({ focus_on_load: false })))).toEqual([])
    expect(inModal(focused, focused)).toEqual([
      { path: '/blocks/1/element', rule: expect.stringContaining('focus_on_load') },
    ])
  })
})
