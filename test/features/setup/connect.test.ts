import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getActions, getRows } from '../../support/shown.ts'

const app = useApp()
const nextSteps = ['command.new-alert', 'command.lines', 'billing.settings', 'command.show-calls']

describe('connecting', () => {
  it('is for admins: tells members whom to ask, and admins how', async () => {
    expect(await app.member.command('/calls')).toShow('An administrator can connect it')
    expect(getActions(await app.admin.command('/calls'))).toEqual(['setup.connect'])
  })

  it('rejects an invalid key and secret, and replaces them', async () => {
    const { admin, member, sandbox } = app
    const modal = await admin.open('/calls connect')
    const blank = await admin.submit(modal, { key: ' ', secret: 'pair' })
    expect(blank.errors).toEqual({ key: 'Enter a value.' })
    const refused = await admin.submit(modal, { key: 'wrong', secret: 'pair' })
    expect(refused.errors).toEqual({ secret: 'The phone service rejected this key and secret.' })
    expect(await member.command('/calls')).toShow("isn't connected")
    await app.connect(sandbox.accounts.quiet)
    expect(getRows(await member.command('/calls'))).toHaveLength(3)
  })

  it.each([
    ['a 400', { kind: 'status', status: 400 }, 'refused this request'],
    ['a 429', { kind: 'status', status: 429, headers: { 'retry-after': '120' } }, 'asks Callboard to wait'],
    ['an outage', { kind: 'status', status: 500 }, "isn't responding"],
  ] as const)('explains %s, and stores nothing', async (_, fault, words) => {
    const { admin, member, sandbox } = app
    const modal = await admin.open('/calls connect')
    const { key, secret } = sandbox.accounts.lively
    sandbox.faults.always(fault, { operation: 'agents' })
    expect((await admin.submit(modal, { key, secret })).errors['secret']).toContain(words)
    expect(await member.command('/calls')).toShow("isn't connected")
  })

  it('says that it checks the account if the service is slow', async () => {
    const { admin, sandbox } = app
    const modal = await admin.open('/calls connect')
    const { promise: until, resolve } = Promise.withResolvers<void>()
    sandbox.faults.next({ kind: 'hold', until })
    const { key, secret } = sandbox.accounts.lively
    expect(await admin.submit(modal, { key, secret })).toShow('One moment…')
    resolve()
    await admin.sees(modal, 'Connected')
  })

  it('says what was found and who sees it, and offers the next steps', async () => {
    const { admin } = app
    expect(await admin.suggest(await admin.open('/calls connect'), 'setup.zone', '')).toHaveLength(100)
    const done = await app.connect()
    expect(done).toShow('Connected.', 'Found 4 lines, ', ' agents and ', ' incoming calls.')
    expect(done).toShow('Everyone: calls, recordings, agents, exports. Administrators: billing.')
    expect(await admin.open(done, 'command.new-alert')).toShow('Channel', 'Save')
  })

  it('works even if only the agents can be read', async () => {
    const { sandbox } = app
    for (const operation of ['incoming', 'billing'] as const)
      sandbox.faults.always({ kind: 'status', status: 500 }, { operation })
    expect(await app.connect(sandbox.accounts.quiet)).toShow('Connected. Found 1 agent.')
  })
})

it('a button that offers to connect replaces a key that the service no longer accepts', async () => {
  const { admin, sandbox } = app
  const { lively, quiet } = sandbox.accounts
  await app.connect()
  const listAgents = async () => (await admin.command('/agents')).text
  expect(await listAgents()).toContain(lively.agents[0]!.name)
  sandbox.faults.next({ kind: 'status', status: 401 }, { operation: 'incoming' })
  const refused = await admin.command('/calls')
  expect(refused).toShow('no longer accepts the API key and secret', 'Replace key…')
  const modal = await admin.open(refused, 'setup.connect')
  expect(modal).toShow('The phone account is connected.', 'replaces its key')
  await admin.submit(modal, { key: quiet.key, secret: quiet.secret })
  const done = await admin.sees(refused, 'Connected.')
  expect(getActions(done)).toEqual(nextSteps)
  expect(getRows(await admin.click(done, 'command.show-calls'))).toHaveLength(3)
  const agents = await listAgents()
  expect(agents).toContain(quiet.agents[0]!.name)
  expect(agents).not.toContain(lively.agents[0]!.name)
})

const choose = async (value: string) => {
  const { admin, slack, url } = app
  const action = { action_id: 'setup.connection', selected_option: { value } }
  const click = await slack.clickRaw(url, { view: await admin.openHome(), user: admin.user, action })
  return slack.waitFor(() => click.views.find(({ type }) => type === 'modal'))
}

it('the menu of the connection disconnects after explaining the consequence', async () => {
  expect(await choose('disconnect')).toShow("isn't connected")
  await app.connect()
  const modal = await choose('disconnect')
  for (const asked of [modal, await app.admin.open('/calls disconnect')])
    expect(asked).toShow('scheduled posts and missed-call alerts stop, until an administrator reconnects.')
  expect(await app.member.command('/calls')).not.toShow("isn't connected")
  const home = await app.admin.openHome()
  expect(await app.admin.open(modal, 'setup.disconnect')).toShow('Disconnected.')
  await app.admin.sees(home, "isn't connected")
  expect(await app.member.command('/calls')).toShow("isn't connected")
  expect(await app.admin.command('/billing audit')).toShow('disconnected the phone account')
})

it('an account that is connected has no secret in debug logs, and none unencrypted in the store', async () => {
  const { member, sandbox, logs, config, slack } = app
  await app.connect()
  await member.command('/calls agent:hollis')
  sandbox.faults.always({ kind: 'cut-connection' })
  await member.command('/calls')
  const paths = [app.storePath, `${app.storePath}-wal`]
  const files = await Promise.all(paths.map((path) => readFile(path, 'latin1')))
  const { key, secret } = sandbox.accounts.lively
  const all = logs.join('') + files.join('')
  expect(logs.join('')).toContain('"operation":"incoming"')
  for (const hidden of [key, secret, slack.botToken, slack.signingSecret, config.telephonyBaseUrl])
    expect(all.includes(hidden), hidden.slice(0, 5)).toBe(false)
})
