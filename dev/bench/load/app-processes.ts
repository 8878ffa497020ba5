import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Milliseconds } from '../../../src/util/units.ts'
import { type MeasuredProcess, startProcess } from '../measured-process.ts'

const program = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

/** Two processes of the app, of which one may be gone for a while. */
export class AppProcesses {
  readonly #env: Readonly<Record<string, string>>
  readonly #processes: (MeasuredProcess | undefined)[] = []
  readonly #killed = new Set<string>()

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env
  }

  async start(): Promise<this> {
    this.#processes.push(...(await Promise.all([this.#startOne(), this.#startOne()])))
    return this
  }

  /** Those that take requests now, as a load balancer knows from `/readyz` and refused connections. */
  get up(): readonly MeasuredProcess[] {
    return this.#processes.filter((app) => app !== undefined)
  }

  /** Ends one, at once or in good order, and starts it again. */
  async restart(index: 0 | 1, signal: 'SIGKILL' | 'SIGTERM', downMs: Milliseconds): Promise<void> {
    const app = this.#processes[index]
    // A load balancer sends nothing more to one that is stopping; a killed one is noticed by its refused connections.
    if (signal === 'SIGTERM') this.#processes[index] = undefined
    // Windows has no signals: whichever it is sent, a process is ended at once.
    if (app && (signal === 'SIGKILL' || process.platform === 'win32')) this.#killed.add(app.url)
    await app?.stop(signal)
    this.#processes[index] = undefined
    await sleep(downMs)
    this.#processes[index] = await this.#startOne()
  }

  /** Whether the process at this address was ended by SIGKILL. */
  wasKilled(url: string): boolean {
    return this.#killed.has(url)
  }

  /** MB resident. */
  memory(): Promise<readonly number[]> {
    return Promise.all(this.up.map(async (app) => (await app.usage('collect')).rssMb))
  }

  async stop(): Promise<void> {
    await Promise.all(this.up.map((app) => app.stop()))
  }

  async #startOne(): Promise<MeasuredProcess> {
    const app = await startProcess(program, this.#env)
    for (;;) {
      const response = await fetch(`${app.url}/readyz`).catch(() => undefined)
      if (response?.ok) return app
      await sleep(50)
    }
  }
}
