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
  heapMb: z.number(),
  rssMb: z.number(),
})
type ProcessUsage = z.infer<typeof usageSchema>

/** `accounts`: number of different keys in requests, if the service counts them. */
const countSchema = z.object({ requests: z.number(), accounts: z.number().default(0) })

const probe = new URL('probe.mjs', import.meta.url).href

/** A measured child process with a port. */
export class MeasuredProcess {
  readonly url: string
  /** Time from the start of the process to its first accepted connection. */
  readonly startMs: Milliseconds
  readonly #child: ChildProcess
  readonly #lastErrors: () => string

  constructor(child: ChildProcess, port: number, startMs: Milliseconds, lastErrors: () => string) {
    this.#lastErrors = lastErrors
    this.url = `http://127.0.0.1:${port}`
    this.startMs = startMs
    this.#child = child
  }

  /** @param command `collect` runs the garbage collector first */
  usage(command: 'usage' | 'collect' = 'usage'): Promise<ProcessUsage> {
    return this.#ask(command, usageSchema)
  }

  count(): Promise<z.infer<typeof countSchema>> {
    return this.#ask('count', countSchema)
  }

  /** Sends a question over IPC, one at a time. @throws if the process ends before it answers */
  async #ask<T extends z.ZodType>(question: string, schema: T): Promise<z.infer<T>> {
    this.#assertRuns()
    const waiting = new AbortController()
    const { signal } = waiting
    const end = once(this.#child, 'exit', { signal }).then(() => {
      throw new Error(`the process ended before it had answered ${question}`)
    })
    const reply = once(this.#child, 'message', { signal })
    // An error here means that the process ended, which `end` reports.
    this.#child.send(question, () => {})
    const [answer] = await Promise.race([reply, end]).finally(() => waiting.abort())
    return schema.parse(answer)
  }

  send(message: string): void {
    this.#child.send(message)
  }

  /** @throws if the process has ended by itself, because its figures are then unreliable */
  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#assertRuns()
    const exit = once(this.#child, 'exit')
    this.#child.kill(signal)
    await exit
  }

  #assertRuns(): void {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null)
      throw new Error(`a process ended by itself with ${exitCode ?? signalCode}: ${this.#lastErrors()}`)
  }
}

/** Starts a program with `PORT` and `HOST` of loopback. Shows its standard error only if it fails. */
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
