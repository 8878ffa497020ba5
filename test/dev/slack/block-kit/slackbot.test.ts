import { expect, it } from 'vitest'
import { checkSlackbotBlocks } from '../../../../dev/slack/block-kit/index.ts'

const text = { type: 'plain_text', text: 'Next' }
const takes = (tool: string, args: unknown) =>
  tool === 'list_calls' && typeof args === 'object' && args !== null && Object.keys(args).join() === 'page'
const findRules = (...blocks: unknown[]) => checkSlackbotBlocks(blocks, takes).map(({ rule }) => rule)
const actions = (...elements: object[]) => ({ type: 'actions', elements })
const button = (more: object) => ({
  type: 'button',
  text,
  action_id: 'tool:list_calls',
  value: '{"page":2}',
  ...more,
})
const option = (value: string) => ({ text, value })

it('accepts buttons and menus that call a tool with its arguments, each in a separate block', () => {
  const menu = { type: 'static_select', action_id: 'tool:list_calls', options: [option('{"page":3}')] }
  expect(
    findRules({ type: 'header', text }, actions(button({})), actions(button({})), actions(menu)),
  ).toEqual([])
})

it.each([
  ['another id', [actions(button({ action_id: 'calls.page.next' }))], /^must be tool:NAME/],
  [
    'an unknown tool',
    [actions(button({ action_id: 'tool:delete_calls' }))],
    /^must be the arguments of delete/,
  ],
  ['other arguments', [actions(button({ value: '{"colour":1}' }))], /^must be the arguments of list_calls/],
  ['no JSON', [actions(button({ value: 'page 2' }))], /^must be the arguments of list_calls/],
  ['no value', [actions(button({ value: undefined }))], /^must be the arguments of list_calls/],
  [
    'a wrong option',
    [actions({ type: 'static_select', action_id: 'tool:list_calls', options: [option('{}')] })],
    /^must be the/,
  ],
  ['one id twice in a block', [actions(button({}), button({}))], /^duplicate action_id/],
  ['a block of modals', [{ type: 'alert', text }], /^unsupported type: alert/],
  ['too many blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), /^no more than 50/],
  [
    'an address that is not public',
    [actions({ ...button({}), action_id: undefined, url: 'http://localhost/x' })],
    /^must be a public https/,
  ],
] as const)('refuses %s', (_, blocks, rule) => {
  expect(findRules(...blocks).some((one) => rule.test(one))).toBe(true)
})
