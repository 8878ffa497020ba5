import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getActions, getButtons, getColumn, getHead } from '../../support/shown.ts'

const app = useApp({ connected: true })

describe('/agents', () => {
  it('lists ten per page, with paging buttons that carry the page and show everyone once', async () => {
    const { member, sandbox } = app
    let message = await member.command('/agents')
    expect(message.onlyFor).toBe(member.user.id)
    const all = sandbox.accounts.lively.agents
    const { name, sipLogin } = all[0]!
    expect(message).toShow(`${all.length} agents`, `Page 1 of 2 · 1–10 of ${all.length}`)
    expect(message).not.toShow('agents.page.last', sipLogin)
    expect(await member.open(message, 'agents.details', name)).toShow(`*SIP login*\n${sipLogin}`)
    const next = getButtons(message).find(({ action_id }) => action_id === 'agents.page.next')
    expect(JSON.parse(next?.value ?? '')).toEqual({ name: '', page: 2 })
    const seen: string[] = []
    for (;;) {
      expect(message.blocks.find(({ type }) => type === 'data_table')).toMatchObject({ caption: 'Agents' })
      expect(getHead(message)).toEqual(['Agent', 'Caller ID'])
      seen.push(...getColumn(message, 'Agent'))
      if (!getActions(message).includes('agents.page.next')) break
      message = await member.click(message, 'agents.page.next')
    }
    expect(seen).toEqual(all.map((agent) => agent.name))
  })

  it('leads to the calls and the details of one agent without a choice', async () => {
    const list = await app.member.command('/agents hollis')
    expect(getActions(list).slice(0, 2)).toEqual(['agents.calls', 'agents.details'])
    expect(await app.member.open(list, 'agents.details')).toShow('Hollis Grant', '*SIP login*')
    expect(await app.member.click(list, 'agents.calls')).toShow('Hollis Grant: ')
  })

  it('is a plain table or lines if Slack refuses data tables', async () => {
    const { member, slack } = app
    slack.refusedBlocks.add('data_table')
    expect(getHead(await member.command('/agents anna'))).toEqual(['Agent', 'Caller ID'])
    slack.refusedBlocks.add('table')
    expect(await member.command('/agents anna')).toShow('*Anna Smith* · +')
  })

  it('finds parts of names, explains unknown words, and has help', async () => {
    const { member, sandbox } = app
    const smith = await member.command('/agents anna smith')
    expect(smith).toShow('1 agent matches "anna smith"', 'Anna Smith | +')
    const annas = '3 agents match "anna": Anna Smith, Anna Schmidt, Joanna Reyes'
    expect((await member.command('/agents anna')).text).toBe(annas)
    expect(await member.command('/agents page:9')).toShow('13 agents', 'Page 2 of 2 · 11–13 of 13')
    for (const command of ['/callboard calls anna', '/callboard agents anna'])
      expect(await member.command(command)).toShow('3 agents match "anna"')
    sandbox.requests.clear()
    const problems = await member.command('/agents page:0 colour:blue')
    expect(problems).toShow('I didn\'t understand "colour:blue".')
    expect(await member.command('/agents page:0')).toShow("There's no page 0.", 'Did you mean this?')
    expect(await member.click(problems, 'command.help')).toShow('Find an agent')
    expect(sandbox.requests.count()).toBe(0)
    const nobody = await member.command('/agents zzz')
    expect(nobody).toShow('No agent matches "zzz".')
    expect(await member.click(nobody, 'command.all-agents')).toShow('Page 1 of 2')
  })

  it('pages through a list with any search of any length', async () => {
    const odd = '\\'.repeat(150)
    app.sandbox.faults.always({ kind: 'set', record: { name: odd } }, { operation: 'agents' })
    const message = await app.member.command(`/agents ${odd}`)
    expect(await app.member.click(message, 'agents.page.next')).toShow('Page 2 of 2')
  })

  it('uses the first 5,000 of many agents, formats one page, and has 100 in a menu', async () => {
    const { member, sandbox } = app
    const { agents } = sandbox.accounts.lively
    const toBot = (n: number) => ({ ...agents[0]!, id: `n${n}`, name: `Bot ${n % 3}` })
    const bots = Array.from({ length: 6000 }, (_, n) => toBot(n))
    Object.assign(sandbox.accounts.lively, { agents: [...agents, ...bots] })
    expect(await member.command('/agents')).toShow('Page 1 of 500 · 1–10 of 5,000')
    const question = await member.command('/calls agent:bot')
    expect(question).toShow('agents match "bot". Which one?')
    const modal = await member.open(question, 'calls.filter')
    expect(await member.suggest(modal, 'calls.agent', '')).toHaveLength(100)
  })

  it('refuses a menu with a forged agent', async () => {
    const message = await app.member.command('/agents hollis')
    const action = { action_id: 'agents.calls', selected_option: { value: '' } }
    const click = await app.slack.clickRaw(app.url, { message, action })
    expect(await click.waitForMessage()).toShow("can't be used any more")
  })

  it('apologizes if the service fails, with a way to try again', async () => {
    app.sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'agents' })
    const failed = await app.member.command('/agents anna')
    expect(failed).toShow("The phone service isn't responding.", 'Try again', 'Ref ')
    expect(failed.text).not.toContain('Ref ')
    expect(await app.member.click(failed, 'agents.retry')).toShow('3 agents match "anna"')
  })
})

describe('the SIP password', () => {
  const getAgent = () => app.sandbox.accounts.lively.agents[0]!

  /** Returns the secrets that a place holds. */
  function findSecrets(place: unknown): string[] {
    const json = JSON.stringify(place)
    const secrets = app.sandbox.accounts.lively.agents.flatMap((one) => [one.sipPassword, one.webphone])
    return secrets.filter((secret) => json.includes(JSON.stringify(secret).slice(1, -1)))
  }

  it('is neither offered nor shown to members', async () => {
    const { id, name } = getAgent()
    const view = await app.member.open(await app.member.command('/agents'), 'agents.details', name)
    expect(JSON.stringify(view)).not.toContain('agents.reveal')
    const action = { action_id: 'agents.reveal', value: JSON.stringify({ id }) }
    const forged = await app.slack.clickRaw(app.url, { view, action })
    expect(await forged.waitForView()).toShow('Only administrators can do that')
  })

  it("is shown in one admin's modal after a confirmation, and recorded in the audit log", async () => {
    const { slack, logs, admin } = app
    const { name, sipPassword, webphone } = getAgent()
    const details = await admin.open(await admin.command('/agents'), 'agents.details', name)
    expect(admin.dialog(details, 'agents.reveal')).toBe(
      `Show ${name}'s SIP password?\nOnly you see it. The audit log records that you looked.\nShow password\nCancel`,
    )
    const shown = await admin.open(details, 'agents.reveal')
    const warning = `Anyone with this password or link can make calls as ${name}. Close this when done.`
    expect(shown).toShow(sipPassword, webphone, warning)
    expect(shown.private_metadata).not.toContain(sipPassword)
    expect(shown.blocks.every(({ type }) => type !== 'actions' && type !== 'input')).toBe(true)
    expect(shown.blocks.some(({ accessory }) => accessory !== undefined)).toBe(false)
    // Only the call that updated that modal may contain it.
    const holding = slack.calls.filter((call) => findSecrets(call).length > 0)
    expect(holding.map(({ method }) => method)).toEqual(['views.update'])
    expect(await admin.command('/billing audit')).toShow(`(${name})`, 'connected the phone account')
    expect(logs.filter((line) => line.includes('"audit":true')).join('')).not.toContain(name)
    for (const unusable of ['', `${webphone}${'x'.repeat(3000)}`]) {
      Object.assign(getAgent(), { webphone: unusable })
      const withoutLink = await admin.open(details, 'agents.reveal')
      expect(withoutLink).toShow(sipPassword)
      expect(withoutLink).not.toShow('Open the webphone')
    }
  })

  it("isn't shown if the audit log can't record it, or the service fails, which the modal says", async () => {
    const { admin, sandbox } = app
    const details = await admin.open(await admin.command('/agents hollis'), 'agents.details')
    const accept = app.stored.refuse('audit-log%')
    expect(await admin.open(details, 'agents.reveal')).toShow('something went wrong in Callboard')
    accept()
    sandbox.faults.always({ kind: 'status', status: 500 }, { operation: 'agents' })
    expect(await admin.open(details, 'agents.reveal')).toShow("isn't responding.", 'Show password')
    sandbox.faults.clear()
    expect(await admin.command('/billing audit')).not.toShow('SIP password')
  })
})
