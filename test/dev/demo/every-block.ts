import { mrkdwn, option, plain } from '../slack/block-kit/samples.ts'

// Every block and element that Callboard uses, with something to look for in each.

const options = [option('one', 'One'), option('two', 'Two')]

const series = (name: string, ...values: number[]) => ({
  name,
  data: values.map((value, n) => ({ label: ['Mon', 'Tue', 'Wed'][n] ?? '', value })),
})
const axis_config = { categories: ['Mon', 'Tue', 'Wed'] }

export const everyBlock = [
  { type: 'header', text: plain('a header') },
  {
    type: 'section',
    text: mrkdwn(
      '*bold* _italic_ `code` &lt;not escaped&gt; <https://example.com|a link> <@U0BEN1>\n<#C0SUPPORT1>',
    ),
  },
  {
    type: 'section',
    text: plain('a plain text'),
    accessory: {
      type: 'button',
      action_id: 'b1',
      text: plain('Press'),
      confirm: {
        title: plain('Sure?'),
        text: plain('It is pressed.'),
        confirm: plain('Yes'),
        deny: plain('No'),
      },
    },
  },
  {
    type: 'section',
    fields: [mrkdwn('a field'), plain('another')],
    accessory: { type: 'overflow', action_id: 'o1', options },
  },
  { type: 'divider' },
  { type: 'context', elements: [mrkdwn('in small, at 10:30:45'), plain('plainly')] },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'b2', text: plain('Primary'), style: 'primary' },
      { type: 'button', action_id: 'b3', text: plain('Danger'), style: 'danger' },
      { type: 'button', action_id: 'b4', text: plain('Elsewhere'), url: 'https://example.com' },
      { type: 'static_select', action_id: 's1', placeholder: plain('Pick one'), options },
      { type: 'conversations_select', action_id: 's2', placeholder: plain('Pick a channel') },
      { type: 'checkboxes', action_id: 'c1', options },
    ],
  },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'rich ', style: { bold: true } },
          { type: 'link', url: 'https://example.com', text: 'linked' },
        ],
      },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'as it is' }] },
    ],
  },
  {
    type: 'data_visualization',
    title: 'Calls a day',
    chart: { type: 'bar', series: [series('Answered', 12, 9, 14), series('Missed', 3, 1, 4)], axis_config },
  },
]

const input = (label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id: label.toLowerCase(),
  label: plain(label),
  element: { action_id: `in-${label.toLowerCase()}`, ...element },
  ...more,
})

export const everyInput = {
  type: 'modal',
  title: plain('Every input'),
  submit: plain('Send'),
  blocks: [
    { type: 'alert', level: 'warning', text: mrkdwn('an alert') },
    input('Text', { type: 'plain_text_input', initial_value: 'first' }, { hint: plain('a hint') }),
    input('Number', { type: 'number_input', is_decimal_allowed: false, initial_value: '7' }),
    input('Choice', { type: 'static_select', options, initial_option: option('two', 'Two') }),
    input('Search', { type: 'external_select', min_query_length: 0 }, { optional: true }),
    input('Where', { type: 'conversations_select' }, { optional: true }),
    input('People', { type: 'multi_users_select' }, { optional: true }),
    input('Date', { type: 'datepicker', initial_date: '2026-11-05' }),
    input('Time', { type: 'timepicker', initial_time: '09:30' }),
    input('Boxes', { type: 'checkboxes', options }, { optional: true }),
    input('Now', { type: 'static_select', options }, { dispatch_action: true, optional: true }),
  ],
}
