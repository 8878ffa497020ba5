import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getColumn } from '../../support/shown.ts'

const app = useApp({ connected: true })

it("asks a person once for their agent, and shows the agent's calls at once, in both directions", async () => {
  const { member, sandbox } = app
  const { agents } = sandbox.accounts.lively
  const [agent, other] = [agents[0], agents.at(-1)]
  const question = await member.command(`/calls mine answered last 7 days`)
  expect(question).toShow('Which agent are you?', 'Someone else…')
  sandbox.requests.clear()
  const answer = await member.click(question, 'calls.me.0')
  expect(answer).toShow(`You're ${agent?.name}. Not you?`, ' answered call')
  const params = { agentid: agent?.id, status: 'Answered' }
  for (const direction of ['incoming', 'outgoing'] as const)
    expect(sandbox.requests.entries(direction)[0]?.params).toMatchObject(params)
  const mine = await member.command('/callboard mine')
  expect(mine).toShow(' calls in the last 30 days')
  expect(mine).not.toShow('Not you?')
  expect(new Set(getColumn(mine, 'Direction'))).toEqual(new Set(['Incoming', 'Outgoing']))
  expect(await member.command('/calls mine missed')).toShow(`${agent?.name}: `, ' missed calls')
  expect(await member.command('/calls mine outgoing')).toShow(' outgoing calls')
  const modal = await member.open(answer, 'calls.me-other')
  expect(JSON.stringify(modal.blocks)).toContain('Choose an agent')
  await member.submit(modal, { agent: { text: { type: 'plain_text', text: other!.name }, value: other!.id } })
  await member.sees(answer, `You're ${other!.name}. Not you?`)
  expect(await app.admin.command('/calls mine')).toShow('Which agent are you?')
})

it('names the chosen agent on Home, where it can be changed later', async () => {
  const { member, sandbox } = app
  const { agents } = sandbox.accounts.lively
  const other = agents.at(-1)
  Object.assign(agents[0]!, { name: '<!here> Zoe' })
  expect(await member.openHome()).not.toShow('You are ')
  await member.click(await member.command('/calls mine'), 'calls.me.0')
  const home = await member.openHome()
  expect(home).toShow('You are &lt;!here&gt; Zoe.')
  const modal = await member.open(home, 'calls.me-other')
  await member.submit(modal, { agent: { text: { type: 'plain_text', text: other!.name }, value: other!.id } })
  await member.sees(home, `You are ${other!.name}.`)
  expect(await member.command('/calls mine')).toShow(`${other!.name}: `)
  await app.admin.submit(await app.admin.open('/callboard access'), { calls: 'admins' })
  expect(await member.openHome()).not.toShow('You are ')
})

it('asks again if the answer is unreadable, or the service was away', async () => {
  const { member } = app
  await member.click(await member.command('/calls mine'), 'calls.me.0')
  await app.restart(() => app.stored.setValue('own-agents%', "'{}'"))
  const question = await member.command('/calls mine')
  expect(question).toShow('Which agent are you?')
  expect(await member.openHome()).toShow('Find calls…')
  await app.restart()
  app.sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'agents' })
  expect(await member.click(await member.click(question, 'calls.me.1'), 'calls.me.again')).toShow("You're ")
})

it('answers a report or an export at once, too', async () => {
  const { admin, member, slack } = app
  const report = await member.command('/calls report agent:me')
  expect(await member.click(report, 'calls.me.0')).toShow("You're ", 'As of ')
  for (const words of ['my calls by day', 'mine by day report', 'mine stats', 'mine by day'])
    expect(await member.command(`/calls ${words}`)).toShow('As of ')
  const exported = await admin.click(await admin.command('/calls export agent:me'), 'calls.me.0')
  expect(JSON.stringify(exported.blocks)).toMatch(/You're .+Exporting /)
  await slack.waitFor(() => slack.messages().find(({ text }) => text.includes('Here are')))
})

it('refuses an export if the person lost access to exports before choosing an agent', async () => {
  const { admin, member } = app
  const allow = async (exports: string) => admin.submit(await admin.open('/callboard access'), { exports })
  await allow('everyone')
  const question = await member.command('/calls export mine')
  await allow('admins')
  expect(await member.click(question, 'calls.me.0')).toShow("You can't export calls")
})

it('suggests agents with similar names first', async () => {
  const { sandbox, slack } = app
  const agent = sandbox.accounts.lively.agents.find(({ name }) => name.includes('<'))
  const person = slack.addPerson({ name: agent!.name })
  const question = await slack.as(person).command('/calls mine')
  expect(JSON.stringify(question.blocks.at(-1)).indexOf(agent!.name)).toBeGreaterThan(0)
  expect(await slack.as(person).click(question, 'calls.me.0')).toShow("You're Sales &amp; Support &lt;")
})
