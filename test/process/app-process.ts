import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { freePort } from '../../dev/listen.ts'
import { programEnv } from '../../dev/program-env.ts'
import { askShared } from '../support/shared/ask.ts'

export interface ProcessOptions {
  readonly nodeArguments?: readonly string[]
  /** `build`, or the sources. */
  readonly program?: string | undefined
}

/** The app as `npm start` runs it: its sources, or, with `--mode build` and where a test wants it, what is made of them. */
export class AppProcess {
  readonly url: string
  /** Everything it wrote so far. */
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

  /** On a free port, with this environment alone. */
  static async start(
    env: Readonly<Record<string, string>>,
    { nodeArguments = [], program = process.env['PROGRAM'] }: ProcessOptions = {},
  ): Promise<AppProcess> {
    const main = program === 'build' ? await askShared('build') : 'src/main.ts'
    return new AppProcess(await freePort(), env, [...nodeArguments, main])
  }

  /** Resolves once it listens; rejects where it ends instead. */
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

/** Returns all lines of the log, except about a database that was slow to connect, as on a busy machine. */
export const unexpectedLines = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line !== '' && !line.includes('due to connection timeout'))
