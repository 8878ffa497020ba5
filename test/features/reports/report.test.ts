import { beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { dayMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'
import { getActions, getButtons, getColumn, getHead, getRows } from '../../support/shown.ts'
import { direct } from '../export/exports.ts'

const app = useApp({ connected: true })

const getTypes = ({ blocks }: Message) => blocks.map(({ type }) => type)
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
/** Returns the ids of buttons whose value has a field. */
const getButtonsWith = (field: string, message: Message) =>
  getButtons(message).flatMap(({ action_id, value }) => (value.includes(`"${field}":`) ? [action_id] : []))
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)

/** Returns the sandbox's incoming calls since the beginning of a day in UTC. */
const since = (daysAgo: number) =>
  app.sandbox.accounts.lively.calls('incoming').filter(({ at }) => at.toISOString() >= day(daysAgo))

/** Sends `/calls report` with these words. */
const report = (words = '') => app.member.command(`/calls report ${words}`)

beforeEach(async () => {
  await app.member.command('/calls timezone UTC')
})

describe('/calls report', () => {
  it('shows the person the incoming calls of the last 7 days by line', async () => {
    const message = await report()
    const calls = since(6)
    const missed = calls.filter(({ answered }) => !answered)
    expect(message.onlyFor).toBe(app.member.user.id)
    expect(message).toShow(
      `: ${calls.length} calls, ${missed.length} missed (`,
      'Incoming calls · by line · UTC · As of ',
    )
    expect(message.text).toMatch(/As of \d+ [A-Z][a-z]{2} \d\d:\d\d\n/)
    expect(message).toShow(`*Incoming*\n${calls.length} (`, `*Missed*\n${missed.length} (`, '*Talk time*')
    expect(message).toShow('*Average length*', '*Cost*', 'Compared with ', ', up to ')
    expect(getHead(message)).toEqual(['Line', 'Incoming', 'Missed', 'Missed rate', 'Talk time', 'Cost'])
    expect(getTypes(message).slice(0, 3)).toEqual(['header', 'data_table', 'data_visualization'])
    expect(sum(getColumn(message, 'Incoming').map(Number))).toBe(calls.length)
    const ofLines = getColumn(message, 'Missed').map(Number)
    expect(ofLines).toEqual(ofLines.toSorted((a, b) => b - a))
    expect(sum(ofLines)).toBe(missed.length)
  })

  it('switches to outgoing calls, which have no line, and back', async () => {
    const message = await report('last 30 days line:5042 by:line')
    const outgoing = await app.member.click(message, 'report.show.direction')
    expect(outgoing.ts).toBe(message.ts)
    expect(outgoing).toShow('Outgoing calls · by day', '*Outgoing*', '*No answer*')
    expect(outgoing).not.toShow('5042', '*Incoming*')
    expect(getButtonsWith('at', outgoing)).toEqual(['report.share'])
    const incoming = await app.member.click(outgoing, 'report.show.direction')
    expect(incoming).toShow('Incoming calls · by day', '*Incoming*')
    // Only missed calls are taken by people.
    const byPerson = await report('by person')
    expect(await app.member.click(byPerson, 'report.show.direction')).toShow('Outgoing calls · by day')
  })

  it('accepts the filters of /calls', async () => {
    const message = await report(`from:${day(9)} to:${day(2)} missed`)
    const missed = since(9).filter(({ at, answered }) => !answered && at.toISOString().slice(0, 10) <= day(2))
    expect(message).toShow('Missed calls · by line', `*Missed*\n${missed.length}`)
    expect(getHead(message)).not.toContain('Missed rate')
    expect(sum(getColumn(message, 'Missed').map(Number))).toBe(missed.length)
    expect(await app.member.click(message, 'calls.missed')).toShow(`${missed.length} `)
    const numbers = await report('last 30 days number:5042')
    expect(numbers).toShow('numbers with 5042', 'by line')
    expect(getRows(numbers)).toHaveLength(1)
  })

  it('changes its grouping without another read', async () => {
    let message = await report('last 30 days')
    const asked = app.sandbox.requests.count()
    const incoming = sum(getColumn(message, 'Incoming').map(Number))
    for (const [by, title] of [
      ['hour', 'Hour'],
      ['weekday', 'Weekday'],
      ['day', 'Day'],
    ] as const) {
      message = await app.member.click(message, 'report.by', by)
      expect(getHead(message).slice(0, 3)).toEqual([title, 'Incoming', 'Missed'])
      expect(sum(getColumn(message, 'Incoming').map(Number))).toBe(incoming)
    }
    const days = getColumn(message, 'Day')
    expect(days).toHaveLength(new Set(since(29).map(({ at }) => at.toISOString().slice(0, 10))).size)
    expect(message.text.split('\n').at(-1)).toContain(`${days.at(-1)} · `)
    expect(app.sandbox.requests.count()).toBe(asked)
    await report('last 30 days')
    expect(app.sandbox.requests.count()).toBeGreaterThan(asked)
  })

  it("reads each agent's list, with talk time and cost", async () => {
    const { lively } = app.sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: 'of no agent', agentId: '' })
    const message = await report('last 120 days by:agent')
    expect(getHead(message)).toEqual(['Agent', 'Incoming', 'Missed', 'Missed rate', 'Talk time', 'Cost'])
    expect(getColumn(message, 'Agent').at(-1)).toBe('No agent')
    const counts = getColumn(message, 'Incoming').map((text) => Number(text.replace(',', '')))
    expect(sum(counts)).toBe(since(119).length)
    const ofHollis = (command: string) => report(`last 120 days ${command}`)
    const hollis = getRows(message).find(([name]) => name === 'Hollis Grant')
    const alone = await ofHollis('by:agent agent:Hollis Grant')
    expect(alone).toShow('Hollis Grant, ')
    // Without any cost, the column is hidden.
    expect(getRows(alone)[0]).toEqual(hollis?.slice(0, getHead(alone).length))
    const outgoing = await ofHollis('by:agent outgoing')
    expect(getHead(outgoing).slice(0, 3)).toEqual(['Agent', 'Outgoing', 'No answer'])
    expect(getRows(outgoing).find(([name]) => name === 'Hollis Grant')?.[1]).toBe('40')
  })

  it('moves to the previous period and back, without a comparison, but not into the future', async () => {
    const message = await report(`${day(4)}..${day(2)} vs ${day(9)}..${day(8)}`)
    expect(getActions(message)).toContain('report.show.next')
    const before = await app.member.click(message, 'report.show.previous')
    expect(before.ts).toBe(message.ts)
    // Only a shared report has the same figures as before.
    expect(getButtonsWith('at', before)).toEqual(['report.share'])
    expect(getButtonsWith('versus', before)).toEqual([])
    const sameDays = ['report.filter', 'report.show.direction', 'report.share']
    expect(getButtonsWith('versus', message)).toEqual(sameDays)
    const after = await app.member.click(before, 'report.show.next')
    const next = await app.member.click(after, 'report.show.next')
    expect(next).toShow(`${Number(day(0).slice(8))} `)
    expect(getActions(next)).not.toContain('report.show.next')
    expect(await report('2019-01-01')).toShow('No incoming calls on 1 Jan 2019.')
  })

  it.each([
    ['', { from: '2026-11-05', to: '2026-11-01' }, 'to', 'End date must be on or after the start date.'],
    ['', { direction: 'outgoing', by: 'line' }, 'direction', "aren't tied to a line"],
    ['line:5042', { direction: 'outgoing' }, 'direction', "Outgoing calls aren't tied to a line"],
    ['', { from: '2020-01-01', to: '2026-01-01' }, 'to', 'covers up to 732 days'],
  ])('of "%s" is filtered in a form, which explains %j', async (words, values, field, text) => {
    const { member } = app
    const modal = await member.open(await report(`${words}`), 'report.filter')
    expect((await member.submit(modal, values)).errors).toEqual({ [field]: expect.stringContaining(text) })
  })

  it('is filtered in a form', async () => {
    const { member } = app
    const message = await report()
    const modal = await member.open(message, 'report.filter')
    const [agent = ''] = await member.suggest(modal, 'calls.agent', 'holl')
    const days = { from: day(100), to: day(0) }
    await member.submit(modal, { ...days, direction: 'outgoing', by: 'weekday', 'calls.agent': agent })
    const shown = await member.sees(message, 'Hollis Grant, ')
    expect(shown).toShow('*Outgoing*\n40', 'No answer')
    expect(getHead(shown).slice(0, 3)).toEqual(['Weekday', 'Outgoing', 'No answer'])
    const compared = await report(`${day(4)}..${day(2)} vs ${day(9)}..${day(8)}`)
    await member.submit(await member.open(compared, 'report.filter'), { by: 'weekday' })
    expect(getButtonsWith('versus', await member.sees(compared, 'Weekday'))).toContain('report.share')
  })

  it.each([
    ['outgoing by:line', "aren't tied to a line"],
    ['line:5042 number:5042', 'not both'],
    ['today yesterday', 'Choose "today" or "yesterday", not both.'],
    ['2020-01-01..2026-01-01', 'A report covers up to 732 days. You asked for 2,193.'],
    ['today vs 2020-01-01..2026-01-01', 'You asked for 2,193.'],
  ])('explains "%s", without a request', async (words, text) => {
    app.sandbox.requests.clear()
    expect(await report(`${words}`)).toShow(text)
    expect(app.sandbox.requests.count()).toBe(0)
  })

  it('explains unknown words and suggests a command', async () => {
    const message = await report('yesterdey by:weekdy')
    expect(message).toShow(
      'I didn\'t understand "by:weekdy". Write by:line, by:agent, by:hour, by:weekday, by:day or by:person.',
      'Did you mean this?',
    )
    expect(await app.member.click(message, 'command.meant')).toShow('by weekday')
    expect(await app.member.click(await report('agent:anna'), 'report.show.0')).toShow(' · by ')
  })

  it('has buttons for the missed calls of the same days, and for an export', async () => {
    const message = await report('last 30 days')
    const missed = sum(getColumn(message, 'Missed').map(Number))
    const list = await app.member.click(message, 'calls.missed')
    expect(list.ts).not.toBe(message.ts)
    expect(list).toShow(`${missed} missed calls in the last 30 days`)
    expect(app.slack.message(message.ts)).toShow(` ${missed} missed (`)
    const outgoing = await report('agent:hollis last 100 days outgoing')
    const unanswered = await app.member.click(outgoing, 'calls.missed')
    expect(unanswered).toShow('Hollis Grant: ', ' unanswered outgoing calls')
    expect((await app.member.click(outgoing, 'calls.export-list')).ts).not.toBe(outgoing.ts)
    await direct(app.slack, app.member, 'Here are 40 outgoing calls for Hollis Grant')
  })

  it('is shared in the channel without another read, and removed', async () => {
    const { member, admin, slack } = app
    const message = await report('last 30 days by:weekday')
    const post = await sharePage(app, member, message, 'report.share')
    expect(post.ts).not.toBe(message.ts)
    expect(post.onlyFor).toBeUndefined()
    expect(post).toShow(' missed (', 'Shared by member')
    expect(getRows(post)).toEqual(getRows(message))
    expect(getTypes(post)).toContain('data_visualization')
    expect(getActions(post)).toEqual(['share.remove'])
    expect(await admin.command('/callboard audit')).toShow('shared the call report for ')
    await member.press(post, 'share.remove')
    await expect.poll(() => slack.messages().some(({ ts }) => ts === post.ts)).toBe(false)
  })

  it('counts again if the time zone has changed since', async () => {
    const { member, sandbox } = app
    const { lively } = sandbox.accounts
    const [call] = lively.calls('incoming')
    const on = day(10)
    lively.addCalls({ ...call!, id: 'noon', at: new Date(`${on}T12:00:00Z`), number: '+4930999' })
    await member.command('/calls timezone UTC')
    const message = await report(`${on} line:+4930999 by:hour`)
    expect(getColumn(message, 'Hour')[0]).toBe('12:00')
    await member.command('/calls timezone Asia/Tokyo')
    await app.member.click(message, 'report.by', 'line')
    expect(getColumn(await app.member.click(message, 'report.by', 'hour'), 'Hour')[0]).toBe('21:00')
  })

  it('works after a restart', async () => {
    const message = await report()
    const rows = getRows(message)
    await app.restart()
    expect(getRows(await app.member.click(message, 'report.by', 'line'))).toEqual(rows)
    expect(getRows(await app.member.command('/callboard calls report'))).toEqual(rows)
  })

  it('has a plain table if Slack refuses data tables, and lines if it refuses tables', async () => {
    const optional = (types: readonly string[]) => types.filter((type) => /table|visualization/.test(type))
    app.slack.refusedBlocks.add('data_table')
    expect(optional(getTypes(await report()))).toEqual(['table'])
    app.slack.refusedBlocks.add('table')
    const lines = await report()
    expect(optional(getTypes(lines))).toEqual([])
    expect(lines).toShow('Missed rate: ')
  })
})
