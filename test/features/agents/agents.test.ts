import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { buttonsOf, rowsOf, useHouse } from '../../support/app.ts'

const house = useHouse()
const textOf = (message: Message) => JSON.stringify([message.text, message.blocks])
const agents = async (text = '', command = '/agents') => {
  const { say, slack } = house()
  return (await say(text, slack.people.member, command)).waitForMessage()
}

describe('/agents', () => {
  it('lists ten a page and pages by buttons that carry the page, visiting everyone once', async () => {
    const { connect, click, sandbox, slack } = house()
    await connect()
    let message = await agents()
    expect(message.onlyFor).toBe(slack.people.member.id)
    const all = sandbox.accounts.lively.agents
    expect(textOf(message)).toContain(`Page 1 of 2 · 1–10 of ${all.length}`)
    const next = buttonsOf(message).find(({ action_id }) => action_id === 'agents.page.next')
    expect(JSON.parse(next?.value ?? '')).toEqual({ name: '', page: 2 })
    const seen: string[] = []
    for (;;) {
      const details = buttonsOf(message).filter(({ action_id }) => action_id === 'agents.details')
      seen.push(...details.map(({ value }) => JSON.parse(value).id))
      if (!buttonsOf(message).some(({ action_id }) => action_id === 'agents.page.next')) break
      message = await click(message, 'agents.page.next')
    }
    expect(seen).toEqual(all.map(({ id }) => id))
  })

  it('finds by a part of the name, says what it does not understand, and helps', async () => {
    const { connect, sandbox } = house()
    await connect()
    expect(textOf(await agents('anna smith'))).toContain('Anna Smith')
    expect(textOf(await agents('anna'))).toContain('1–3 of 3')
    expect(textOf(await agents('nobody at all'))).toContain('No agent is called')
    expect(textOf(await agents('page:9'))).toContain('There is no page 9')
    expect(textOf(await agents('calls anna', '/callboard'))).toContain('not understood')
    expect(textOf(await agents('agents anna', '/callboard'))).toContain('1–3 of 3')
    sandbox.requests.clear()
    expect(textOf(await agents('page:0 colour:blue'))).toContain('colour:blue')
    expect(textOf(await agents('help'))).toContain('[page:N]')
    expect(sandbox.requests.count()).toBe(0)
  })

  it('refreshes a list whatever it was asked for, and however long that was', async () => {
    const { connect, sandbox, slack, url } = house()
    await connect()
    const odd = '\\'.repeat(150)
    sandbox.faults.next({ kind: 'set', record: { name: odd } }, { operation: 'agents' })
    const message = await agents(odd)
    const refreshed = await slack.click(url, { message, action_id: 'agents.more', choose: 'refresh' })
    expect(textOf(await refreshed.waitForMessage())).not.toContain("can't be used")
  })

  it("shows an agent's calls", async () => {
    const { connect, slack, url } = house()
    await connect()
    const message = await agents('hollis')
    const clicked = await slack.click(url, { message, action_id: 'calls.of-agent' })
    const calls = await clicked.waitForMessage()
    expect(textOf(calls)).toContain('agent Hollis Grant')
    expect(rowsOf(calls).length).toBeGreaterThan(0)
  })

  it('apologizes where the service fails, with a way to try again', async () => {
    const { connect, click, sandbox } = house()
    await connect()
    sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'agents' })
    const failed = await agents('anna')
    expect(textOf(failed)).toContain('unavailable')
    expect(textOf(await click(failed, 'agents.retry'))).toContain('1–3 of 3')
  })
})

describe('the SIP password', () => {
  it('is in one modal, of one admin, after a confirmation, and goes to the audit log', async () => {
    const { connect, sandbox, slack, url, logs, say } = house()
    await connect()
    const [agent] = sandbox.accounts.lively.agents
    const secrets = sandbox.accounts.lively.agents.flatMap((one) => [one.sipPassword, one.webphone])
    const leaks = () => {
      const left = JSON.stringify([slack.calls, slack.messages(), logs])
      return secrets.filter((secret) => left.includes(JSON.stringify(secret).slice(1, -1)))
    }
    const admin = slack.people.admin
    const list = await (await say('', admin, '/agents')).waitForMessage()
    const member = await agents()
    const ofMember = await (
      await slack.click(url, {
        message: member,
        action_id: 'agents.details',
        block_id: member.blocks.find(({ type }) => type === 'actions')?.block_id ?? '',
      })
    ).waitForView()
    expect(JSON.stringify(ofMember)).not.toContain('agents.reveal')
    const forged = await slack.clickRaw(url, {
      view: ofMember,
      action: { action_id: 'agents.reveal', value: JSON.stringify({ id: agent?.id }) },
    })
    expect(JSON.stringify(await forged.waitForView())).toContain('Only admins and owners')
    expect(leaks()).toEqual([])

    const details = await (
      await slack.click(url, {
        message: list,
        action_id: 'agents.details',
        block_id: list.blocks.find(({ type }) => type === 'actions')?.block_id ?? '',
        user: admin,
      })
    ).waitForView()
    expect(JSON.stringify(details.blocks)).toContain('"confirm"')
    const revealed = await slack.click(url, { view: details, action_id: 'agents.reveal', user: admin })
    const shown = await revealed.waitForView()
    const json = JSON.stringify(shown)
    expect(json).toContain(agent?.sipPassword)
    expect(json).toContain(agent?.webphone)
    expect(JSON.stringify(shown.private_metadata)).not.toContain(agent?.sipPassword)
    expect(shown.blocks.every(({ type }) => type !== 'actions' && type !== 'input')).toBe(true)
    expect(shown.blocks.some(({ accessory }) => accessory !== undefined)).toBe(false)

    // Where it is: in the one call that updated that modal, and nowhere else.
    const holding = slack.calls.filter((call) =>
      secrets.some((secret) => JSON.stringify(call).includes(secret)),
    )
    expect(holding.map(({ method }) => method)).toEqual(['views.update'])
    expect(
      secrets.filter((secret) => (JSON.stringify(slack.messages()) + logs.join('')).includes(secret)),
    ).toEqual([])
    const audit = await (await say('audit', admin, '/billing')).waitForMessage()
    expect(textOf(audit)).toContain(`reveal SIP password, agent ${agent?.id}`)
    expect(textOf(audit)).toContain('connect')
  })

  it('is not shown, and the person is told, where the service fails', async () => {
    const { connect, sandbox, slack, url, say } = house()
    await connect()
    const admin = slack.people.admin
    const message = await (await say('hollis', admin, '/agents')).waitForMessage()
    const view = await (
      await slack.click(url, { message, action_id: 'agents.details', user: admin })
    ).waitForView()
    sandbox.faults.always({ kind: 'status', status: 500 }, { operation: 'agents' })
    const clicked = await slack.click(url, { view, action_id: 'agents.reveal', user: admin })
    expect(JSON.stringify(await clicked.waitForView())).toContain('unavailable')
    sandbox.faults.clear()
    expect(textOf(await (await say('audit', admin, '/billing')).waitForMessage())).not.toContain('reveal')
  })
})
