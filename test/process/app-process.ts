import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from '../../dev/listen.ts'
import { programEnv } from '../support/program-env.ts'

export interface AppProcess {
  readonly child: ChildProcess
  readonly url: string
  /** Everything it wrote so far. */
  readonly output: () => string
  readonly exited: Promise<number | null>
}

/** Starts `src/main.ts` as `npm start` does, with this environment alone. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  nodeArguments: readonly string[] = [],
): Promise<AppProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [...nodeArguments, 'src/main.ts'], {
    env: programEnv(port, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, url: `http://127.0.0.1:${port}`, output: () => output, exited }
}

/** Resolves once the app listens; rejects where it ends instead. */
export async function listening(app: AppProcess): Promise<void> {
  const ended = app.exited.then((code) => `ended with ${code}`)
  while (!app.output().includes('Callboard listens')) {
    const first = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
    if (first !== undefined) throw new Error(`${String(first)}: ${app.output()}`)
  }
}
