import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { createCall } from '../calls/calls.ts'
import { allTools, createIdentity, createSlackbot } from './slackbot.ts'

const app = useApp({ connected: true })

/** Calls a tool as the member. */
const ask = async (tool: string, args: object = {}) =>
  (await createSlackbot(app)).call(tool, args, app.member.user)

/** Returns the rows of a table, without its head. */
const dataRows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('> | '))
    .slice(2)
/** Returns the title of a list and its number of pages. */
const readList = (text: string) => [text.split('\n', 1)[0], /Page \d+ of (\d+)/.exec(text)?.[1]]

it('lists the tools, which are read-only and describe their arguments', async () => {
  const slackbot = await createSlackbot(app)
  const { tools } = await slackbot.client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(allTools.map(({ name }) => name).sort())
  for (const { name, annotations, description, inputSchema, _meta } of tools) {
    const { input } = allTools.find((tool) => tool.name === name)!
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(input.shape))
    expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
    expect(description?.length).toBeGreaterThan(40)
    expect(inputSchema.type).toBe('object')
    expect(_meta).toEqual({ slack: { supportsBlockKit: true } })
  }
  expect(slackbot.client.getInstructions()).toContain('It only reads')
})

/** The minute may change between two answers. */
const withoutMinute = (shown: string) => shown.replaceAll(/(As of .*|up to )\d\d:\d\d/g, '$1')

it('counts null, empty text and missing arguments as left out', async () => {
  const slackbot = await createSlackbot(app)
  const { admin } = app.slack.people
  for (const { name, input } of allTools) {
    const { shown, isError } = await slackbot.call(name, {}, admin)
    expect(isError).toBe(false)
    for (const value of [null, '', ' ']) {
      const args = Object.fromEntries(Object.keys(input.shape).map((key) => [key, value]))
      const answer = await slackbot.call(name, args, admin)
      expect(answer.isError, name).toBe(false)
      expect(withoutMinute(answer.shown), name).toBe(withoutMinute(shown))
    }
    const params = { name, _meta: { slack: createIdentity(app, admin) } }
    expect((await slackbot.client.callTool(params)).isError, name).toBeFalsy()
  }
})

it('lists calls like /calls, with paging buttons', async () => {
  const first = await ask('list_calls')
  expect(await app.member.command('/calls')).toShow('incoming calls', 'Page 1 of')
  expect(first.shown).toContain('incoming calls')
  expect(dataRows(first.text)).toHaveLength(20)
  expect(first.text).toMatch(/^> \d+ incoming calls\n/)
  expect(first.text).toContain('> | Time | Result | Number called |')
  expect(first.text).toContain('Europe/Berlin (UTC+')
  expect(first.buttons.map(({ label }) => label)).toEqual(['Next', 'Last'])
  for (const other of ['Share', 'Filter', 'Export', 'Refresh', 'Outgoing calls'])
    expect(JSON.stringify(first.blocks)).not.toContain(other)
  const [next] = first.buttons
  const second = await ask(next?.tool ?? '', next?.args)
  expect(second.text).toContain('Page 2 of')
  expect(second.buttons.map(({ label }) => label)).toEqual(['First', 'Previous', 'Next', 'Last'])
})

it('searches again for each question', async () => {
  const number = '+441214960077'
  expect((await ask('list_calls', { number })).text).toContain('> No calls to +44 121 496 0077')
  app.sandbox.accounts.lively.addCalls(createCall(number, new Date()))
  expect((await ask('list_calls', { number })).text).toContain('> 1 call to +44 121 496 0077')
})

it('reads days and names like the commands', async () => {
  const [agent] = app.sandbox.accounts.lively.agents
  const missed = await ask('list_calls', { status: 'missed', range: 'last 7 days', agent: agent?.name })
  expect(missed.text).toMatch(
    new RegExp(`> ${agent?.name}: (\\d+ )?missed calls? (in the last 7 days|this week)\\n`),
  )
})

it.each([
  [{ range: 'yesturday' }, 'I didn\'t understand "yesturday". Did you mean /calls yesterday?'],
  [{ from: '2026-11-31' }, '2026-11-31'],
  [{ agent: 'Nobody at all' }, 'No agent matches "Nobody at all".'],
  [{ agent: 'a' }, 'Which one?'],
  [{ direction: 'sideways' }, '"sideways"'],
  [{ colour: 'red' }, 'colour'],
])('explains %j', async (args, text) => {
  const answer = await ask('list_calls', args)
  expect(answer.isError).toBe(true)
  expect(answer.text).toContain(text)
})

it.each([
  { status: 'missed', range: 'last 90 days' },
  { direction: 'outgoing', agent: 'hollis' },
  { line: '23125042', range: 'last 90 days' },
  { number: '4420', range: 'last 90 days' },
])('turns the pages of the same list: %j', async (args) => {
  const first = await ask('list_calls', args)
  for (const { label, tool, args: more } of first.buttons) {
    const { text, isError } = await ask(tool, more)
    expect([label, isError, ...readList(text)]).toEqual([label, false, ...readList(first.text)])
  }
  expect(first.buttons.length).toBeGreaterThan(0)
})

it('lists agents without a secret, page by page', async () => {
  const all = await ask('list_agents')
  expect(all.text).toMatch(/> Page 1 of \d+ · 1–10 of \d+/)
  expect(all.shown).toContain('13 agents')
  for (const { sipPassword, webphone } of app.sandbox.accounts.lively.agents) {
    expect(JSON.stringify(all)).not.toContain(sipPassword)
    expect(JSON.stringify(all)).not.toContain(webphone)
  }
  const { buttons } = await ask('list_agents', { name: 'a' })
  expect(buttons[0]?.args).toEqual({ name: 'a', page: 2 })
  const none = await ask('list_agents', { name: 'zzz' })
  const text = 'No agent matches "zzz".'
  expect(none).toMatchObject({ text: `> ${text}`, shown: `\n${text}` })
})

it('reports calls with figures, a chart and a table', async () => {
  const week = await ask('report_calls', { range: 'last 7 days', direction: 'incoming' })
  const [title = ''] = week.shown.trim().split('\n')
  expect(title).toMatch(/^[^:]+: [\d,]+ calls, /)
  expect(await app.member.command('/calls report last 7 days incoming')).toShow(title)
  // Slack documents no data tables for Slackbot, and drops all blocks if one is wrong.
  expect(week.blocks?.slice(0, 3).map(({ type }) => type)).toEqual(['header', 'table', 'data_visualization'])
  expect(week.text).toContain('> | Line |')
  expect(week.text).toContain('Missed: ')
  const byLine = await ask('report_calls', { by: 'line', direction: 'outgoing' })
  expect(byLine.text).toContain("Outgoing calls aren't tied to a line")
})

it('shows the bill to people with permission, after recording it', async () => {
  const slackbot = await createSlackbot(app)
  const allow = app.stored.refuse('audit-log')
  expect((await slackbot.call('show_billing', {}, app.admin.user)).text).not.toContain('Per month')
  allow()
  const bill = await slackbot.call('show_billing', {}, app.admin.user)
  expect(bill.text).toContain('> | Item | Per month |')
  expect(dataRows(bill.text).at(-1)).toContain('Total per month')
  expect(bill.shown).toContain('Next billing date')
  expect(bill.buttons).toEqual([])
  expect(await app.admin.command('/billing audit')).toShow('viewed the bill through Slackbot')
})

it('lists up to 60 lines with their names', async () => {
  // The numbers that were read after connecting are out of date.
  app.clock.ahead += 6 * 60_000
  const calls = Array.from({ length: 100 }, (_, n) => createCall(`+441632960${n + 100}`, new Date()))
  app.sandbox.accounts.lively.addCalls(...calls.map((call) => ({ ...call, direction: 'incoming' as const })))
  const lines = await ask('list_lines')
  expect(lines.text).toContain('> | Number |')
  expect(dataRows(lines.text)).toHaveLength(60)
  expect(lines.shown).toMatch(/Lines: 1\d\d/)
})

it('supports the newer protocol, without a session', async () => {
  const newer = await createSlackbot(app, 'auto')
  const { buttons } = await newer.call('list_calls', {}, app.member.user)
  expect(buttons.map(({ label }) => label)).toEqual(['Next', 'Last'])
  expect(newer.requests.some((body) => body.includes('"initialize"'))).toBe(false)
})

it("asks for the workspace if Slack doesn't send it", async () => {
  const slackbot = await createSlackbot(app)
  const identity = { user_id: app.member.user.id, team_id: null }
  expect(await slackbot.call('list_calls', {}, identity)).toMatchObject({
    isError: true,
    text: expect.stringContaining('Use /callboard calls in the workspace'),
  })
  expect(app.sandbox.requests.count()).toBe(0)
})
