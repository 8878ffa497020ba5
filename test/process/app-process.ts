import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { freePort } from '../../dev/listen.ts'
import { programEnv } from '../../dev/program-env.ts'
import { createSandbox } from '../../dev/service/app.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import { type Actor, startSlack } from '../../dev/slack/slack.ts'
import { askShared } from '../support/shared/ask.ts'
import '../support/shown.ts'

export const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`

/** Starts Slack and the phone service for a process of the app, and creates a folder for its store. */
export async function startSurroundings(calls: number, slackOptions: Parameters<typeof startSlack>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-process-'))
  const slack = await startSlack(slackOptions)
  const sandbox = createSandbox({ calls })
  const served = await serveSandbox(sandbox)
  return {
    folder,
    slack,
    sandbox,
    env: {
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      TELEPHONY_BASE_URL: served.baseUrl,
      STORE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      ENCRYPTION_KEYS,
    },
    /** Connects the workspace to the lively account. */
    async connect(): Promise<Actor> {
      const admin = slack.as(slack.people.admin)
      const { key, secret } = sandbox.accounts.lively
      const modal = await admin.submit(await admin.open('/calls connect'), { key, secret })
      await admin.sees(modal, 'Connected')
      return admin
    },
    async close(): Promise<void> {
      await slack.close()
      await served.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

export interface ProcessOptions {
  readonly nodeArguments?: readonly string[]
  readonly program?: 'build' | 'sources' | undefined
}

/** Runs the app like `npm start`: from the build, or from its sources with `--mode long`. */
export class AppProcess {
  readonly url: string
  /** Output so far. */
  output = ''
  readonly exited: Promise<number | null>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>

  constructor(port: number, env: Readonly<Record<string, string>>, program: readonly string[]) {
    this.url = `http://127.0.0.1:${port}`
    this.#child = spawn(process.execPath, program, {
      env: programEnv(port, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk) => {
        this.output += String(chunk)
      })
    this.exited = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Starts it on a free port, with only this environment. */
  static async start(
    env: Readonly<Record<string, string>>,
    { nodeArguments = [], program }: ProcessOptions = {},
  ): Promise<AppProcess> {
    const main = (program ?? process.env['PROGRAM']) === 'build' ? await askShared('build') : 'src/main.ts'
    return new AppProcess(await freePort(), env, [...nodeArguments, main])
  }

  /** Resolves once it listens; rejects if it ends before. */
  listening(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => this.output.includes('Callboard listens') && resolve()
      this.#child.stdout.on('data', look)
      this.exited.then((code) => reject(new Error(`ended with ${code}: ${this.output}`)))
      look()
    })
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }
}

/** Returns the log, except lines about slow answers of the database and of Slack, which a busy machine causes. */
export const unexpectedLines = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter(
      (line) =>
        line !== '' && !/due to (connection )?timeout|Slack can't be reached|the time is over/.test(line),
    )
