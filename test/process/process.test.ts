import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { type ServedSandbox, serveSandbox } from '../../dev/service/serve.ts'
import { type Slack, startSlack } from '../../dev/slack/slack.ts'
import { leakedSipSecrets } from '../support/sip-secrets.ts'
import { type AppProcess, listening, startProcess } from './app-process.ts'

let folder: string
let slack: Slack
let sandbox: Sandbox
let served: ServedSandbox
const started: AppProcess[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callboard-process-'))
  slack = await startSlack()
  sandbox = createSandbox({ calls: 40 })
  served = await serveSandbox(sandbox)
})

afterEach(async () => {
  const leaked = leakedSipSecrets(
    slack,
    sandbox,
    started.map(({ output }) => output()),
  )
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  await slack.close()
  await served.close()
  rmSync(folder, { recursive: true, force: true })
  expect(leaked).toEqual([])
})

async function start(env: Record<string, string> = {}, nodeArguments: string[] = []): Promise<AppProcess> {
  const app = await startProcess(
    {
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: served.baseUrl,
      STORE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...env,
    },
    nodeArguments,
  )
  started.push(app)
  return app
}

it('names every bad variable at once, prints no value, and ends with 1', async () => {
  const app = await start({ SLACK_BOT_TOKEN: '', ENCRYPTION_KEYS: 'k1:c2hvcnQ=', PORT: 'eighty' })
  expect(await app.exited).toBe(1)
  for (const name of ['SLACK_BOT_TOKEN', 'ENCRYPTION_KEYS', 'PORT']) expect(app.output()).toContain(name)
  for (const value of ['c2hvcnQ', 'eighty']) expect(app.output()).not.toContain(value)
})

it('answers GET and HEAD on its health routes alike', async () => {
  const app = await start()
  await listening(app)
  for (const [path, text] of [
    ['/healthz', 'ok\n'],
    ['/readyz', 'ready\n'],
  ] as const) {
    const [got, head] = [await fetch(app.url + path), await fetch(app.url + path, { method: 'HEAD' })]
    expect([got.status, await got.text()]).toEqual([200, text])
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
  expect((await fetch(`${app.url}/healthz`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${app.url}//`)).status).toBe(404)
  expect((await fetch(`${app.url}/nowhere`)).status).toBe(404)
})

it('finishes on SIGTERM what it has acknowledged, says no to /readyz, and ends with 0', async () => {
  const app = await start()
  await listening(app)
  const view = await (
    await slack.command(app.url, { command: '/calls', text: 'connect', user: slack.people.admin })
  ).waitForView()
  const { key, secret } = sandbox.accounts.lively
  await slack.submit(app.url, { view, values: { key, secret }, user: slack.people.admin })
  sandbox.faults.next({ kind: 'delay', ms: 3000 }, { operation: 'incoming' })
  const asked = await slack.command(app.url, { command: '/calls', text: '' })
  expect(asked.ackBody).toBeFalsy()
  app.child.kill('SIGTERM')
  expect((await asked.waitForMessage()).blocks.some(({ type }) => type === 'table')).toBe(true)
  expect(await app.exited).toBe(0)
  expect(app.output()).toContain('"msg":"stopped"')
  await expect(fetch(`${app.url}/readyz`)).rejects.toThrow('fetch failed')
})

it('logs an unhandled rejection and ends with 1', async () => {
  const later = "data:text/javascript,setTimeout(() => Promise.reject(new Error('forgotten')), 1500)"
  const app = await start({}, ['--import', later])
  await listening(app)
  expect(await app.exited).toBe(1)
  expect(app.output()).toContain('unhandled rejection')
  expect(app.output()).toContain('forgotten')
})

it('ends with 1 and says why where its port is taken', async () => {
  const first = await start()
  await listening(first)
  const second = await start({ PORT: new URL(first.url).port })
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain('EADDRINUSE')
})

it('has no /metrics without a token', async () => {
  const app = await start()
  await listening(app)
  expect((await fetch(`${app.url}/metrics`)).status).toBe(404)
})
