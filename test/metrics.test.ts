import { expect, it } from 'vitest'
import { holdPages } from './features/export/exports.ts'
import { Schedules } from './features/subscriptions/schedules.ts'
import { useApp } from './support/app.ts'

const app = useApp({ connected: true, config: { metricsToken: 'a token for tests' } })
const get = (authorization?: string) =>
  fetch(`${app.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })

it('serves counts and durations to holders of the token, without data of people or accounts', async () => {
  const { admin, member, slack, sandbox } = app
  for (const wrong of [undefined, 'Bearer wrong', 'a token for tests'])
    expect((await get(wrong)).status).toBe(401)
  await member.click(await member.command('/calls'), 'calls.page.next')
  const before = sandbox.requests.count('incoming')
  await member.command('/calls number:0042 last 90 days incoming')
  expect(sandbox.requests.count('incoming') - before).toBeGreaterThan(10)
  await slack.as(slack.people.guest).command('/calls timezone')
  sandbox.faults.next({ kind: 'status', status: 401 }, { operation: 'billing' })
  await admin.command('/billing')
  const schedules = new Schedules(app)
  await schedules.add()
  await schedules.pass()
  await admin.submit(await admin.open('/billing post'))
  const response = await get('Bearer a token for tests')
  expect(response.headers.get('content-type')).toContain('text/plain')
  const text = await response.text()
  for (const line of [
    'callboard_interactions_total{interaction="/calls",outcome="ok"} 2',
    'callboard_interactions_total{interaction="/calls timezone",outcome="not-allowed"} 1',
    'callboard_interactions_total{interaction="/billing",outcome="credentials-rejected"} 1',
    'callboard_interaction_seconds_count{interaction="calls.page."} 1',
    `callboard_service_requests_total{operation="incoming",outcome="ok"} ${sandbox.requests.count('incoming')}`,
    'callboard_service_requests_total{operation="billing",outcome="credentials-rejected"} 1',
    'callboard_cache_lookups_total{cache="agents",result="miss"} 1',
    'callboard_billing_posts_total{how="scheduled",outcome="sent"} 1',
    'callboard_billing_posts_total{how="by-hand",outcome="sent"} 1',
    'callboard_readings_total{outcome="ok"} 2',
    'callboard_reading_seconds_count 2',
    'callboard_service_queue_length 0',
    'callboard_service_resting 0',
  ])
    expect(text.split('\n')).toContain(line)
  expect(Number(/callboard_reading_records_total (\d+)/.exec(text)?.[1])).toBeGreaterThan(100)
  expect(text).toMatch(/callboard_acknowledgement_seconds_count \d/)
  expect(text).toContain('process_cpu_seconds_total')
  const { key, secret, agents } = sandbox.accounts.lively
  const { workspace, general, botToken } = slack
  const personal = [key, secret, workspace.teamId, admin.user.id, general.id, botToken]
  for (const value of [...personal, ...agents.map(({ name }) => name)]) expect(text).not.toContain(value)
})

it('shows the jobs that are under way', async () => {
  const { member, sandbox } = app
  const release = await holdPages(sandbox, () => member.command('/calls export'))
  await expect.poll(() => app.readMetrics()).toContain('\ncallboard_jobs_under_way 1\n')
  release()
  await expect.poll(() => app.readMetrics()).toContain('\ncallboard_jobs_under_way 0\n')
})

it('starts at 0 what alerts compute rates of, so that they see the first failure', async () => {
  const text = await (await get('Bearer a token for tests')).text()
  for (const line of [
    'callboard_interactions_total{interaction="/calls",outcome="error"} 0',
    'callboard_interactions_total{interaction="calls.page.",outcome="error"} 0',
    'callboard_interactions_total{interaction="event app_home_opened",outcome="error"} 0',
    'callboard_requests_refused_total{reason="signature"} 0',
    'callboard_readings_total{outcome="timeout"} 0',
    'callboard_exports_total{outcome="error"} 0',
    'callboard_billing_posts_total{how="scheduled",outcome="refused"} 0',
    'callboard_malformed_rows_total{kind="credentials"} 0',
  ])
    expect(text.split('\n')).toContain(line)
  await app.member.command('/calls missed')
  await app.member.command('/agents')
  const later = await (await get('Bearer a token for tests')).text()
  const used = [...later.matchAll(/^callboard_interactions_total{interaction="([^"]+)",outcome="ok"}/gm)]
  expect(used.length).toBeGreaterThanOrEqual(3)
  for (const [, name] of used)
    expect(text).toContain(`callboard_interactions_total{interaction="${name}",outcome="error"} 0`)
})

it('counts refused requests by reason', async () => {
  const { slack, url, logs } = app
  const body = 'command=%2Fcalls&text='
  await slack.raw(url, { body, secret: 'another' })
  await slack.raw(url, { body, timestamp: Math.floor(Date.now() / 1000) - 400 })
  await fetch(`${url}/slack/events`, { method: 'POST', body })
  await slack.raw(url, { body: 'x'.repeat(600_000) })
  const text = await (await get('Bearer a token for tests')).text()
  const counts = { signature: 1, timestamp: 1, unsigned: 1, 'too-large': 1, cut: 0 }
  for (const [reason, count] of Object.entries(counts))
    expect(text.split('\n')).toContain(`callboard_requests_refused_total{reason="${reason}"} ${count}`)
  // Pino's 40 is a warning: the signing secret or this machine's clock may be wrong.
  const level = (reason: string) =>
    /"level":(\d+)/.exec(logs.find((line) => line.includes(`"err":"${reason}"`)) ?? '')?.[1]
  expect(['signature', 'timestamp', 'unsigned', 'too-large'].map(level)).toEqual(['40', '40', '30', '30'])
})
