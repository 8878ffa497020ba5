import { createSecretKey, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, withOAuth } from '../../support/oauth.ts'

const lost = "the stored API key and secret can't be read"
const newKey = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) })

/** One value of the store, for a look at the file. */
function cellOf(path: string, sql: string, ...values: string[]): unknown {
  const db = new DatabaseSync(path)
  try {
    return Object.values(db.prepare(sql).get(...values) ?? {})[0]
  } finally {
    db.close()
  }
}

describe('with a key and secret whose encryption key is lost', () => {
  const app = useApp({ connected: true, config: { metricsToken: 'a token for tests' } })

  async function loseKey(id = 'k2'): Promise<void> {
    const { admin, member } = app
    expect(await member.command('/calls')).toShow('Page 1 of')
    await admin.command('/calls timezone Asia/Tokyo')
    await app.restart(() => {
      app.config = { ...app.config, encryptionKeys: [newKey(id)] }
    })
  }
  const metrics = async () =>
    (await fetch(`${app.url}/metrics`, { headers: { authorization: 'Bearer a token for tests' } })).text()

  it('people are told to connect anew, and that is what an admin can do', async () => {
    await loseKey()
    const { admin, member, sandbox } = app
    expect(await member.command('/calls')).toShow(lost, 'An administrator can reconnect it')
    for (const command of ['/agents', '/billing']) expect(await admin.command(command)).toShow(lost)
    expect(await admin.openHome()).toShow(lost, 'Connect…', 'Asia/Tokyo')
    const offered = await admin.command('/calls')
    const { key, secret } = sandbox.accounts.quiet
    const modal = await admin.open(offered, 'setup.connect')
    await admin.submit(modal, { key, secret })
    await admin.sees(modal, 'Connected')
    expect(await member.command('/calls')).toShow('3 calls')
    expect(await member.command('/calls timezone')).toShow('Tokyo')
  })

  it('an admin can disconnect', async () => {
    await loseKey()
    await app.disconnect()
    expect(await app.member.command('/calls')).toShow("isn't connected to your phone account.")
  })

  it('an admin can disconnect on the home tab', async () => {
    await loseKey()
    const { admin } = app
    const question = await admin.open(await admin.openHome(), 'setup.connection', 'Disconnect…')
    expect(await admin.open(question, 'setup.disconnect')).toShow('Disconnected.')
    expect(await admin.openHome()).toShow("isn't connected to your phone account.")
  })

  it.each([
    ['another id', 'k2'],
    ['the same id', 'k1'],
  ])(
    'the operator is told which key, in the log and by a metric, where the new one has %s',
    async (_, id) => {
      expect(await metrics()).not.toContain('callboard_undecryptable_records{')
      await loseKey(id)
      await app.logged('"undecryptable":{"k1":1}')
      expect(await metrics()).toContain('callboard_undecryptable_records{key="k1"} 1')
      await app.member.command('/calls')
      await app.logged('under the encryption key \\"k1\\"', id === 'k1' ? 1 : 0)
    },
  )

  it('the records of others are encrypted anew all the same', async () => {
    const { storePath, config } = app
    const [old] = config.encryptionKeys
    const sql = 'SELECT value FROM callboard_store WHERE namespace = ? AND key = ?'
    const key = `/${app.slack.workspace.teamId}`
    await app.restart(() => {
      const db = new DatabaseSync(storePath)
      db.prepare('INSERT INTO callboard_store VALUES (?, ?, ?, NULL)').run(
        'credentials',
        '/T0',
        'v1.gone.AAAA',
      )
      db.close()
      app.config = { ...config, encryptionKeys: [newKey('k2'), old] }
    })
    await expect.poll(() => cellOf(storePath, sql, 'credentials', key)).toMatch(/^v1\.k2\./)
    expect(cellOf(storePath, sql, 'credentials', '/T0')).toBe('v1.gone.AAAA')
    expect(await app.member.command('/calls')).toShow('Page 1 of')
  })
})

describe('with two workspaces', () => {
  const app = useApp(withOAuth)

  it('a ciphertext that is copied to another row is of no use there', async () => {
    const [one, two] = [await installTeam(app.slack), await installTeam(app.slack)]
    await app.connect(app.sandbox.accounts.lively, one.admin)
    await app.connect(app.sandbox.accounts.quiet, two.admin)
    const copy = (namespace: string, from: string, to: string) =>
      cellOf(
        app.storePath,
        `UPDATE callboard_store SET value =
          (SELECT value FROM callboard_store WHERE namespace = '${namespace}' AND key = ?)
        WHERE namespace = '${namespace}' AND key = ? RETURNING 1`,
        from,
        to,
      )
    await app.restart(() => expect(copy('credentials', `/${one.team.teamId}`, `/${two.team.teamId}`)).toBe(1))
    await expect.poll(() => two.admin.command('/calls')).toShow(lost)
    app.sandbox.requests.clear()
    expect(await two.admin.command('/calls')).toShow(lost)
    expect(app.sandbox.requests.count()).toBe(0)
    expect(await one.admin.command('/calls')).toShow('Page 1 of')
    await app.restart(() =>
      expect(copy('installations', `team/${one.team.teamId}`, `team/${two.team.teamId}`)).toBe(1),
    )
    await expect.poll(() => two.admin.command('/calls')).toShow("isn't installed in your workspace")
  })

  it('an installation that can not be read is removed as any other, and made anew', async () => {
    const [one, two] = [await installTeam(app.slack), await installTeam(app.slack)]
    await app.connect(app.sandbox.accounts.lively, one.admin)
    await app.restart(() => {
      app.config = { ...app.config, encryptionKeys: [newKey('k2')] }
    })
    expect(await one.admin.command('/calls')).toShow("isn't installed in your workspace")
    await app.slack.event(app.url, { type: 'app_uninstalled' }, { team: one.team })
    const sql = "SELECT count(*) FROM callboard_store WHERE instr(key, ?) AND namespace <> 'job:deletions'"
    await expect.poll(() => cellOf(app.storePath, sql, one.team.teamId)).toBe(0)
    // Whoever makes it anew is no administrator for that.
    const somebody = app.slack.addPerson({ name: 'somebody' }, two.team)
    await new Browser(app.slack).install({ team: two.team, user: somebody })
    expect(await app.slack.as(somebody).command('/calls connect')).toShow('Only')
    expect(await two.admin.command('/calls')).toShow("isn't connected")
  })
})
