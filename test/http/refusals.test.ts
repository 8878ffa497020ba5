import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RefusalReason, Refusals } from '../../src/http/refusals.ts'
import { createLog } from '../../src/log.ts'
import { useApp } from '../support/app.ts'

let lines: { readonly level: number; readonly msg: string }[]
let refusals: Refusals

beforeEach(() => {
  lines = []
  const { log } = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  refusals = new Refusals({ log, onRefused: () => {} })
})
afterEach(() => vi.useRealTimers())

/** Receives these requests, `ok` for an accepted one, and waits for the end of the interval. */
function receive(...outcomes: readonly (RefusalReason | 'ok')[]): readonly string[] {
  vi.useFakeTimers()
  for (const outcome of outcomes)
    if (outcome === 'ok') refusals.countAccepted()
    else refusals.countRefused(outcome)
  vi.advanceTimersByTime(120_000)
  return lines.flatMap(({ level, msg }) => (level >= 40 ? [msg] : []))
}

const wrongSecret = "most requests are refused: SLACK_SIGNING_SECRET isn't this app's"
const wrongClock = "most requests are refused: this machine's clock is wrong"

it.each([
  [['signature'], [wrongSecret]],
  [['signature', 'ok', 'signature'], [wrongSecret]],
  [['timestamp', 'timestamp', 'ok'], [wrongClock]],
  [['ok', 'ok', 'ok', 'signature'], [wrongSecret]],
  [['signature', 'ok'], []],
  [['ok'], []],
  [['unsigned', 'unsigned', 'unsigned'], []],
  [['too-large', 'crowded', 'cut', 'stopping'], []],
] as const)('after %s, the log warns of %s', (outcomes, warnings) => {
  expect(receive(...outcomes)).toEqual(warnings)
})

it('warns again in each interval that needs it', () => {
  expect(receive('signature')).toEqual([wrongSecret])
  expect(receive('signature', 'ok', 'ok')).toEqual([wrongSecret])
  expect(receive('timestamp')).toEqual([wrongSecret, wrongClock])
})

describe('the app', () => {
  const app = useApp({ runtime: { warnOfRefusalsAfterMs: 50 } })

  it("warns of a signing secret that isn't the app's", async () => {
    await app.slack.raw(app.url, { body: 'command=%2Fcalls&text=', secret: 'another' })
    await app.logged(wrongSecret)
    expect(app.logs.join('')).not.toContain(app.slack.signingSecret)
  })
})
