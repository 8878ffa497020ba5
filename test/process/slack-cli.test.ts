import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../dev/listen.ts'
import { programEnv } from '../../dev/program-env.ts'
import { type Slack, startSlack } from '../../dev/slack/slack.ts'
import { type SocketBridge, startSocketBridge } from '../support/socket-bridge.ts'
import { ENCRYPTION_KEYS } from './app-process.ts'

const { hooks, config } = JSON.parse(readFileSync('.slack/hooks.json', 'utf8'))

let folder: string
let slack: Slack
let bridge: SocketBridge
let child: ChildProcess | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callboard-cli-'))
  slack = await startSlack()
  bridge = await startSocketBridge()
  slack.socketUrl = bridge.socketUrl
  slack.appUrl = bridge.url
})

afterEach(async () => {
  end('SIGKILL')
  await bridge.close()
  await slack.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Ends the shell and its children, like Ctrl+C in a terminal. */
function end(signal: NodeJS.Signals): void {
  if (child?.pid !== undefined && child.stdout?.closed === false) process.kill(-child.pid, signal)
}

/** Runs a hook like Slack's command line: in a shell, with extra arguments at the end. */
function run(hook: string, env: Record<string, string>): { output: () => string; exited: Promise<unknown> } {
  let output = ''
  child = spawn('sh', ['-c', hook], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  child.stdout?.on('data', (chunk) => {
    output += String(chunk)
  })
  return { output: () => output, exited: new Promise((resolve) => child?.once('close', resolve)) }
}

it('prints the manifest for Socket Mode as JSON only', async () => {
  const { output, exited } = run(`${hooks['get-manifest']} --source=${folder}`, programEnv(0, {}))
  expect(await exited).toBe(0)
  const manifest = JSON.parse(output())
  expect(manifest.display_information.name).toBe('Callboard')
  expect(manifest.settings.socket_mode_enabled).toBe(true)
})

it('starts Callboard in Socket Mode with its tokens, and ends it with an interrupt', async () => {
  expect(config['sdk-managed-connection-enabled']).toBe(true)
  const port = await freePort()
  const { output, exited } = run(
    hooks.start,
    programEnv(port, {
      SLACK_APP_TOKEN: 'xapp-1-stand-in',
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: 'http://127.0.0.1:9/api/v1',
      STORE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      ENCRYPTION_KEYS,
    }),
  )
  await expect.poll(output, { timeout: 15_000 }).toContain('Callboard listens')
  await expect.poll(bridge.connections, { timeout: 8000 }).toBe(1)
  expect(await slack.as(slack.people.member).command('/callboard')).toShow(
    'Callboard shows your phone account',
  )
  end('SIGINT')
  await exited
  expect(output()).toContain('stopped')
})
