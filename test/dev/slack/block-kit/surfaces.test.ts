import { describe, expect, it } from 'vitest'
import {
  checkMessage,
  checkOptions,
  checkView,
  MESSAGE_LIMITS,
  toSlackMessages,
} from '../../../../dev/slack/block-kit/index.ts'
import { type Limit, type Rule, refusal, testSamples } from './checks.ts'
import { input, modal, mrkdwn, notPlain, option, options, plain, times, x } from './samples.ts'

const divider = { type: 'divider' }
const dividers = (n: number) => times(n, () => divider)
const field = input({ type: 'plain_text_input' })

const messageLimits: readonly Limit[] = [
  ['blocks', (n) => ({ text: 'a', blocks: dividers(n) }), 50, '/blocks'],
  ['text', (n) => ({ text: x(n) }), 4000, '/text'],
]

const acceptedMessages = [
  { text: 'a', blocks: [] },
  { text: '&lt;!channel&gt;' },
  { text: '<!date^1^{date}|a>' },
  { text: 'a', response_type: 'in_channel' },
  { text: 'a', response_type: 'ephemeral' },
  // A message is deleted without a text.
  { delete_original: true },
]

const messageRules: readonly Rule[] = [
  [{}, '/text', /no_text/],
  [{ blocks: [divider] }, '/text', /stand for the blocks/],
  [{ text: '<!channel>' }, '/text', /<!channel>/],
  [{ text: '<!everyone|everyone>' }, '/text', /<!everyone>/],
  [{ text: 'a', response_type: 'public' }, '/response_type', /enum/],
  [{ text: 'a', link_names: true }, '', /property: link_names/],
  [{ text: 'a', attachments: [] }, '', /property: attachments/],
]

describe('checkMessage', () => {
  testSamples({ limits: messageLimits, accepted: acceptedMessages, rules: messageRules }, checkMessage)

  it('limits the JSON of a message', () => {
    const section = (length: number) => ({ type: 'section', expand: true, text: mrkdwn(x(length)) })
    const blocks = [section(3000), section(3000), section(3000)]
    const frame = JSON.stringify({ text: 'a', blocks: [...blocks, section(0)] }).length
    const sized = (size: number) => ({ text: 'a', blocks: [...blocks, section(size - frame)] })
    expect(JSON.stringify(sized(11_999))).toHaveLength(11_999)
    expect(checkMessage(sized(11_999))).toEqual([])
    expect(checkMessage(sized(12_000))).toEqual([refusal('', /^message-size: .*12000$/)])
    expect(checkMessage(sized(12_000), { ...MESSAGE_LIMITS, jsonBytes: 12_001 })).toEqual([])
  })
})

const home = (blocks: unknown[], fields: object = {}) => ({ type: 'home', blocks, ...fields })

const viewLimits: readonly Limit[] = [
  ['titles', (n) => modal([divider], { title: plain(x(n)) }), 24, '/title/text'],
  ['submit buttons', (n) => modal([divider], { submit: plain(x(n)) }), 24, '/submit/text'],
  ['close buttons', (n) => modal([divider], { close: plain(x(n)) }), 24, '/close/text'],
  ['private_metadata', (n) => modal([divider], { private_metadata: x(n) }), 3000, '/private_metadata'],
  ['callback_id', (n) => modal([divider], { callback_id: x(n) }), 255, '/callback_id'],
  ['blocks of a modal', (n) => modal(dividers(n)), 100, '/blocks'],
  ['blocks of a Home tab', (n) => home(dividers(n)), 100, '/blocks'],
]

const viewRules: readonly Rule[] = [
  [modal([divider], { title: notPlain }), '/title/type', /plain_text/],
  [modal([divider], { title: undefined }), '/title', /missing required/],
  [modal([field], { submit: undefined }), '/submit', /must have a submit/],
  [modal([]), '/blocks', /fewer than 1/],
  [modal([divider], { notify_on_close: true }), '', /property: notify_on_close/],
  [home([divider], { title: plain('a') }), '', /property: title/],
  [{ type: 'sheet', blocks: [divider] }, '/type', /unsupported type: sheet/],
]

describe('checkView', () => {
  const accepted = [modal([divider], { submit: undefined }), home([field])]
  testSamples({ limits: viewLimits, accepted, rules: viewRules }, checkView)
})

const optionLimits: readonly Limit[] = [
  ['options', (n) => ({ options: options(n) }), 100, '/options'],
  ['values', (n) => ({ options: [option(x(n), 'a')] }), 150, '/options/0/value'],
]

const optionRules: readonly Rule[] = [
  [{}, '/options', /missing required/],
  [{ options: [{ text: notPlain, value: 'a' }] }, '/options/0/text/type', /plain_text/],
  [{ options: [option('a'), option('a')] }, '/options/1/value', /duplicate/],
]

describe('checkOptions', () => {
  testSamples({ limits: optionLimits, accepted: [{ options: [] }], rules: optionRules }, checkOptions)
})

it('words violations like Slack', () => {
  expect(toSlackMessages(checkView(modal([{ type: 'header', text: plain(x(151)) }])), '/view')).toEqual([
    '[ERROR] must be less than 151 characters [json-pointer:/view/blocks/0/text/text]',
  ])
  expect(toSlackMessages([{ path: '', rule: 'no_text' }])).toEqual(['[ERROR] no_text [json-pointer:]'])
})

it('refuses half an emoji anywhere', () => {
  const half = '😀'.slice(0, 1)
  const rule = 'has half a character'
  expect(checkMessage({ text: half })).toContainEqual({ path: '/text', rule })
  expect(checkView(modal([{ ...divider, block_id: half }]))).toContainEqual({ path: '/block_id', rule })
  expect(checkOptions({ options: [option(half)] })).toContainEqual({ path: '/value', rule })
})
