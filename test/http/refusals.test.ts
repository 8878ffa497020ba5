import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HttpServer, respond } from '../../src/http/http-server.ts'
import { type RefusalReason, RefusedRequestError } from '../../src/http/refusals.ts'
import { createLog } from '../../src/log.ts'

type Outcome = RefusalReason | 'ok'

let warnings: string[]
let server: HttpServer
let url: string
let outcome: Outcome

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  warnings = []
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line)
    if (level >= 40) warnings.push(msg)
  }
  server = new HttpServer({ port: 0, host: '127.0.0.1', log: createLog('info', { write }).log })
  server.post({
    path: '/',
    handle: async (_, response) => {
      if (outcome !== 'ok') throw new RefusedRequestError(outcome)
      respond(response, 200)
    },
  })
  url = `http://127.0.0.1:${await server.start()}/`
})
afterEach(async () => {
  await server.close()
  vi.useRealTimers()
})

/** Sends requests with these outcomes, and waits for the end of the interval. */
async function receive(...outcomes: readonly Outcome[]): Promise<readonly string[]> {
  for (outcome of outcomes) await fetch(url, { method: 'POST' })
  vi.advanceTimersByTime(120_000)
  return warnings
}

const wrongSecret = "most requests are refused: SLACK_SIGNING_SECRET isn't this app's"
const wrongClock = "most requests are refused: this machine's clock is wrong"

it.each<[Outcome[], string[]]>([
  [['signature'], [wrongSecret]],
  [['signature', 'ok', 'signature'], [wrongSecret]],
  [['timestamp', 'timestamp', 'ok'], [wrongClock]],
  [['ok', 'ok', 'ok', 'signature'], [wrongSecret]],
  [['signature', 'ok'], []],
  [['ok'], []],
  [['unsigned', 'unsigned', 'unsigned'], []],
  [['too-large', 'crowded', 'cut', 'stopping'], []],
])('after %s, the log warns of %s', async (outcomes, expected) => {
  expect(await receive(...outcomes)).toEqual(expected)
})

it('warns again in each interval that needs it', async () => {
  expect(await receive('signature')).toEqual([wrongSecret])
  expect(await receive('signature', 'ok', 'ok')).toEqual([wrongSecret])
  expect(await receive('timestamp')).toEqual([wrongSecret, wrongClock])
})
