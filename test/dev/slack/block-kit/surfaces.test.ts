import { describe, expect, it } from 'vitest'
import {
  checkMessage,
  checkOptions,
  checkView,
  MESSAGE_LIMITS,
  toSlackMessages,
} from '../../../../dev/slack/block-kit/index.ts'
import {
  input,
  modal,
  mrkdwn,
  option,
  options,
  plain,
  type Rule,
  refusal,
  testRules,
  times,
  x,
} from './samples.ts'

const divider = { type: 'divider' }
const dividers = (n: number) => times(n, () => divider)
const field = input({ type: 'plain_text_input' })

const messageRules: readonly Rule[] = [
  [{ text: 'a', blocks: dividers(50) }, { text: 'a', blocks: dividers(51) }, '/blocks', /no more than 50/],
  [{ text: x(4000) }, { text: x(4001) }, '/text', /4001/],
  [{ text: 'a' }, {}, '/text', /no_text/],
  [{ text: 'a', blocks: [divider] }, { blocks: [divider] }, '/text', /stand for the blocks/],
  [{ text: 'a', blocks: [divider] }, { text: ' ', blocks: [divider] }, '/text', /stand for/],
  [{ text: 'a', blocks: [] }, { blocks: [] }, '/text', /no_text/],
  [{ text: '&lt;!channel&gt;' }, { text: '<!channel>' }, '/text', /<!channel>/],
  [{ text: '<!date^1^{date}|a>' }, { text: '<!everyone|everyone>' }, '/text', /<!everyone>/],
  [
    { text: 'a', response_type: 'in_channel' },
    { text: 'a', response_type: 'public' },
    '/response_type',
    /enum/,
  ],
  [{ text: 'a' }, { text: 'a', link_names: true }, '', /property: link_names/],
  [{ text: 'a', response_type: 'ephemeral' }, { text: 'a', attachments: [] }, '', /property: attachments/],
]

describe('checkMessage', () => {
  testRules(messageRules, checkMessage)

  it('needs no text to delete a message', () => {
    expect(checkMessage({ delete_original: true })).toEqual([])
  })

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

  it.each([null, undefined, 'text', 5, []])('refuses %j', (payload) => {
    expect(checkMessage(payload)).toContainEqual(refusal('', /must provide an object|missing required field/))
  })
})

const viewRules: readonly Rule[] = [
  [modal([divider], { title: plain(x(24)) }), modal([divider], { title: plain(x(25)) }), '/title/text', /25/],
  [modal([divider]), modal([divider], { title: mrkdwn('a') }), '/title/type', /plain_text/],
  [modal([divider]), modal([divider], { title: undefined }), '/title', /missing required/],
  [
    modal([divider], { submit: plain(x(24)) }),
    modal([divider], { submit: plain(x(25)) }),
    '/submit/text',
    /25/,
  ],
  [modal([field]), modal([field], { submit: undefined }), '/submit', /must have a submit/],
  [modal([divider], { close: plain(x(24)) }), modal([divider], { close: plain(x(25)) }), '/close/text', /25/],
  [
    modal([divider], { private_metadata: x(3000) }),
    modal([divider], { private_metadata: x(3001) }),
    '/private_metadata',
    /3001/,
  ],
  [
    modal([divider], { callback_id: x(255) }),
    modal([divider], { callback_id: x(256) }),
    '/callback_id',
    /256/,
  ],
  [modal(dividers(100)), modal(dividers(101)), '/blocks', /no more than 100/],
  [modal([divider]), modal([]), '/blocks', /fewer than 1/],
  [
    modal([divider], { submit: undefined }),
    modal([divider], { notify_on_close: true }),
    '',
    /property: notify_on_close/,
  ],
  [
    { type: 'home', blocks: dividers(100) },
    { type: 'home', blocks: dividers(101) },
    '/blocks',
    /no more than 100/,
  ],
  [
    { type: 'home', blocks: [field] },
    { type: 'home', blocks: [divider], title: plain('a') },
    '',
    /property: title/,
  ],
  [
    { type: 'home', blocks: [divider] },
    { type: 'sheet', blocks: [divider] },
    '/type',
    /unsupported type: sheet/,
  ],
]

describe('checkView', () => {
  testRules(viewRules, checkView)

  it.each([null, undefined, 'text', []])('refuses %j', (view) => {
    expect(checkView(view)).toEqual([{ path: '', rule: expect.any(String) }])
  })
})

describe('checkOptions', () => {
  const rules: readonly Rule[] = [
    [{ options: options(100) }, { options: options(101) }, '/options', /no more than 100/],
    [{ options: [] }, {}, '/options', /missing required/],
    [
      { options: [option(x(150))].map((one) => ({ ...one, text: plain('a') })) },
      { options: [option(x(151), 'a')] },
      '/options/0/value',
      /151/,
    ],
    [
      { options: [option('a')] },
      { options: [{ text: mrkdwn('a'), value: 'a' }] },
      '/options/0/text/type',
      /plain_text/,
    ],
    [{ options: options(2) }, { options: [option('a'), option('a')] }, '/options/1/value', /duplicate/],
  ]
  testRules(rules, checkOptions)
})

it('words violations like Slack', () => {
  const violations = checkView(modal([{ type: 'header', text: plain(x(151)) }]))
  expect(toSlackMessages(violations, '/view')).toEqual([
    '[ERROR] must be less than 151 characters [json-pointer:/view/blocks/0/text/text]',
  ])
  expect(toSlackMessages([{ path: '', rule: 'no_text' }])).toEqual(['[ERROR] no_text [json-pointer:]'])
})
