import { expect, it } from 'vitest'
import type { SandboxAgent } from '../../../dev/service/types.ts'
import { useApp } from '../../support/app.ts'
import { getButtons, getColumn, getRows } from '../../support/shown.ts'
import { exportRows } from '../calls/calls.ts'

const app = useApp({ connected: true })

/** Replaces the account's agents by changed copies of the first two. */
function setAgents(change: (one: SandboxAgent, other: SandboxAgent) => readonly SandboxAgent[]) {
  const { lively } = app.sandbox.accounts
  const [one, other] = lively.agents
  Object.assign(lively, { agents: change(one!, other!) })
}

it('counts an agent once if it is listed twice', async () => {
  setAgents((one, other) => [one, other, one])
  expect(await app.member.command('/agents')).toShow('2 agents')
  const report = await app.member.command('/calls report by:agent last 30 days')
  const column = getColumn(report, 'Incoming').map(Number)
  expect(report).toShow(`Incoming: ${column.reduce((sum, count) => sum + count, 0)}`)
})

it('shows agents without an id, and reports the others', async () => {
  const { member } = app
  setAgents((one, other) => [{ ...one, id: '' }, { ...one, id: '', name: 'Zoe' }, other])
  expect(await member.command('/agents')).toShow('3 agents')
  const report = await member.command('/calls report by:agent last 30 days')
  expect(getColumn(report, 'Agent')).toEqual([expect.any(String), 'No agent'])
  expect(await member.command('/calls mine')).toShow('Which agent are you?')
  const modal = await member.open(await member.command('/calls'), 'calls.filter')
  expect(await member.suggest(modal, 'calls.agent', '')).toHaveLength(1)
})

it('tells agents of one name apart wherever they appear', async () => {
  const { member } = app
  // Composed and decomposed letters look alike.
  setAgents((one, other) => [
    { ...one, name: 'Zo\u00eb' },
    { ...other, name: 'Zoe\u0308' },
  ])
  const [one, other] = app.sandbox.accounts.lively.agents
  const labels = [one, other].map((agent) => `${agent?.name} (${agent?.id})`)
  const agents = await member.command('/agents')
  expect(agents).toShow(...labels)
  expect(await member.click(agents, 'agents.calls', labels[0])).toShow(`${labels[0]}: `)
  expect(getColumn(await member.command('/calls report by:agent last 30 days'), 'Agent')).toEqual(
    expect.arrayContaining(labels),
  )
  const question = await member.command('/calls mine')
  expect(getButtons(question).length).toBe(3)
  expect(question).toShow(...labels)
  expect(await member.click(question, 'calls.me.0')).toShow(`You're ${labels[0]}. Not you?`)
  const choice = await member.command(`/calls agent:"${one?.name}"`)
  expect(choice).toShow(...labels)
  expect(await member.click(choice, 'calls.show.0')).toShow(`${labels[0]}: `, ' incoming calls')
  const modal = await member.open(await member.command('/calls'), 'calls.filter')
  expect(JSON.stringify(await member.suggest(modal, 'calls.agent', ''))).toContain(labels[1])
  const rows = await exportRows(app, 'answered')
  expect(new Set(rows.map((row) => row['Answered by']))).toEqual(new Set([...labels, '']))
})

it("doesn't guess which of two agents with one login answered", async () => {
  setAgents((one, other) => [one, { ...other, sipLogin: one.sipLogin }])
  const [one, other] = app.sandbox.accounts.lively.agents
  const rows = getRows(await app.member.command('/calls answered')).join()
  expect(rows).not.toContain(one?.name)
  expect(rows).not.toContain(other?.name)
  const exported = await exportRows(app, 'answered')
  expect(new Set(exported.map((row) => row['Answered by']))).toEqual(new Set([one?.sipLogin, '']))
})

/** Emoji at odd and even places: the app fails tests whose messages have half of one. */
it.each(['', 'x'])('cuts names, ids and logins of emoji after %j between characters', async (before) => {
  const { member, sandbox } = app
  const long = `${before}${'😀'.repeat(200)}`
  const agents = sandbox.accounts.lively.agents.map((agent, index) => ({
    ...agent,
    id: `${before}${index}${'👩‍👧'.repeat(20)}`,
    name: long,
    callerId: long,
    sipLogin: `${long}${index}`,
  }))
  // Slack refuses a menu with two of one value.
  agents.push({ ...agents[0]!, id: `${agents[0]?.id} too` })
  Object.assign(sandbox.accounts.lively, { agents })
  const list = await member.command('/agents')
  expect(list).toShow('😀…')
  const { id } = agents[0]!
  const first = id.slice(0, 37).toWellFormed().replaceAll('\ufffd', '')
  expect(await member.open(list, 'agents.details', first)).toShow('SIP login')
  expect(await member.click(list, 'agents.calls', first)).toShow('👩‍👧')
  expect(await member.command(`/agents ${long}`)).toShow('match')
  expect(await member.command(`/calls ${before}😀😀`)).toShow('Which one?')
  expect(await member.click(await member.command('/calls mine'), 'calls.me.0')).toShow('calls for ')
  expect(await member.command('/calls mine')).toShow('😀')
  expect(await member.command('/calls report agent:me')).toShow('the call report for')
  const modal = await member.open(await member.command('/calls'), 'calls.filter')
  expect(await member.suggest(modal, 'calls.agent', '')).toHaveLength(agents.length - 1)
})
