import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { z } from 'zod'
import { programEnv } from '../../test/support/program-env.ts'
import { freePort } from '../listen.ts'

const usage = z.object({ cpuMs: z.number(), heapMb: z.number(), rssMb: z.number() })

/** A process under measurement, on a port of its own. */
export interface Measured {
  readonly url: string
  /** From the start of the process to its first accepted connection. */
  readonly startMs: number
  usage(word?: 'collect'): Promise<z.infer<typeof usage>>
  /** With SIGKILL unless told otherwise; resolves once it is gone. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Tells the program something over IPC. */
  tell(word: string): void
}

const probe = new URL('probe.ts', import.meta.url).href

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  }).then((isUp) => isUp === true)
}

async function untilAccepting(child: ChildProcess, port: number, errors: () => string): Promise<void> {
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`a process ended with ${child.exitCode}: ${errors()}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Starts a program with `PORT` and `HOST` of loopback. Its output goes nowhere, but for what it says on its way out. */
export async function start(program: string, env: Readonly<Record<string, string>>): Promise<Measured> {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, program], {
    env: programEnv(port, env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors = (errors + String(chunk)).slice(-2000)
  })
  await untilAccepting(child, port, () => errors)
  const startMs = performance.now() - begun
  return {
    url: `http://127.0.0.1:${port}`,
    startMs,
    usage: (word) =>
      new Promise((resolve) => {
        child.once('message', (told) => resolve(usage.parse(told)))
        child.send(word ?? 'usage')
      }),
    tell: (word) => void child.send(word),
    stop: (signal = 'SIGKILL') =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill(signal)
      }),
  }
}
