import { expect, it } from 'vitest'
import { checkSlackbotBlocks } from '../../../../dev/slack/block-kit/index.ts'

const text = { type: 'plain_text', text: 'Next' }
const takes = (tool: string, args: unknown) =>
  tool === 'list_calls' && typeof args === 'object' && args !== null && Object.keys(args).join() === 'page'
const findRules = (...blocks: unknown[]) => checkSlackbotBlocks(blocks, takes).map(({ rule }) => rule)
const actions = (...elements: object[]) => ({ type: 'actions', elements })
const call = { action_id: 'tool:list_calls', value: '{"page":2}' }
const button = (fields: object = {}) => ({ type: 'button', text, ...call, ...fields })
const menu = (value: string) => {
  const { action_id } = call
  return { type: 'static_select', action_id, options: [{ text, value }] }
}

it('accepts buttons and menus that call a tool with its arguments, each in a separate block', () => {
  const blocks = [actions(button()), actions(button()), actions(menu('{"page":3}'))]
  expect(findRules({ type: 'header', text }, ...blocks)).toEqual([])
})

const localLink = { action_id: undefined, url: 'http://localhost/x' }
it.each([
  ['another id', [actions(button({ action_id: 'calls.page.next' }))], /^must be tool:NAME/],
  ['an unknown tool', [actions(button({ action_id: 'tool:delete' }))], /^must be the arguments of delete/],
  ['other arguments', [actions(button({ value: '{"colour":1}' }))], /^must be the arguments of list_calls/],
  ['no JSON', [actions(button({ value: 'page 2' }))], /^must be the arguments of list_calls/],
  ['no value', [actions(button({ value: undefined }))], /^must be the arguments of list_calls/],
  ['a wrong option', [actions(menu('{}'))], /^must be the arguments of list_calls/],
  ['one id twice in a block', [actions(button(), button())], /^duplicate action_id/],
  ['a block of modals', [{ type: 'alert', text }], /^unsupported type: alert/],
  ['too many blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), /^no more than 50/],
  ['an address that is not public', [actions(button(localLink))], /^must be a public https/],
] as const)('refuses %s', (_, blocks, rule) => {
  expect(findRules(...blocks).some((one) => rule.test(one))).toBe(true)
})
