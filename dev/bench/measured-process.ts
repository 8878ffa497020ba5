import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Milliseconds } from '../../src/util/units.ts'
import { freePort } from '../listen.ts'
import { programEnv } from '../program-env.ts'

const usageSchema = z.object({
  cpuMs: z.number(),
  /** After a collection where `collect` was asked for. */
  heapMb: z.number(),
  rssMb: z.number(),
  /** Longest block of the event loop since the last question. */
  blockMs: z.number(),
})
export type Usage = z.infer<typeof usageSchema>

/** `accounts`: how many different ones it was asked for, of a service that counts them. */
const countSchema = z.object({ requests: z.number(), accounts: z.number().default(0) })

/** What of V8's CPU profile is read. @see https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
const cpuProfile = z.looseObject({
  nodes: z.array(
    z.looseObject({
      id: z.number(),
      callFrame: z.looseObject({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
export type CpuProfile = z.infer<typeof cpuProfile>

const probe = new URL('probe.mjs', import.meta.url).href

/** A process under measurement, on a port of its own. */
export class MeasuredProcess {
  readonly url: string
  /** From the start of the process to its first accepted connection. */
  readonly startMs: Milliseconds
  readonly #child: ChildProcess
  readonly #lastErrors: () => string

  /** @param lastErrors what it said last on its standard error */
  constructor(child: ChildProcess, port: number, startMs: Milliseconds, lastErrors: () => string) {
    this.#lastErrors = lastErrors
    this.url = `http://127.0.0.1:${port}`
    this.startMs = startMs
    this.#child = child
  }

  usage(command: 'usage' | 'collect' = 'usage'): Promise<Usage> {
    return this.ask(command, usageSchema)
  }

  count(): Promise<z.infer<typeof countSchema>> {
    return this.ask('count', countSchema)
  }

  async startProfile(): Promise<void> {
    await this.ask('profile', z.literal('profiling'))
  }

  endProfile(): Promise<CpuProfile> {
    return this.ask('profile-end', cpuProfile)
  }

  /** Sends a question over IPC, of which there is one at a time. @throws where the process ends before it answers */
  async ask<T extends z.ZodType>(question: string, schema: T): Promise<z.infer<T>> {
    this.#assertRuns()
    const waiting = new AbortController()
    const { signal } = waiting
    const end = once(this.#child, 'exit', { signal }).then(() => {
      throw new Error(`the process ended before it had answered ${question}`)
    })
    const reply = once(this.#child, 'message', { signal })
    // Where it ends meanwhile, its end is what is heard of.
    this.#child.send(question, () => {})
    const [answer] = await Promise.race([reply, end]).finally(() => waiting.abort())
    return schema.parse(answer)
  }

  send(message: string): void {
    this.#child.send(message)
  }

  /** Resolves once it is gone. @throws where it has ended by itself: what it was measured at is not to be trusted */
  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#assertRuns()
    const exit = once(this.#child, 'exit')
    this.#child.kill(signal)
    await exit
  }

  /** Its end is heard of once: whoever waited for it afterwards would wait for ever. */
  #assertRuns(): void {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null)
      throw new Error(`a process ended by itself with ${exitCode ?? signalCode}: ${this.#lastErrors()}`)
  }
}

/** Starts a program with `PORT` and `HOST` of loopback. Its output goes nowhere, but for what it says on its way out. */
export async function startProcess(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<MeasuredProcess> {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, program], {
    env: programEnv(port, env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors = (errors + String(chunk)).slice(-2000)
  })
  while (!(await isAccepting(port))) {
    if (child.exitCode !== null) throw new Error(`a process ended with ${child.exitCode}: ${errors}`)
    await sleep(2)
  }
  return new MeasuredProcess(child, port, performance.now() - start, () => errors)
}

function isAccepting(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })
}
