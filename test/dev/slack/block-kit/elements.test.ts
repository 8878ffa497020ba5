import { describe, expect, it } from 'vitest'
import { inMessage, inModal, type Limit, type Rule, testSamples } from './checks.ts'
import { actions, button, input, mrkdwn, notPlain, option, options, plain, section, x } from './samples.ts'

const element =
  (type: string, own: object = {}) =>
  (fields: object = {}) => ({ type, ...own, ...fields })
const select = element('static_select', { options: options(2) })
const external = element('external_select')
const overflow = element('overflow', { options: options(2) })
const boxes = element('checkboxes', { options: options(2) })
const conversations = element('conversations_select')
const users = element('multi_users_select')
const date = element('datepicker')
const time = element('timepicker')
const field = element('plain_text_input')
const number = element('number_input', { is_decimal_allowed: false })
const confirm = (fields: object) =>
  button({
    confirm: {
      title: plain('Sure?'),
      text: plain('Really?'),
      confirm: plain('Yes'),
      deny: plain('No'),
      ...fields,
    },
  })
const url = (length: number) => `https://example.com/${x(length - 20)}`

const actionLimits: readonly Limit[] = [
  ['action_id', (n) => button({ action_id: x(n) }), 255, '/action_id'],
  ['button texts', (n) => button({ text: plain(x(n)) }), 75, '/text/text'],
  ['button values', (n) => button({ value: x(n) }), 2000, '/value'],
  ['button labels', (n) => button({ accessibility_label: x(n) }), 75, '/accessibility_label'],
  ['button URLs', (n) => button({ url: url(n) }), 3000, '/url'],
  ['confirm titles', (n) => confirm({ title: plain(x(n)) }), 100, '/confirm/title/text'],
  ['confirm texts', (n) => confirm({ text: mrkdwn(x(n)) }), 300, '/confirm/text/text'],
  ['confirm buttons', (n) => confirm({ confirm: plain(x(n)) }), 30, '/confirm/confirm/text'],
  ['cancel buttons', (n) => confirm({ deny: plain(x(n)) }), 30, '/confirm/deny/text'],
  ['overflow options', (n) => overflow({ options: options(n) }), 5, '/options'],
  ['overflow URLs', (n) => overflow({ options: [{ ...option('a'), url: url(n) }] }), 3000, '/options/0/url'],
  ['option texts', (n) => select({ options: [option('a', x(n))] }), 75, '/options/0/text/text'],
  ['option values', (n) => select({ options: [option(x(n), 'a')] }), 150, '/options/0/value'],
  ['select options', (n) => select({ options: options(n) }), 100, '/options'],
  ['placeholders', (n) => select({ placeholder: plain(x(n)) }), 150, '/placeholder/text'],
  ['checkboxes', (n) => boxes({ options: options(n) }), 10, '/options'],
]

const acceptedActions = [
  button({ style: 'danger' }),
  confirm({ style: 'danger' }),
  // The order of its keys doesn't matter.
  select({ initial_option: { value: 'v1', text: { text: 'v1', type: 'plain_text' } } }),
  external({ min_query_length: 0, initial_option: option('a') }),
  element('multi_external_select')({ min_query_length: 0 }),
  conversations({ filter: { include: ['public'] } }),
  users({ initial_users: ['U1'], max_selected_items: 1 }),
  date({ initial_date: '2028-02-29' }),
  time({ initial_time: '23:59' }),
  boxes({ initial_options: options(2) }),
]

const actionRules: readonly Rule[] = [
  [button({ text: notPlain }), '/text/type', /plain_text/],
  [button({ url: 'javascript:alert(1)' }), '/url', /invalid_url/],
  [button({ style: 'default' }), '/style', /enum/],
  [confirm({ deny: undefined }), '/confirm/deny', /missing required/],
  [select({ options: [{ ...option('a'), url: url(30) }] }), '/options/0', /property: url/],
  [select({ options: [option('a'), option('a', 'b')] }), '/options/1/value', /duplicate/],
  [select({ initial_option: option('v1', 'b') }), '/initial_option', /exactly match/],
  [external({ min_query_length: -1 }), '/min_query_length', /at least 0/],
  [external({ options: [option('a')] }), '', /property: options/],
  [element('multi_external_select')({ min_query_length: 0.5 }), '/min_query_length', /integer/],
  [conversations({ filter: { include: ['secret'] } }), '/filter/include/0', /enum/],
  [date({ initial_date: '2026-02-29' }), '/initial_date', /YYYY-MM-DD/],
  [time({ initial_time: '24:00' }), '/initial_time', /HH:mm/],
  [boxes({ initial_options: [option('v9')] }), '/initial_options/0', /exactly match/],
]

describe('elements in an actions block', () => {
  const find = (element: unknown) => inMessage(actions(element))
  const samples = { limits: actionLimits, accepted: acceptedActions, rules: actionRules }
  testSamples(samples, find, '/blocks/0/elements/0')

  it('refuses unknown types and keys', () => {
    expect(inMessage(actions({ type: 'radio_buttons' }, button({ colour: 'red' })))).toEqual([
      { path: '/blocks/0/elements/0/type', rule: 'unsupported type: radio_buttons' },
      { path: '/blocks/0/elements/1', rule: 'invalid additional property: colour' },
    ])
  })

  it('may also be accessories of a section', () => {
    for (const accessory of [button(), overflow(), select(), external(), boxes(), date()])
      expect(inMessage(section({ text: plain('a'), accessory }))).toEqual([])
  })
})

const inputLimits: readonly Limit[] = [
  ['texts', (n) => field({ initial_value: x(n) }), 3000, '/initial_value'],
  ['placeholders', (n) => field({ placeholder: plain(x(n)) }), 150, '/placeholder/text'],
  ['max_length', (n) => field({ max_length: n }), 3000, '/max_length'],
]

const acceptedInputs = [
  boxes(),
  field({ initial_value: 'ab', max_length: 2 }),
  number({ initial_value: '-5' }),
  number({ min_value: '1', max_value: '1', initial_value: '1' }),
]

const inputRules: readonly Rule[] = [
  [field({ max_length: 0 }), '/max_length', /at least 1/],
  [field({ initial_value: 'abc', max_length: 2 }), '/initial_value', /less than 3/],
  [number({ initial_value: '0.5' }), '/initial_value', /whole/],
  [{ type: 'number_input' }, '/is_decimal_allowed', /missing required/],
  [number({ min_value: '2', max_value: '1' }), '/min_value', /max_value/],
  [number({ min_value: '2', initial_value: '1' }), '/initial_value', /min_value/],
  [overflow(), '/type', /unsupported type: overflow/],
]

describe('elements of an input block', () => {
  const find = (element: unknown) => inModal(input(element))
  const samples = { limits: inputLimits, accepted: acceptedInputs, rules: inputRules }
  testSamples(samples, find, '/blocks/0/element')
})
