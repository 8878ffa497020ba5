import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { written } from '../../support/numbers.ts'
import { getActions, getButtons, getColumn, getHead, getRows } from '../../support/shown.ts'
import { lastDaysUntil } from './calls.ts'

const app = useApp({ connected: true })

describe('/calls', () => {
  it('shows the first page only to the person, with a numeric page in each paging button', async () => {
    const message = await app.member.command('/calls')
    const calls = app.sandbox.accounts.lively.calls('incoming')
    expect(message.onlyFor).toBe(app.member.user.id)
    const head = ['Time', 'Result', 'Number called', 'Answered by', 'Length', 'Cost', 'Recording']
    expect(getHead(message)).toEqual(head)
    const numbers = calls.slice(0, 20).map(({ number }) => written(number))
    expect(getColumn(message, 'Number called')).toEqual(numbers)
    const total = calls.length.toLocaleString('en')
    expect(message).toShow(`${total} incoming calls`, 'All dates · Europe/Berlin (UTC+0')
    expect(message).toShow(`Page 1 of ${Math.ceil(calls.length / 20)} · 1–20 of ${total}`)
    const paging = getButtons(message).filter(({ action_id }) => action_id.startsWith('calls.page.'))
    expect(paging.map(({ action_id }) => action_id)).toEqual(['calls.page.next', 'calls.page.last'])
    expect(JSON.parse(paging[0]?.value ?? '')).toEqual({ direction: 'incoming', page: 2 })
  })

  it.each(['incoming', 'outgoing'] as const)(
    'visits every %s record exactly once by its buttons, through a restart',
    async (direction) => {
      const { member, sandbox } = app
      let message = await member.command(`/calls ${direction}`)
      const readRows = () => getRows(message).map((row) => row.slice(0, 5).join('|'))
      const expected = sandbox.accounts.lively.calls(direction).length
      const seen: string[] = []
      for (let page = 1; ; page += 1) {
        seen.push(...readRows())
        if (page === 2) await app.restart()
        if (!getActions(message).includes('calls.page.next')) break
        message = await member.click(message, 'calls.page.next')
      }
      expect(seen).toHaveLength(expected)
      expect(new Set(seen).size).toBe(expected)
      const { ts } = message
      message = await member.click(message, 'calls.page.first')
      expect(readRows()).toEqual(seen.slice(0, 20))
      expect(message.ts).toBe(ts)
    },
  )

  it('rejects a future day without a request', async () => {
    const { member, sandbox } = app
    sandbox.requests.clear()
    for (const days of ['2199-01-01', 'from:2199-01-01', 'since 2199-01-01', '2199-01-01..2199-02-01'])
      expect(await member.command(`/calls ${days}`)).toShow('1 Jan 2199 is in the future.')
    const long = await member.command('/calls last 367 days')
    expect(long).toShow('"last 367 days": write 1 to 366 days.', 'Did you mean this?')
    expect(sandbox.requests.count()).toBe(0)
    expect(await member.click(long, 'command.meant')).toShow('incoming calls')
  })

  it('explains unknown words in one sentence, without fetching calls', async () => {
    const { member, sandbox } = app
    sandbox.requests.clear()
    expect((await member.command('/calls who ate what')).text).toBe('I didn\'t understand "who ate what".')
    const later = await member.command('/calls page:0 from:tomorrow')
    expect(later).toShow("There's no page 0.")
    expect(later).not.toShow("isn't a date")
    expect(sandbox.requests.count()).toBe(sandbox.requests.count('agents'))
    // The form contains the recognized parts.
    const outgoing = await member.command('/calls outgoing lost')
    await member.submit(await member.open(outgoing, 'calls.filter'), { status: 'answered' })
    expect(getActions(await member.sees(outgoing, 'answered outgoing calls'))).toContain('calls.share')
  })

  it('finds an agent by a part of the name, or asks which one', async () => {
    const { member } = app
    const choice = await member.command('/calls outgoing agent:anna')
    expect(choice).toShow('3 agents match "anna". Which one?')
    const names = getButtons(choice).map(({ text }) => z.object({ text: z.string() }).parse(text).text)
    expect(names).toHaveLength(3)
    expect(await member.click(choice, 'calls.show.1')).toShow(`${names[1]}: `, ' outgoing calls')
    for (const words of ['agent:“Hollis Grant”', 'agent:Hollis Grant', 'agent:holl', 'holl'])
      expect(await member.command(`/calls outgoing ${words}`)).toShow('Hollis Grant: ', ' outgoing calls')
    const near = await member.command('/calls agent:"Holis Grnt" missed')
    expect(near).toShow('No agent matches "Holis Grnt". Did you mean this?', 'All agents')
    expect(await member.click(near, 'calls.show.0')).toShow('Hollis Grant: ', ' missed calls')
    expect(await member.command('/calls agent:zzz')).toShow('No agent matches "zzz".')
    const many = await member.command('/calls agent:a')
    expect(many).toShow('11 agents match "a".')
    expect(getActions(many).slice(9)).toEqual(['calls.show.9', 'calls.filter'])
  })

  it('keeps the filters when the direction changes, and filters with the modal', async () => {
    const { member } = app
    const missed = await member.command('/calls missed')
    expect(missed).toShow('missed calls')
    const outgoing = await member.click(missed, 'calls.direction')
    expect(outgoing).toShow('unanswered outgoing calls')
    expect(getHead(outgoing)).toEqual(['Time', 'Number dialed'])

    const modal = await member.open(outgoing, 'calls.filter')
    const suggested = await member.suggest(modal, 'calls.agent', 'holl')
    expect(suggested.map(({ text }) => text.text)).toEqual(['Hollis Grant'])
    const wrong = await member.submit(modal, { from: '2026-11-05', to: '2026-11-01' })
    expect(wrong.errors).toMatchObject({ to: expect.any(String) })
    const agent = suggested[0] ?? ''
    await member.submit(modal, { from: null, to: null, status: 'any', 'calls.agent': agent })
    await member.sees(outgoing, 'Hollis Grant: 40 outgoing calls')
  })

  it('filters by a preset or by dates, which are shown only if they are chosen', async () => {
    const { member } = app
    await member.command('/calls timezone Asia/Tokyo')
    const list = await member.command('/calls 2026-11-01..2026-11-05')
    const modal = await member.open(list, 'calls.filter')
    expect(modal).toShow('Dates and times are in Asia/Tokyo')
    const ids = ({ blocks }: View) => blocks.map(({ block_id = '' }) => block_id.split('|')[0])
    expect(modal).toShow('Today', 'Yesterday', 'This week', 'Last 7 days', 'This month', 'Last month')
    expect(ids(modal)).toEqual(expect.arrayContaining(['dates', 'from', 'to']))
    const preset = await member.open(modal, 'calls.filter.dates', 'yesterday')
    expect(preset.id).toBe(modal.id)
    expect(ids(preset)).not.toContain('from')
    await member.submit(preset, { status: 'answered' })
    const yesterday = await member.sees(list, 'nswered incoming call')
    // Entered before the form was redrawn.
    const form = await member.open(yesterday, 'calls.filter')
    await member.submit(form, { dates: 'today', from: '2026-11-02', to: '2026-11-04' })
    const typed = await member.sees(list, 'nswered incoming calls, 2–4 Nov')
    await member.submit(await member.open(typed, 'calls.filter'), { dates: 'this month' })
    await member.sees(list, ' this month')
  })

  it('finds calls with a form; the answer appears where it was opened', async () => {
    const { member, slack } = app
    const help = await member.command('/calls help all')
    const [from = ''] = lastDaysUntil(0, 1).split('..')
    await member.submit(await member.open(help, 'calls.find'), { direction: 'outgoing', from })
    await member.sees(help, 'outgoing call')
    // The Home tab has no message.
    const view = await member.openHome()
    const action = { action_id: 'calls.find', value: 'find' }
    const exchange = await slack.clickRaw(app.url, { view, user: member.user, action })
    const form = await exchange.waitForView(1, 5000)
    // The result replaces the form, no matter how long it was open.
    app.clock.ahead += 31 * 60_000
    await member.submit(form, { status: 'missed' })
    const answer = await member.sees(form, 'missed calls')
    // A modal has no channel to share it in.
    expect(JSON.stringify(answer.blocks)).not.toContain('calls.share')
    expect(JSON.stringify((await member.open(answer, 'calls.direction')).blocks)).not.toContain('calls.share')
  })

  it('answers in the modal if a form is submitted too late for its message', async () => {
    const { member, slack } = app
    const modal = await member.open(await member.command('/calls missed'), 'calls.filter')
    slack.advance(31 * 60_000)
    app.clock.ahead += 31 * 60_000
    await member.submit(modal, { direction: 'outgoing', status: 'any' })
    expect(JSON.stringify((await member.sees(modal, 'outgoing calls')).blocks)).not.toContain('calls.share')
  })

  it('explains an empty list and a page beyond the end, with buttons', async () => {
    const { member, sandbox } = app
    await app.connect(sandbox.accounts.quiet)
    expect(await member.command('/calls outgoing')).toShow('No outgoing calls yet.')
    const past = await member.command('/calls page:9')
    expect(past).toShow('This list ends at page 1.')
    for (const page of ['first', 'previous'])
      expect(await member.click(past, `calls.page.${page}`)).not.toShow('Page 1', 'This list ends')
    const none = await member.command('/calls missed 2019-01-01')
    expect(none).toShow('No missed calls on 1 Jan 2019.')
    expect(await member.click(none, 'calls.show.all')).toShow('No incoming calls on 1 Jan 2019.')
    expect(await member.click(none, 'calls.show.any-date')).toShow('All dates')
  })

  it('leads back to the agents from every page', async () => {
    const { member } = app
    const calls = await member.click(await member.command('/agents hollis'), 'agents.calls')
    expect(calls).toShow('Hollis Grant: ', ' incoming calls')
    const next = await member.click(calls, 'calls.direction')
    expect(await member.click(next, 'command.agents')).toShow('13 agents')
    expect(getActions(await member.command('/calls agent:hollis'))).not.toContain('command.agents')
  })
})

it('lists the last hour of today after the clocks went back within the range', async () => {
  const year = new Date().getUTCFullYear() + 1
  const now = Date.parse(`${year}-11-22T22:30:00Z`)
  app.clock.ahead = now - Date.now()
  await app.member.command('/calls timezone Europe/Berlin')
  app.sandbox.accounts.lively.missCalls(1)
  const message = await app.member.command(`/calls missed ${year}-10-24..${year}-11-22`)
  expect(getRows(message)[0]?.[0]).toBe('22 Nov 23:30')
})
