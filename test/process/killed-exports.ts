import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import { type Actor, type Slack, startSlack } from '../../dev/slack/slack.ts'
import { direct, expectCalls, filesOf, rowsOfFile, slowly } from '../features/calls/export/exports.ts'
import { leakedSipSecrets } from '../support/sip-secrets.ts'
import '../support/shown.ts'
import { AppProcess } from './app-process.ts'

interface Scene {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly admin: Actor
  /** Where the processes keep temporary files. */
  readonly folder: string
  /** Kills the process that works on the export, and starts another one. */
  killAndReplace(): Promise<void>
}

/** What becomes of an export whose process is killed, over the store that `storeUrlIn` names; it is handed an empty folder. */
export function testKilledExports(storeUrlIn: (folder: string) => string | Promise<string>): void {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-exports-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    return folder
  }

  /** A process that reads an export of every incoming call. */
  async function startExport(prepare: (scene: Pick<Scene, 'slack' | 'sandbox'>) => void): Promise<Scene> {
    const [folder, storeUrl] = [newFolder(), await storeUrlIn(newFolder())]
    // Patient: a process may have the machine to share with others that start.
    const ackTimeoutMs = 20_000
    const scopes = ['commands', 'chat:write', 'files:write', 'users:read']
    const slack = await startSlack({ scopes, ackTimeoutMs })
    closers.push(() => slack.close())
    const sandbox = createSandbox({ calls: 400 })
    const served = await serveSandbox(sandbox)
    closers.push(() => served.close())
    const start = async () => {
      const app = await AppProcess.start({
        SLACK_SIGNING_SECRET: slack.signingSecret,
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_API_URL: slack.apiUrl,
        TELEPHONY_BASE_URL: served.baseUrl,
        STORE_URL: storeUrl,
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
        TMPDIR: folder,
      })
      closers.push(async () => {
        app.kill('SIGKILL')
        await app.exited
        expect(leakedSipSecrets(slack, sandbox, [app.output])).toEqual([])
      })
      await app.listening()
      slack.appUrl = app.url
      return app
    }
    const first = await start()
    const admin = slack.as(slack.people.admin)
    const { key, secret } = sandbox.accounts.lively
    const modal = await admin.submit(await admin.open('/calls connect'), { key, secret })
    await admin.sees(modal, 'Connected')
    prepare({ slack, sandbox })
    expect(await admin.command('/calls export')).toShow('Exporting')
    const killAndReplace = async () => {
      first.kill('SIGKILL')
      await first.exited
      await start()
    }
    return { slack, sandbox, admin, folder, killAndReplace }
  }

  it('begins again in another one, which says so, and arrives once', { timeout: 180_000 }, async () => {
    const { slack, sandbox, admin, folder, killAndReplace } = await startExport((scene) =>
      slowly(scene.sandbox, 800),
    )
    await expect.poll(() => sandbox.requests.count('incoming'), { timeout: 10_000 }).toBeGreaterThan(5)
    await killAndReplace()
    await direct(slack, admin, 'It was interrupted and has started again.', 60_000)
    sandbox.faults.clear()
    await direct(slack, admin, 'Here are')
    expectCalls(rowsOfFile(slack, admin), sandbox.accounts.lively.calls('incoming'))
    expect(filesOf(slack, admin)).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not sent twice where it was just being sent, and says that', { timeout: 180_000 }, async () => {
    const { slack, admin, killAndReplace } = await startExport((scene) =>
      scene.slack.failNext('files.completeUploadExternal', { delayMs: 2000 }),
    )
    await expect.poll(() => slack.callsTo('files.completeUploadExternal').length, { timeout: 20_000 }).toBe(1)
    await killAndReplace()
    await direct(slack, admin, "Slack didn't confirm that the file arrived", 60_000)
    await expect.poll(() => filesOf(slack, admin).length, { timeout: 10_000 }).toBe(1)
    expect(slack.callsTo('files.completeUploadExternal')).toHaveLength(1)
    expect(await admin.command('/billing audit')).toShow('not confirmed by Slack')
  })
}
