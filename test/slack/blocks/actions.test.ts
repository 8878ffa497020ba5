import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ReportQuery, reportActions } from '../../../src/features/reports/actions.ts'
import { localDaySchema } from '../../../src/query/filters/day-filters.ts'
import { AGENT_LENGTHS } from '../../../src/query/filters/filter.ts'
import { action, MenuAction } from '../../../src/slack/blocks/actions.ts'
import { LIMITS } from '../../../src/slack/blocks/blocks.ts'
import { type ActionHandler, bind } from '../../../src/slack/routing/routes.ts'
import { NUMBER_DIGITS } from '../../../src/telephony/phone-numbers.ts'

describe('the block id of a menu', () => {
  const text = z.object({ text: z.string() })
  const menu = new MenuAction('a.menu', text, ({ text }) => [{ text: text.slice(0, 200) }])

  it('carries the value, shortened if it is too long', () => {
    const read = (value: string) => menu.read({ block_id: menu.getBlockId({ text: value }, 'nonce') })
    expect(read('x|y')).toEqual({ text: 'x|y' })
    expect(read('x'.repeat(250))).toEqual({ text: 'x'.repeat(200) })
  })

  it("is never longer than Slack's limit", () => {
    const fixed = new MenuAction('a.menu', text)
    const longest = LIMITS.blockId - 'a.menu|n|{"text":""}'.length
    expect(fixed.getBlockId({ text: 'x'.repeat(longest) }, 'n')).toHaveLength(LIMITS.blockId)
    expect(() => fixed.getBlockId({ text: 'x'.repeat(longest + 1) }, 'n')).toThrow(RangeError)
  })

  it('fits the longest query of a report', () => {
    const query: ReportQuery = {
      from: localDaySchema.parse('2026-11-05'),
      to: localDaySchema.parse('2026-12-05'),
      direction: 'outgoing',
      status: 'answered',
      agentId: 'a'.repeat(AGENT_LENGTHS.id),
      // Twice as long in JSON.
      agentName: '"'.repeat(AGENT_LENGTHS.name),
      number: '1'.repeat(NUMBER_DIGITS.max),
      by: 'weekday',
      at: Date.UTC(2026, 11, 5),
    }
    const { agentName: _, ...rest } = query
    const menu = reportActions.by
    expect(menu.read({ block_id: menu.getBlockId(query, '12345678') })).toEqual(rest)
  })
})

it('an action without a route, or with a route for another type of value, fails the typecheck', () => {
  const actions = { open: action('a.open', z.string()), close: action('a.close') }
  const open: ActionHandler<string> = { needs: 'member', handle: async () => undefined }
  const close: ActionHandler<void> = { needs: 'member', handle: async () => undefined }
  const ofNumber: ActionHandler<number> = { needs: 'member', handle: async () => undefined }
  // @ts-expect-error: `close` has no route.
  bind(actions, { open })
  // @ts-expect-error: the value is a string.
  bind(actions, { open: ofNumber, close })
  // @ts-expect-error: a button needs its value.
  expect(actions.open.button('Open').value).toBeUndefined()
  expect(bind(actions, { open, close }).map(({ action }) => action)).toEqual(['a.open', 'a.close'])
})
