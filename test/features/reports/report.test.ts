import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Message } from '../../../dev/slack/slack.ts'
import { dayMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'
import { getActions, getButtons, getColumn, getHead, getRows } from '../../support/shown.ts'

const app = useApp({ connected: true })

const chart = z.object({
  type: z.literal('data_visualization'),
  title: z.string(),
  chart: z.object({
    series: z.array(z.object({ name: z.string(), data: z.array(z.object({ value: z.number() })) })),
  }),
})
function getChart({ blocks }: Message) {
  const block = blocks.find(({ type }) => type === 'data_visualization')
  return block && chart.parse(block)
}
const getTypes = ({ blocks }: Message) => blocks.map(({ type }) => type)
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)

/** Returns the sandbox's incoming calls since the beginning of a day in UTC. */
const since = (daysAgo: number) =>
  app.sandbox.accounts.lively
    .calls('incoming')
    .filter(({ at }) => at.toISOString().slice(0, 10) >= day(daysAgo))

async function inUtc() {
  await app.member.command('/calls timezone UTC')
}

describe('/calls report', () => {
  it('shows the person the incoming calls of the last 7 days by line', async () => {
    const { member } = app
    await inUtc()
    const message = await member.command('/calls report')
    const calls = since(6)
    const missed = calls.filter(({ answered }) => !answered)
    expect(message.onlyFor).toBe(member.user.id)
    expect(message).toShow('Call report: ', 'Incoming calls · by line · UTC · As of ')
    expect(message.text).toMatch(/As of \d+ [A-Z][a-z]{2} \d\d:\d\d\n/)
    expect(message).toShow(`*Incoming*\n${calls.length} (`, `*Missed*\n${missed.length} (`, '*Talk time*')
    expect(message).toShow('*Average length*', '*Cost*', 'Compared with ', ', up to ')
    const head = ['Line', 'Incoming', 'Missed', 'Missed rate', 'Talk time', 'Cost']
    expect(getHead(message)).toEqual(head)
    expect(sum(getColumn(message, 'Incoming').map(Number))).toBe(2 * calls.length)
    const ofLines = getColumn(message, 'Missed').slice(0, -1).map(Number)
    expect(ofLines).toEqual(ofLines.toSorted((a, b) => b - a))
    expect(sum(ofLines)).toBe(missed.length)
  })

  it('shows the answered and missed calls of each day in a chart and in words', async () => {
    await inUtc()
    const message = await app.member.command('/calls report')
    const drawn = getChart(message)
    expect(drawn?.title).toBe('Incoming calls per day')
    expect(drawn?.chart.series.map(({ name }) => name)).toEqual(['Answered', 'Missed'])
    const values = drawn?.chart.series.map(({ data }) => data.map(({ value }) => value)) ?? []
    expect(values.map(({ length }) => length)).toEqual([7, 7])
    expect(sum(values.flat())).toBe(since(6).length)
    const [answered = [], missed = []] = values
    const inWords = answered.map((value, index) => `${value} / ${missed[index]}`)
    for (const words of inWords) expect(message.text).toContain(words)
    const ofOneDay = await app.member.command(`/calls report ${since(6)[0]?.at.toISOString().slice(0, 10)}`)
    expect(getChart(ofOneDay)?.title).toMatch(/^Incoming calls per (hour|2 hours)$/)
  })

  it('switches to outgoing calls, which have no line, and back', async () => {
    const { member } = app
    await inUtc()
    const message = await member.command('/calls report last 30 days line:5042 by:line')
    const outgoing = await member.click(message, 'report.show.direction')
    expect(outgoing.ts).toBe(message.ts)
    expect(outgoing).toShow('Outgoing calls · by day', '*Outgoing*', '*No answer*')
    expect(outgoing).not.toShow('5042', '*Incoming*')
    const incoming = await member.click(outgoing, 'report.show.direction')
    expect(incoming).toShow('Incoming calls · by day', '*Incoming*')
  })

  it('accepts the filters of /calls', async () => {
    const { member } = app
    await inUtc()
    const message = await member.command(`/calls report from:${day(9)} to:${day(2)} missed`)
    const missed = since(9).filter(({ at, answered }) => !answered && at.toISOString().slice(0, 10) <= day(2))
    expect(message).toShow('Missed calls · by line', `*Missed*\n${missed.length}`)
    expect(getHead(message)).not.toContain('Missed rate')
    expect(getColumn(message, 'Missed').at(-1)).toBe(String(missed.length))
    const list = await member.click(message, 'calls.more', 'missed')
    expect(list).toShow(`${missed.length} `)
    const numbers = await member.command('/calls report last 30 days number:5042')
    expect(numbers).toShow('numbers with 5042', 'by line')
    expect(getRows(numbers)).toHaveLength(2)
  })

  it('changes its grouping without another read', async () => {
    const { member, sandbox } = app
    let message = await member.command('/calls report last 30 days')
    const asked = sandbox.requests.count()
    const incoming = sum(getColumn(message, 'Incoming').map(Number))
    for (const [by, title] of [
      ['hour', 'Hour'],
      ['weekday', 'Weekday'],
      ['day', 'Day'],
    ] as const) {
      message = await member.click(message, 'report.by', by)
      expect(getHead(message).slice(0, 4)).toEqual([title, 'Incoming', 'Missed', 'Missed rate'])
      expect(sum(getColumn(message, 'Incoming').map(Number))).toBe(incoming)
    }
    const days = getColumn(message, 'Day')
    expect(days[0]).toMatch(/^\d+ earlier days?$/)
    expect(message.text.split('\n').slice(-2)).toEqual([
      expect.stringContaining(`${days.at(-2)} · `),
      expect.stringContaining('Total · '),
    ])
    expect(sandbox.requests.count()).toBe(asked)
  })

  it("reads each agent's list, with talk time and cost", async () => {
    const { member, sandbox } = app
    const { lively } = sandbox.accounts
    await inUtc()
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: 'of no agent', agentId: '' })
    const message = await member.command('/calls report last 120 days by:agent')
    expect(getHead(message)).toEqual(['Agent', 'Incoming', 'Missed', 'Missed rate', 'Talk time', 'Cost'])
    expect(getColumn(message, 'Agent').slice(-2)).toEqual(['No agent', 'Total'])
    const counts = getColumn(message, 'Incoming').map((text) => Number(text.replace(',', '')))
    expect(sum(counts)).toBe(2 * since(119).length)
    const ofHollis = (command: string) => member.command(`/calls report last 120 days ${command}`)
    const hollis = getRows(message).find(([name]) => name === 'Hollis Grant')
    const alone = await ofHollis('by:agent agent:Hollis Grant')
    expect(alone).toShow('Hollis Grant, call report')
    // Without any cost, the column is hidden.
    expect(getRows(alone)[0]).toEqual(hollis?.slice(0, getHead(alone).length))
    const outgoing = await ofHollis('by:agent outgoing')
    expect(getHead(outgoing).slice(0, 3)).toEqual(['Agent', 'Outgoing', 'No answer'])
    expect(getRows(outgoing).find(([name]) => name === 'Hollis Grant')?.[1]).toBe('40')
  })

  it('moves to the previous period and back, but not into the future', async () => {
    const { member } = app
    await inUtc()
    const message = await member.command(`/calls report ${day(3)}..${day(2)}`)
    expect(getActions(message)).toContain('report.show.next')
    const before = await member.click(message, 'report.show.previous')
    expect(before.ts).toBe(message.ts)
    const value = getButtons(before).find(({ action_id }) => action_id === 'report.show.next')?.value
    expect(JSON.parse(value ?? '')).toMatchObject({ from: day(3), to: day(2) })
    const next = await member.click(await member.click(before, 'report.show.next'), 'report.show.next')
    expect(next).toShow(`${Number(day(0).slice(8))} `)
    expect(getActions(next)).not.toContain('report.show.next')
    expect(await member.command('/calls report 2019-01-01')).toShow('No incoming calls on Tue 1 Jan 2019.')
  })

  it("is filtered in a form, which explains filters that can't be combined", async () => {
    const { member } = app
    const message = await member.command('/calls report')
    const modal = await member.open(message, 'report.filter')
    const wrong = await member.submit(modal, { from: '2026-11-05', to: '2026-11-01' })
    expect(wrong.errors).toEqual({ to: 'End date must be on or after the start date.' })
    const byLine = await member.submit(modal, { from: day(9), to: day(0), direction: 'outgoing', by: 'line' })
    expect(byLine.errors).toEqual({ by: expect.stringContaining("can't be listed by line") })
    const ofLine = await member.open(await member.command('/calls report line:5042'), 'report.filter')
    const outgoing = await member.submit(ofLine, { direction: 'outgoing' })
    expect(outgoing.errors).toEqual({
      direction: expect.stringContaining("Outgoing calls aren't tied to a line"),
    })
    const long = await member.submit(modal, { from: '2020-01-01', to: day(0), by: 'day' })
    expect(long.errors).toEqual({ to: expect.stringContaining('covers up to 732 days') })
    const [agent = ''] = await member.suggest(modal, 'calls.agent', 'holl')
    await member.submit(modal, {
      from: day(100),
      to: day(0),
      direction: 'outgoing',
      by: 'weekday',
      'calls.agent': agent,
    })
    const shown = await member.sees(message, 'Hollis Grant, call report')
    expect(shown).toShow('*Outgoing*\n40', 'No answer')
    expect(getHead(shown).slice(0, 3)).toEqual(['Weekday', 'Outgoing', 'No answer'])
    expect(getChart(shown)?.title).toBe('Outgoing calls per 6 days')
  })

  it('explains unknown words and suggests a command, without a request', async () => {
    const { member, sandbox } = app
    sandbox.requests.clear()
    const message = await member.command('/calls report yesterdey by:weekdy')
    expect(message).toShow(
      'I didn\'t understand "by:weekdy". Write by:line, by:agent, by:hour, by:weekday, by:day or by:person.',
      'Did you mean this?',
    )
    expect(await member.command('/calls report outgoing by:line')).toShow("can't be listed by line")
    expect(await member.command('/calls report line:5042 number:5042')).toShow('not both')
    expect(await member.command('/calls report today yesterday')).toShow(
      'Choose "today" or "yesterday", not both.',
    )
    expect(await member.command('/calls report 2020-01-01..2026-01-01')).toShow(
      'A report covers up to 732 days. You asked for 2,193.',
    )
    expect(sandbox.requests.count()).toBe(0)
    const meant = await member.click(message, 'command.meant')
    expect(meant).toShow('Call report', 'by weekday')
    expect(await member.command('/calls report agent:anna')).toShow('3 agents match "anna". Which one?')
    expect(await member.command('/calls report agent:zzz')).toShow('No agent matches "zzz".')
    const answer = await member.command('/calls report agent:anna')
    expect(await member.click(answer, 'report.show.0')).toShow(', call report')
  })

  it('has a button for the missed calls of the same days', async () => {
    const { member } = app
    const message = await member.command('/calls report last 30 days')
    const missed = getColumn(message, 'Missed').at(-1)
    const list = await member.click(message, 'calls.more', 'missed')
    expect(list.ts).not.toBe(message.ts)
    expect(list).toShow('Missed calls')
    expect(list.text).toMatch(new RegExp(`(of ${missed}|${missed} calls) · `))
    expect(app.slack.message(message.ts)).toShow('Call report')
    const outgoing = await member.command('/calls report agent:hollis last 100 days outgoing')
    expect(await member.click(outgoing, 'calls.more', 'missed')).toShow(
      'Hollis Grant: unanswered outgoing calls',
    )
  })

  it('has a button for an export of its calls', async () => {
    const { member, slack } = app
    const message = await member.command('/calls report last 30 days outgoing')
    const direct = () => slack.messages().filter(({ channel }) => channel.startsWith('D'))
    const started = await member.click(message, 'calls.more', 'export')
    expect(started.ts).not.toBe(message.ts)
    const sent = await slack.waitFor(() => direct().find(({ text }) => text.includes('outgoing calls')), 8000)
    expect(sent.onlyFor).toBeUndefined()
    await app.jobsDone()
  })

  it('is shared in the channel without another read, and removed', async () => {
    const { member, admin, slack } = app
    const message = await member.command('/calls report last 30 days by:weekday')
    const post = await sharePage(app, member, message, 'report.share')
    expect(post.ts).not.toBe(message.ts)
    expect(post.onlyFor).toBeUndefined()
    expect(post).toShow('Call report: ', 'Shared by member')
    expect(getRows(post)).toEqual(getRows(message))
    expect(getTypes(post)).toContain('data_visualization')
    expect(getActions(post)).toEqual(['share.remove'])
    expect(await admin.command('/callboard audit')).toShow('share', 'the call report for ')
    await member.press(post, 'share.remove')
    await expect.poll(() => slack.messages().some(({ ts }) => ts === post.ts)).toBe(false)
  })

  it('works after a restart', async () => {
    const { member } = app
    const message = await member.command('/calls report')
    const rows = getRows(message)
    await app.restart()
    expect(getRows(await member.click(message, 'report.by', 'line'))).toEqual(rows)
    expect(getRows(await member.command('/callboard calls report'))).toEqual(rows)
  })

  it('has lines instead of a table if Slack refuses tables', async () => {
    const { member, slack } = app
    slack.refusedBlocks.add('table')
    slack.refusedBlocks.add('data_visualization')
    const lines = await member.command('/calls report')
    expect(getTypes(lines).filter((type) => type === 'table' || type === 'data_visualization')).toEqual([])
    expect(lines).toShow('Missed rate: ', 'answered / missed: ')
  })
})
