import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { actionsOf, rowsOf } from '../../support/shown.ts'

const app = useApp()

describe('connecting', () => {
  it('is for admins: a member is told who can, and an admin how', async () => {
    const { admin, member } = app
    expect(await member.command('/calls')).toShow('An admin of this workspace can connect it')
    expect(actionsOf(await admin.command('/calls'))).toEqual(['setup.connect'])
    expect(await member.command('/calls connect')).toShow('Only admins and owners')
  })

  it('keeps a refused pair out, replaces by another, and disconnects', async () => {
    const { admin, member, sandbox } = app
    const modal = await admin.open('/calls connect')
    const refused = await admin.submit(modal, { key: 'wrong', secret: 'pair' })
    expect(refused.errors).toMatchObject({ secret: expect.any(String) })
    expect(await member.command('/calls')).toShow('not connected')
    await app.connect(sandbox.accounts.quiet)
    expect(rowsOf(await member.command('/calls'))).toHaveLength(3)
    await admin.click(await admin.command('/calls disconnect'), 'setup.disconnect')
    expect(await member.command('/calls')).toShow('not connected')
  })

  it('turns to Checking… where the service takes its time', async () => {
    const { admin, sandbox } = app
    const modal = await admin.open('/calls connect')
    sandbox.faults.next({ kind: 'delay', ms: 2400 })
    const { key, secret } = sandbox.accounts.lively
    expect(await admin.submit(modal, { key, secret })).toShow('Checking')
    await admin.sees(modal, 'Connected')
  })
})

describe('an account that is connected', () => {
  it('is nothing to guests, strangers, bots and deleted people', async () => {
    const { slack, sandbox } = app
    await app.connect()
    sandbox.requests.clear()
    const { guest, ultraGuest, stranger, bot, deleted } = slack.people
    for (const person of [guest, ultraGuest, stranger, bot, deleted]) {
      expect(await slack.as(person).command('/calls')).toShow('full members of this workspace only')
    }
    expect(sandbox.requests.count()).toBe(0)
  })

  it('has no secret in a log at debug, and none in the clear in the store', async () => {
    const { member, sandbox, logs, config, slack } = app
    await app.connect()
    await member.command('/calls agent:hollis')
    sandbox.faults.always({ kind: 'cut-connection' })
    await member.command('/calls')
    const files = await Promise.all(
      [app.storePath, `${app.storePath}-wal`].map((file) => readFile(file, 'latin1')),
    )
    const { key, secret } = sandbox.accounts.lively
    const all = logs.join('') + files.join('')
    expect(logs.join('')).toContain('"operation":"incoming"')
    for (const hidden of [key, secret, slack.botToken, slack.signingSecret, config.telephonyBaseUrl]) {
      expect(all.includes(hidden), hidden.slice(0, 5)).toBe(false)
    }
  })
})
