import { WebAPIRateLimitedError } from '@slack/web-api'
import { beforeEach, describe, expect, it } from 'vitest'
import { CallBudgets } from '../../../src/slack/api/call-budgets.ts'

let now = 1_000_000
let budgets: CallBudgets
beforeEach(() => {
  now = 1_000_000
  budgets = new CallBudgets(() => now)
})

const limited = new WebAPIRateLimitedError(30)

/** In how many seconds it may be called; `undefined`: now. */
function waitFor(method: string, options: { token: string; channel?: string }): number | undefined {
  try {
    budgets.spend(method, options)
    return undefined
  } catch (error) {
    if (error instanceof WebAPIRateLimitedError) return error.retryAfter
    throw error
  }
}

describe('a method of a workspace', () => {
  const ours = { token: 'xoxb-1' }

  it('rests after a 429 for as long as Slack asks, and no other', () => {
    budgets.learn('chat.update', ours, limited)
    now += 10_500
    expect(waitFor('chat.update', ours)).toBe(20)
    expect(waitFor('views.open', ours)).toBeUndefined()
    expect(waitFor('chat.update', { token: 'xoxb-2' })).toBeUndefined()
    now += 19_500
    expect(waitFor('chat.update', ours)).toBeUndefined()
  })

  it('does not rest after another error, or where the clock was set back', () => {
    budgets.learn('chat.update', ours, new Error('no'))
    expect(waitFor('chat.update', ours)).toBeUndefined()
    budgets.learn('chat.update', ours, limited)
    now -= 60_000
    expect(waitFor('chat.update', ours)).toBeUndefined()
  })

  it('is a channel, where it posts', () => {
    budgets.learn('chat.postMessage', { ...ours, channel: 'C1' }, limited)
    expect(waitFor('chat.postMessage', { ...ours, channel: 'C1' })).toBe(30)
    expect(waitFor('chat.postMessage', { ...ours, channel: 'C2' })).toBeUndefined()
  })

  it('leaves half of the changes of messages of a minute to what cannot wait', () => {
    for (let n = 0; n < 25; n++) {
      expect(budgets.hasSpareUpdates('xoxb-1')).toBe(true)
      budgets.spend('chat.update', ours)
    }
    expect(budgets.hasSpareUpdates('xoxb-1')).toBe(false)
    expect(budgets.hasSpareUpdates('xoxb-2')).toBe(true)
    expect(waitFor('chat.update', ours)).toBeUndefined()
    now += 60_000
    expect(budgets.hasSpareUpdates('xoxb-1')).toBe(true)
  })
})
