import { describe, expect, it } from 'vitest'
import { addDays } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { localDay, startOfDay } from '../../../src/time/zones.ts'
import { useApp } from '../../support/app.ts'
import { getColumn } from '../../support/shown.ts'
import { exportRows } from './calls.ts'

const app = useApp({ connected: true, calls: 400 })

const toSeconds = (length: string): number =>
  length.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

const isAnyResult = (words: string) => !words.startsWith('answered')

describe.each([
  ['longer:1:30', 'Incoming calls longer than 1 minute 30 seconds', (seconds: number) => seconds > 90],
  ['longer than 2 minutes', 'Incoming calls longer than 2 minutes', (seconds: number) => seconds > 120],
  ['shorter:45s', 'Incoming calls shorter than 45 seconds', (seconds: number) => seconds > 0 && seconds < 45],
  [
    'answered longer:1m shorter:2m',
    'Answered incoming calls longer than 1 minute and shorter than 2 minutes',
    (seconds: number) => seconds > 60 && seconds < 120,
  ],
])('/calls %s', (words, title, matches) => {
  it('selects exactly these calls, in lists, reports and exports', async () => {
    const zone = parseZone('Europe/Berlin')!
    const start = startOfDay(zone, addDays(localDay(zone, new Date()), -29))
    const expected = app.sandbox.accounts.lively
      .calls('incoming')
      .filter(
        ({ at, seconds, answered }) => at >= start && matches(seconds) && (answered || isAnyResult(words)),
      )
    const list = await app.member.command(`/calls ${words} last 30 days`)
    expect(list).toShow(title.replace(/^\w/, (first) => `${expected.length} ${first.toLowerCase()}`))
    expect(getColumn(list, 'Length').map(toSeconds).every(matches)).toBe(true)
    const report = await app.member.command(`/calls report ${words} last 30 days`)
    expect(report).toShow(title, `${expected.length}`)
    expect(await exportRows(app, `${words} last 30 days`)).toHaveLength(expected.length)
  })
})

it('pages, filters and removes a length', async () => {
  const { member } = app
  const list = await member.command('/calls line:5042 longer:5s last 300 days')
  expect(await member.click(list, 'calls.page.next')).toShow('longer than 5 seconds to …5042', 'Page 2 of')
  const form = await member.open(list, 'calls.filter')
  expect(form).toShow('Longer than', 'Shorter than')
  const { errors } = await member.submit(form, { longer: 'five' })
  expect(errors).toEqual({ longer: 'Enter a time: 5m, 90s or 1:30.' })
  const empty = await member.command('/calls longer:20h yesterday')
  expect(empty).toShow('No incoming calls longer than 20 hours')
  expect(await member.click(empty, 'calls.show.any-length')).not.toShow('longer than')
  expect(await member.command('/calls longer:long')).toShow('Add a time: longer:5m.')
})

it.each([
  ['calls.retry', { page: 1 }],
  ['report.show.retry', { by: 'weekday' }],
])('shows a query that is too long for a menu: %s', async (action_id, more) => {
  const { member, slack, sandbox, url } = app
  const [agent] = sandbox.accounts.lively.agents
  const to = localDay(parseZone('Europe/Berlin')!, new Date())
  const filters = { status: 'answered', from: addDays(to, -6), to, agentId: agent!.id, line: '9'.repeat(40) }
  const query = { direction: 'incoming', ...filters, longer: 86_398, shorter: 86_400, ...more }
  const message = await member.command('/calls')
  const action = { action_id, value: JSON.stringify(query) }
  const exchange = await slack.clickRaw(url, { message, user: member.user, action })
  expect(await exchange.waitForMessage()).toShow('longer than 23 hours', 'Filter…')
})
