import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../../dev/service/app.ts'
import type { Actor, Slack } from '../../dev/slack/slack.ts'
import { direct, expectCalls, getFiles, holdPages, rowsOfFile } from '../features/export/exports.ts'
import { leakedSecrets } from '../support/secrets.ts'
import { createDatabase } from '../support/shared/database.ts'
import { AppProcess, startSurroundings } from './app-process.ts'

interface Scene {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly admin: Actor
  /** Kills the process that runs the export and starts another one. */
  killAndReplace(): Promise<AppProcess>
}

/** Returns the URL of a new store, which may keep files in the folder. */
type CreateStore = (folder: string) => string | Promise<string>

const engines: readonly (readonly [string, CreateStore])[] = [
  ['SQLite', (folder) => `sqlite:${join(folder, 'store.sqlite')}`],
  ['PostgreSQL', createDatabase],
]

async function startApp(createStore: CreateStore): Promise<Scene> {
  const scopes = ['commands', 'chat:write', 'files:write', 'users:read']
  // Other processes may start on the same machine meanwhile.
  const around = await startSurroundings(400, { scopes, ackTimeoutMs: 20_000 })
  onTestFinished(() => around.close())
  const { slack, sandbox, folder } = around
  const env = { ...around.env, STORE_URL: await createStore(folder) }
  const start = async () => {
    const app = await AppProcess.start(env)
    onTestFinished(async () => {
      app.kill('SIGKILL')
      await app.exited
      expect(leakedSecrets(slack, sandbox, [app.output])).toEqual([])
    })
    await app.listening()
    slack.appUrl = app.url
    return app
  }
  const first = await start()
  const admin = await around.connect()
  const killAndReplace = async () => {
    first.kill('SIGKILL')
    await first.exited
    return start()
  }
  return { slack, sandbox, admin, killAndReplace }
}

describe.each(engines)('an export whose process is killed, over %s,', (_, createStore) => {
  it('starts again in another process, and sends one file', { timeout: 180_000 }, async () => {
    const { slack, sandbox, admin, killAndReplace } = await startApp(createStore)
    const release = await holdPages(sandbox, () => admin.command('/calls export'))
    await killAndReplace()
    release()
    await direct(slack, admin, 'Here are', 60_000)
    expectCalls(rowsOfFile(slack, admin), sandbox.accounts.lively.calls('incoming'))
    expect(getFiles(slack, admin)).toHaveLength(1)
  })

  it("isn't sent again if it was being sent", { timeout: 180_000 }, async () => {
    const { slack, admin, killAndReplace } = await startApp(createStore)
    slack.failNext('files.completeUploadExternal', { delayMs: 2000 })
    await admin.command('/calls export')
    await expect.poll(() => slack.callsTo('files.completeUploadExternal').length, { timeout: 20_000 }).toBe(1)
    const second = await killAndReplace()
    await expect.poll(() => second.output, { timeout: 60_000 }).toContain('export has already ended')
    await expect.poll(() => getFiles(slack, admin).length, { timeout: 10_000 }).toBe(1)
    expect(slack.callsTo('files.completeUploadExternal')).toHaveLength(1)
  })
})
