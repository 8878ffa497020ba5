import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

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
  Object.assign(sandbox.accounts.lively, { agents })
  const list = await member.command('/agents')
  expect(list).toShow('😀…')
  const { id } = agents[0]!
  const first = id.slice(0, 37).toWellFormed().replaceAll('\ufffd', '')
  await member.open(list, 'agents.details', first)
  expect(await member.click(list, 'agents.calls', first)).toShow('👩‍👧')
  expect(await member.command(`/agents ${long}`)).toShow('match')
  expect(await member.command(`/calls ${before}😀😀`)).toShow('Which one?')
  const asked = await member.command('/calls mine')
  expect(await member.click(asked, 'calls.me.0')).toShow('calls for ')
  expect(await member.command('/calls mine')).toShow('😀')
  expect(await member.command('/calls report agent:me')).toShow('the call report for')
  const modal = await member.open(await member.command('/calls'), 'calls.filter')
  expect((await member.suggest(modal, 'calls.agent', '')).length).toBeGreaterThan(0)
})
