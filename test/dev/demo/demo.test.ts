import { request } from 'undici'
import { expect, it } from 'vitest'
import { start } from './started-demo.ts'

const berlin = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const openingTime = /^(Mon|Tue|Wed|Thu|Fri) 09:3[01]$/

const starts = ['2026-11-30T03:30:00Z', '2027-03-26T16:45:00Z', '2027-08-01T22:10:00Z']

it.each(starts)('opens at 9:30 on a weekday, with calls of that morning, if started at %s', async (time) => {
  const aheadMs = Date.parse(time) - Date.now()
  const demo = await start({ machineNow: () => Date.now() + aheadMs })
  expect(berlin.format(demo.clock.now())).toMatch(openingTime)
  const { messages, aheadMs: shownMs } = await demo.state()
  expect(Math.abs(demo.clock.now() - Date.now() - shownMs)).toBeLessThan(5000)
  expect(messages[0]?.text).toMatch(/^3 missed calls since 09:24/)
  expect(berlin.format(Number(messages.at(-1)?.ts) * 1000)).toMatch(openingTime)
})

it('only accepts requests from its own machine and its own page', async () => {
  const demo = await start()
  const body = JSON.stringify({ kind: 'write', user: 'U0ADA1', channel: 'C0SUPPORT1', text: '/calls' })
  expect((await fetch(`${demo.url}/api/act`, { method: 'POST', body })).status).toBe(415)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${demo.url}/api/act`, { method: 'POST', headers, body: '{}' })).status).toBe(400)
  expect((await fetch(`${demo.url}/src/main.ts`)).status).toBe(404)
  for (const url of [demo.url, demo.slack.apiUrl]) {
    const { statusCode, body } = await request(new URL('/', url), { headers: { host: 'elsewhere.example' } })
    expect([statusCode, await body.text()]).toEqual([403, 'loopback only'])
  }
  expect((await fetch(`${demo.url}/api/start-over`, { method: 'POST', body: '{}' })).status).toBe(415)
  const { headers: sent } = await fetch(demo.url)
  expect(sent.get('content-security-policy')).toContain("default-src 'self'")
})
