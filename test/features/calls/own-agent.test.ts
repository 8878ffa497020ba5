import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

it("asks a person once for their agent, then lists the agent's calls", async () => {
  const { member, sandbox } = app
  const agents = sandbox.accounts.lively.agents
  const question = await member.command('/calls mine missed')
  expect(question).toShow('Which agent are you?', 'Someone else…')
  const answer = await member.click(question, 'calls.me.0')
  expect(answer).toShow('You are ')
  sandbox.requests.clear()
  const list = await member.click(answer, 'command.mine')
  expect(list).toShow('missed calls. ')
  const asked = sandbox.requests.entries().at(-1)?.params['agentid']
  expect(agents.map(({ id }) => id)).toContain(asked)
  expect(await member.command('/calls mine')).toShow(' incoming calls. ')
  expect(await member.command('/calls report agent:me')).not.toShow('Which agent')
  expect(await app.admin.command('/calls mine')).toShow('Which agent are you?')
})

it('suggests agents with similar names first', async () => {
  const { sandbox, slack } = app
  const [, agent] = sandbox.accounts.lively.agents
  const person = slack.addPerson({ name: agent!.name })
  const question = await slack.as(person).command('/calls mine')
  const buttons = JSON.stringify(question.blocks.at(-1))
  expect(buttons.indexOf(agent!.name)).toBeGreaterThan(0)
  expect(await slack.as(person).click(question, 'calls.me.0')).toShow(`You are ${agent!.name}`)
})

it('offers all agents in a menu', async () => {
  const { member, sandbox } = app
  const { id, name } = sandbox.accounts.lively.agents.at(-1)!
  const question = await member.command('/calls mine')
  const modal = await member.open(question, 'calls.me-other')
  await member.submit(modal, { agent: { text: { type: 'plain_text', text: name }, value: id } })
  await member.sees(question, `You are ${name}`)
})
