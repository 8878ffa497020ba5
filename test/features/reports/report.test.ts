import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf, buttonsOf, columnOf, headOf, rowsOf } from '../../support/shown.ts'

const app = useApp({ connected: true })

const chart = z.object({
  type: z.literal('data_visualization'),
  title: z.string(),
  chart: z.object({
    series: z.array(z.object({ name: z.string(), data: z.array(z.object({ value: z.number() })) })),
  }),
})
function chartOf({ blocks }: Message) {
  const block = blocks.find(({ type }) => type === 'data_visualization')
  return block && chart.parse(block)
}
const typesOf = ({ blocks }: Message) => blocks.map(({ type }) => type)
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const dayMs = 86_400_000
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)

/** The sandbox's incoming calls since the beginning of that day of UTC. */
const since = (daysAgo: number) =>
  app.sandbox.accounts.lively
    .calls('incoming')
    .filter(({ at }) => at.toISOString().slice(0, 10) >= day(daysAgo))

async function inUtc() {
  await app.member.command('/calls timezone UTC')
}

describe('/calls report', () => {
  it('is of the last 7 days by line, of both directions, for the asking person alone', async () => {
    const { member } = app
    await inUtc()
    const message = await member.command('/calls report')
    const calls = since(6)
    const missed = calls.filter(({ answered }) => !answered)
    expect(message.onlyFor).toBe(member.user.id)
    expect(message).toShow('Call report: ', 'Incoming calls · by line · UTC · As of ')
    expect(message).toShow(`*Incoming*\n${calls.length} (`, `*Missed*\n${missed.length} (`, '*Talk time*')
    expect(message).not.toShow('Cost', '*Outgoing*')
    expect(message).toShow('Compared with ', ', up to ', 'Incoming calls only: outgoing calls have no line.')
    expect(headOf(message)).toEqual(['Line', 'Incoming', 'Missed', 'Missed rate', 'Talk time (m:ss)'])
    expect(sum(columnOf(message, 'Incoming').map(Number))).toBe(2 * calls.length)
    const ofLines = columnOf(message, 'Missed').slice(0, -1).map(Number)
    expect(ofLines).toEqual(ofLines.toSorted((a, b) => b - a))
    expect(sum(ofLines)).toBe(missed.length)
  })

  it('draws the answered and missed calls of each day, and says the same in words', async () => {
    await inUtc()
    const message = await app.member.command('/calls report')
    const drawn = chartOf(message)
    expect(drawn?.title).toBe('Incoming calls per day')
    expect(drawn?.chart.series.map(({ name }) => name)).toEqual(['Answered', 'Missed'])
    const values = drawn?.chart.series.map(({ data }) => data.map(({ value }) => value)) ?? []
    expect(values.map(({ length }) => length)).toEqual([7, 7])
    expect(sum(values.flat())).toBe(since(6).length)
    const [answered = [], missed = []] = values
    const inWords = answered.map((value, index) => `${value} / ${missed[index]}`)
    for (const words of inWords) expect(message.text).toContain(words)
    const today = await app.member.command('/calls report yesterday')
    expect(chartOf(today)?.title).toMatch(/^Incoming calls per (hour|2 hours)$/)
  })

  it('has outgoing calls and costs in its details, from the same reading', async () => {
    const { member, sandbox } = app
    const message = await member.command('/calls report last 30 days by:weekday')
    const asked = sandbox.requests.count()
    const details = await member.click(message, 'report.show.details')
    expect(details.ts).toBe(message.ts)
    expect(details).toShow(
      'Incoming and outgoing calls',
      '*Cost, incoming*',
      '*Outgoing*',
      '*Cost, outgoing*',
    )
    expect(headOf(details)).toEqual(['Weekday', 'Incoming', 'Missed', 'Missed rate', 'Outgoing', 'No answer'])
    const byLine = await member.click(details, 'report.by', 'line')
    expect(headOf(byLine)).toContain('Cost')
    const brief = await member.click(byLine, 'report.show.brief')
    expect(brief).not.toShow('Cost', '*Outgoing*')
    expect(sandbox.requests.count()).toBe(asked)
  })

  it('is told apart by whatever is chosen, each time from the same reading', async () => {
    const { member, sandbox } = app
    let message = await member.command('/calls report last 30 days')
    const asked = sandbox.requests.count()
    const incoming = sum(columnOf(message, 'Incoming').map(Number))
    for (const [by, title] of [
      ['hour', 'Hour'],
      ['weekday', 'Weekday'],
      ['day', 'Day'],
    ] as const) {
      message = await member.click(message, 'report.by', by)
      expect(headOf(message).slice(0, 4)).toEqual([title, 'Incoming', 'Missed', 'Missed rate'])
      expect(sum(columnOf(message, 'Incoming').map(Number))).toBe(incoming)
    }
    expect(message).toShow(' earlier day')
    expect(sandbox.requests.count()).toBe(asked)
  })

  it('is the same reading of one agent and one line too, in whatever order they were written', async () => {
    const { member, sandbox } = app
    const message = await member.command('/calls report last 100 days agent:hollis line:5042')
    const asked = sandbox.requests.count()
    expect(await member.click(message, 'report.by', 'hour')).toShow('by hour')
    expect(sandbox.requests.count()).toBe(asked)
  })

  it("counts each agent's calls by the service's totals, four requests an agent", async () => {
    const { member, sandbox } = app
    const { agents } = sandbox.accounts.lively
    const { lively } = sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: 'of no agent', agentId: '' })
    sandbox.requests.clear()
    const brief = await member.command('/calls report last 120 days by:agent')
    const asked = sandbox.requests.count()
    expect(headOf(brief)).toEqual(['Agent', 'Incoming', 'Missed', 'Missed rate'])
    const message = await member.click(brief, 'report.show.details')
    expect(headOf(message)).toEqual(['Agent', 'Incoming', 'Missed', 'Missed rate', 'Outgoing', 'No answer'])
    expect(sandbox.requests.count()).toBe(asked)
    expect(columnOf(message, 'Agent').slice(-2)).toEqual(['No agent', 'Total'])
    const incoming = since(119).length
    expect(sum(columnOf(message, 'Incoming').map((text) => Number(text.replace(',', ''))))).toBe(2 * incoming)
    const hollis = rowsOf(message).find(([name]) => name === 'Hollis Grant')
    expect(hollis?.[1]).toBe('20')
    expect(hollis?.[4]).toBe('40')
    expect(message).toShow("Talk time and cost aren't available by agent.")
    const ofAgents = sandbox.requests.entries().filter(({ params }) => 'agentid' in params)
    expect(ofAgents).toHaveLength(agents.length * 4)
    const one = await member.command('/calls report last 120 days by:agent agent:Hollis Grant outgoing')
    expect(one).toShow('Hollis Grant, call report')
    const own = ['40', hollis?.[5] ?? '']
    expect(rowsOf(one)).toEqual([
      ['Hollis Grant', ...own],
      ['Total', ...own],
    ])
  })

  it('goes to the period before and back, and no further than now', async () => {
    const { member } = app
    await inUtc()
    const message = await member.command(`/calls report ${day(3)}..${day(2)}`)
    expect(actionsOf(message)).toContain('report.show.next')
    const before = await member.click(message, 'report.show.previous')
    expect(before.ts).toBe(message.ts)
    const value = buttonsOf(before).find(({ action_id }) => action_id === 'report.show.next')?.value
    expect(JSON.parse(value ?? '')).toMatchObject({ from: day(3), to: day(2) })
    const next = await member.click(await member.click(before, 'report.show.next'), 'report.show.next')
    expect(next).toShow(`${Number(day(0).slice(8))} `)
    expect(actionsOf(next)).not.toContain('report.show.next')
    expect(await member.command('/calls report 2019-01-01')).toShow('No calls on Tue 1 Jan 2019.')
  })

  it('is narrowed in a form, which says at once what does not go together', async () => {
    const { member } = app
    const message = await member.command('/calls report')
    const modal = await member.open(message, 'report.filter')
    const wrong = await member.submit(modal, { from: '2026-11-05', to: '2026-11-01' })
    expect(wrong.errors).toEqual({ to: 'End date must be on or after the start date.' })
    const byLine = await member.submit(modal, {
      from: day(9),
      to: day(0),
      direction: 'outgoing',
      by: 'line',
    })
    expect(byLine.errors).toEqual({ by: expect.stringContaining("can't be listed by line") })
    const ofLine = await member.open(await member.command('/calls report line:5042'), 'report.filter')
    const outgoing = await member.submit(ofLine, { direction: 'outgoing' })
    expect(outgoing.errors).toEqual({ direction: expect.stringContaining('Outgoing calls have no line') })
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
    expect(headOf(shown)).toEqual(['Weekday', 'Outgoing', 'No answer', 'Talk time (m:ss)'])
    expect(chartOf(shown)?.title).toBe('Outgoing calls per 6 days')
  })

  it('explains words that it does not understand, suggests a command and fetches nothing', async () => {
    const { member, sandbox } = app
    sandbox.requests.clear()
    const message = await member.command('/calls report yesterdey by:weekdy')
    expect(message).toShow('I didn\'t understand "by:weekdy". Write by:line', 'Did you mean this?')
    expect(await member.command('/calls report number:0042')).toShow("can't be limited to a number")
    expect(await member.command('/calls report outgoing by:line')).toShow("can't be listed by line")
    expect(await member.command('/calls report line:5042 by:agent')).toShow("can't be counted by agent")
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

  it('leads to the missed calls of the same days, and stays', async () => {
    const { member } = app
    const message = await member.command('/calls report last 30 days')
    const missed = columnOf(message, 'Missed').at(-1)
    const list = await member.click(message, 'report.more', 'missed')
    expect(list.ts).not.toBe(message.ts)
    expect(list).toShow('Missed incoming calls', `of ${missed}`)
    expect(app.slack.message(message.ts)).toShow('Call report')
    const outgoing = await member.command('/calls report agent:hollis last 100 days outgoing')
    expect(await member.click(outgoing, 'report.more', 'missed')).toShow(
      'Hollis Grant: outgoing calls without an answer',
    )
  })

  it('leads to an export of its calls in one direction', async () => {
    const { member, slack } = app
    const message = await member.command('/calls report last 30 days')
    const direct = () => slack.messages().filter(({ channel }) => channel.startsWith('D'))
    const started = await member.click(message, 'report.more', 'export-outgoing')
    expect(started.ts).not.toBe(message.ts)
    const sent = await slack.waitFor(() => direct().find(({ text }) => text.includes('outgoing calls')), 8000)
    expect(sent.onlyFor).toBeUndefined()
    await app.jobsDone()
  })

  it('works after a restart, and refreshed', async () => {
    const { member } = app
    const message = await member.command('/calls report')
    const rows = rowsOf(message)
    await app.restart()
    expect(rowsOf(await member.click(message, 'report.more', 'refresh'))).toEqual(rows)
    expect(rowsOf(await member.command('/callboard calls report'))).toEqual(rows)
  })

  it('comes without the chart where Slack refuses charts', async () => {
    const { member, slack } = app
    slack.refuseCharts = true
    const message = await member.command('/calls report')
    expect(typesOf(message)).toContain('table')
    expect(typesOf(message)).not.toContain('data_visualization')
    slack.refuseCharts = false
    expect(chartOf(await member.command('/calls report'))).toBeDefined()
  })

  it('comes as lines where Slack refuses tables', async () => {
    const { member, slack } = app
    slack.refuseTables = true
    slack.refuseCharts = true
    const lines = await member.command('/calls report')
    expect(typesOf(lines).filter((type) => type === 'table' || type === 'data_visualization')).toEqual([])
    expect(lines).toShow(' missed of ', 'answered / missed: ')
  })
})
