import { describe, expect, test } from 'vitest'
import {
  checkMessage,
  checkOptions,
  checkView,
  MESSAGE_LIMITS,
  toSlackMessages,
} from '../../../../dev/slack/block-kit/index.ts'
import { input, modal, mrkdwn, option, options, plain, times, x } from './samples.ts'

const divider = { type: 'divider' }
const dividers = (n: number) => times(n, () => divider)
const field = input({ type: 'plain_text_input' })

const messages: [name: string, taken: object, refused: object, path: string, rule: RegExp][] = [
  [
    'blocks',
    { text: 'a', blocks: dividers(50) },
    { text: 'a', blocks: dividers(51) },
    '/blocks',
    /no more than 50/,
  ],
  ['text', { text: x(4000) }, { text: x(4001) }, '/text', /4001/],
  ['text or blocks', { text: 'a' }, {}, '/text', /no_text/],
  [
    'text beside blocks',
    { text: 'a', blocks: [divider] },
    { blocks: [divider] },
    '/text',
    /stand for the blocks/,
  ],
  [
    'text that says something',
    { text: 'a', blocks: [divider] },
    { text: ' ', blocks: [divider] },
    '/text',
    /stand for/,
  ],
  ['nothing but blocks is not enough', { text: 'a', blocks: [] }, { blocks: [] }, '/text', /no_text/],
  ['escaped mention', { text: '&lt;!channel&gt;' }, { text: '<!channel>' }, '/text', /<!channel>/],
  [
    'mention with a label',
    { text: '<!date^1^{date}|a>' },
    { text: '<!everyone|everyone>' },
    '/text',
    /<!everyone>/,
  ],
  [
    'who sees it',
    { text: 'a', response_type: 'in_channel' },
    { text: 'a', response_type: 'public' },
    '/response_type',
    /enum/,
  ],
  [
    'names are not linked',
    { text: 'a', link_names: false },
    { text: 'a', link_names: true },
    '/link_names',
    /false/,
  ],
  ['nothing is parsed', { text: 'a', parse: 'none' }, { text: 'a', parse: 'full' }, '/parse', /none/],
  [
    'known keys',
    { text: 'a', response_type: 'ephemeral' },
    { text: 'a', attachments: [] },
    '',
    /property: attachments/,
  ],
]

describe('checkMessage', () => {
  test.each(messages)('%s', (_name, taken, refused, path, rule) => {
    expect(checkMessage(taken)).toEqual([])
    expect(checkMessage(refused)).toContainEqual({ path, rule: expect.stringMatching(rule) })
  })

  test('taking a message away needs no text', () => {
    expect(checkMessage({ delete_original: true })).toEqual([])
  })

  test('a message stays under 12,000 characters of JSON', () => {
    const section = (length: number) => ({ type: 'section', text: mrkdwn(x(length)) })
    const blocks = [section(3000), section(3000), section(3000)]
    const frame = JSON.stringify({ text: 'a', blocks: [...blocks, section(0)] }).length
    const sized = (size: number) => ({ text: 'a', blocks: [...blocks, section(size - frame)] })
    expect(JSON.stringify(sized(11_999))).toHaveLength(11_999)
    expect(checkMessage(sized(11_999))).toEqual([])
    expect(checkMessage(sized(12_000))).toEqual([
      { path: '', rule: expect.stringMatching(/^message-size: .*12000$/) },
    ])
    expect(checkMessage(sized(12_000), { ...MESSAGE_LIMITS, jsonBytes: 12_001 })).toEqual([])
  })

  test.each([null, undefined, 'text', 5, []])('%j is no message', (payload) => {
    expect(checkMessage(payload)).toContainEqual({
      path: '',
      rule: expect.stringMatching(/must provide an object|missing required field/),
    })
  })
})

const views: [name: string, taken: object, refused: object, path: string, rule: RegExp][] = [
  [
    'title',
    modal([divider], { title: plain(x(24)) }),
    modal([divider], { title: plain(x(25)) }),
    '/title/text',
    /25/,
  ],
  ['title plain', modal([divider]), modal([divider], { title: mrkdwn('a') }), '/title/type', /plain_text/],
  ['title there', modal([divider]), modal([divider], { title: undefined }), '/title', /missing required/],
  [
    'submit',
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
    'submit without inputs',
    modal([divider], { submit: undefined }),
    modal([field], { submit: undefined }),
    '/submit',
    /submit/,
  ],
  [
    'close',
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
  ['blocks', modal(dividers(100)), modal(dividers(101)), '/blocks', /no more than 100/],
  ['some block', modal([divider]), modal([]), '/blocks', /fewer than 1/],
  [
    'empty metadata',
    modal([divider], { private_metadata: '', callback_id: '' }),
    modal([divider], { private_metadata: 5 }),
    '/private_metadata',
    /string/,
  ],
  [
    'flags',
    modal([divider], { close: plain('Close') }),
    modal([divider], { notify_on_close: true }),
    '',
    /property: notify_on_close/,
  ],
  [
    'home blocks',
    { type: 'home', blocks: dividers(100) },
    { type: 'home', blocks: dividers(101) },
    '/blocks',
    /no more than 100/,
  ],
  [
    'home without a title',
    { type: 'home', blocks: [divider] },
    { type: 'home', blocks: [divider], title: plain('a') },
    '',
    /property: title/,
  ],
  [
    'home with inputs',
    { type: 'home', blocks: [field] },
    { type: 'sheet', blocks: [field] },
    '/type',
    /unsupported type: sheet/,
  ],
]

describe('checkView', () => {
  test.each(views)('%s', (_name, taken, refused, path, rule) => {
    expect(checkView(taken)).toEqual([])
    expect(checkView(refused)).toContainEqual({ path, rule: expect.stringMatching(rule) })
  })

  test.each([null, undefined, 'text', []])('%j is no view', (view) => {
    expect(checkView(view)).toEqual([{ path: '', rule: expect.any(String) }])
  })
})

describe('checkOptions', () => {
  const group = { label: plain('Group'), options: options(1) }

  test.each<[name: string, taken: object, refused: object, path: string, rule: RegExp]>([
    ['options', { options: options(100) }, { options: options(101) }, '/options', /no more than 100/],
    ['no options', { options: [] }, {}, '', /either/],
    ['groups', { option_groups: [group] }, { option_groups: [group], options: [] }, '', /either/],
    [
      'groups with options',
      { option_groups: [group] },
      { option_groups: [{ ...group, options: [] }] },
      '/option_groups/0/options',
      /fewer/,
    ],
    ['no groups', { option_groups: [] }, { option_groups: {} }, '/option_groups', /array/],
    [
      'many groups',
      { option_groups: times(100, () => group) },
      { option_groups: times(101, () => group) },
      '/option_groups',
      /no more than 100/,
    ],
    [
      'option',
      { options: [option(x(150), x(75))] },
      { options: [option(x(151), 'a')] },
      '/options/0/value',
      /151/,
    ],
    [
      'option text',
      { options: [option('a')] },
      { options: [{ text: mrkdwn('a'), value: 'a' }] },
      '/options/0/text/type',
      /plain_text/,
    ],
    [
      'values differ',
      { options: options(2) },
      { options: [option('a'), option('a')] },
      '/options/1/value',
      /duplicate/,
    ],
  ])('%s', (_name, taken, refused, path, rule) => {
    expect(checkOptions(taken)).toEqual([])
    expect(checkOptions(refused)).toContainEqual({ path, rule: expect.stringMatching(rule) })
  })
})

test('violations in the words of a refusal', () => {
  const violations = checkView(modal([{ type: 'header', text: plain(x(151)) }]))
  expect(toSlackMessages(violations, '/view')).toEqual([
    '[ERROR] must be less than 151 characters [json-pointer:/view/blocks/0/text/text]',
  ])
  expect(toSlackMessages([{ path: '', rule: 'no_text' }])).toEqual(['[ERROR] no_text [json-pointer:]'])
})
