import { describe, expect, it } from 'vitest'
import {
  checkMessage,
  checkOptions,
  checkView,
  MESSAGE_LIMITS,
  toSlackMessages,
} from '../../../../dev/slack/block-kit/index.ts'
import { input, modal, mrkdwn, option, options, plain, type Rule, refusal, times, x } from './samples.ts'

const divider = { type: 'divider' }
const dividers = (n: number) => times(n, () => divider)
const field = input({ type: 'plain_text_input' })

const messageRules: readonly Rule[] = [
  [
    '50 blocks',
    { text: 'a', blocks: dividers(50) },
    { text: 'a', blocks: dividers(51) },
    '/blocks',
    /no more than 50/,
  ],
  ['4,000 characters', { text: x(4000) }, { text: x(4001) }, '/text', /4001/],
  ['text or blocks', { text: 'a' }, {}, '/text', /no_text/],
  [
    'text with blocks',
    { text: 'a', blocks: [divider] },
    { blocks: [divider] },
    '/text',
    /stand for the blocks/,
  ],
  ['empty text', { text: 'a', blocks: [divider] }, { text: ' ', blocks: [divider] }, '/text', /stand for/],
  ['empty blocks', { text: 'a', blocks: [] }, { blocks: [] }, '/text', /no_text/],
  ['channel mentions', { text: '&lt;!channel&gt;' }, { text: '<!channel>' }, '/text', /<!channel>/],
  [
    'mentions with a label',
    { text: '<!date^1^{date}|a>' },
    { text: '<!everyone|everyone>' },
    '/text',
    /<!everyone>/,
  ],
  [
    'response types',
    { text: 'a', response_type: 'in_channel' },
    { text: 'a', response_type: 'public' },
    '/response_type',
    /enum/,
  ],
  ['linked names', { text: 'a' }, { text: 'a', link_names: true }, '', /property: link_names/],
  [
    'attachments',
    { text: 'a', response_type: 'ephemeral' },
    { text: 'a', attachments: [] },
    '',
    /property: attachments/,
  ],
]

describe('checkMessage', () => {
  it.each(messageRules)('checks %s', (_, accepted, refused, path, rule) => {
    expect(checkMessage(accepted)).toEqual([])
    expect(checkMessage(refused)).toContainEqual(refusal(path, rule))
  })

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
  [
    'titles',
    modal([divider], { title: plain(x(24)) }),
    modal([divider], { title: plain(x(25)) }),
    '/title/text',
    /25/,
  ],
  ['plain titles', modal([divider]), modal([divider], { title: mrkdwn('a') }), '/title/type', /plain_text/],
  ['missing titles', modal([divider]), modal([divider], { title: undefined }), '/title', /missing required/],
  [
    'submit texts',
    modal([divider], { submit: plain(x(24)) }),
    modal([divider], { submit: plain(x(25)) }),
    '/submit/text',
    /25/,
  ],
  [
    'submit with inputs',
    modal([field]),
    modal([field], { submit: undefined }),
    '/submit',
    /must have a submit/,
  ],
  [
    'close texts',
    modal([divider], { close: plain(x(24)) }),
    modal([divider], { close: plain(x(25)) }),
    '/close/text',
    /25/,
  ],
  [
    'private_metadata',
    modal([divider], { private_metadata: x(3000) }),
    modal([divider], { private_metadata: x(3001) }),
    '/private_metadata',
    /3001/,
  ],
  [
    'callback_id',
    modal([divider], { callback_id: x(255) }),
    modal([divider], { callback_id: x(256) }),
    '/callback_id',
    /256/,
  ],
  ['100 blocks', modal(dividers(100)), modal(dividers(101)), '/blocks', /no more than 100/],
  ['empty modals', modal([divider]), modal([]), '/blocks', /fewer than 1/],
  [
    'unused flags',
    modal([divider], { submit: undefined }),
    modal([divider], { notify_on_close: true }),
    '',
    /property: notify_on_close/,
  ],
  [
    'blocks of Home',
    { type: 'home', blocks: dividers(100) },
    { type: 'home', blocks: dividers(101) },
    '/blocks',
    /no more than 100/,
  ],
  [
    'a title of Home',
    { type: 'home', blocks: [field] },
    { type: 'home', blocks: [divider], title: plain('a') },
    '',
    /property: title/,
  ],
  [
    'types',
    { type: 'home', blocks: [divider] },
    { type: 'sheet', blocks: [divider] },
    '/type',
    /unsupported type: sheet/,
  ],
]

describe('checkView', () => {
  it.each(viewRules)('checks %s', (_, accepted, refused, path, rule) => {
    expect(checkView(accepted)).toEqual([])
    expect(checkView(refused)).toContainEqual(refusal(path, rule))
  })

  it.each([null, undefined, 'text', []])('refuses %j', (view) => {
    expect(checkView(view)).toEqual([{ path: '', rule: expect.any(String) }])
  })
})

describe('checkOptions', () => {
  it.each<Rule>([
    ['100 options', { options: options(100) }, { options: options(101) }, '/options', /no more than 100/],
    ['missing options', { options: [] }, {}, '/options', /missing required/],
    [
      'option values',
      { options: [option(x(150))].map((one) => ({ ...one, text: plain('a') })) },
      { options: [option(x(151), 'a')] },
      '/options/0/value',
      /151/,
    ],
    [
      'plain option texts',
      { options: [option('a')] },
      { options: [{ text: mrkdwn('a'), value: 'a' }] },
      '/options/0/text/type',
      /plain_text/,
    ],
    [
      'distinct values',
      { options: options(2) },
      { options: [option('a'), option('a')] },
      '/options/1/value',
      /duplicate/,
    ],
  ])('checks %s', (_, accepted, refused, path, rule) => {
    expect(checkOptions(accepted)).toEqual([])
    expect(checkOptions(refused)).toContainEqual(refusal(path, rule))
  })
})

it('words violations like Slack', () => {
  const violations = checkView(modal([{ type: 'header', text: plain(x(151)) }]))
  expect(toSlackMessages(violations, '/view')).toEqual([
    '[ERROR] must be less than 151 characters [json-pointer:/view/blocks/0/text/text]',
  ])
  expect(toSlackMessages([{ path: '', rule: 'no_text' }])).toEqual(['[ERROR] no_text [json-pointer:]'])
})
