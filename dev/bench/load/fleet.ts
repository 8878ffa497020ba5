import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Milliseconds } from '../../../src/util/units.ts'
import { startPostgres } from '../../postgres.ts'
import type { Mode } from '../account-service.ts'
import { type MeasuredProcess, startProcess } from '../measured-process.ts'
import { SlackStub } from '../slack-stub.ts'
import { appEnv, connectWorkspaces } from '../workspaces.ts'

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

interface Fault {
  /** Share of the whole time. */
  readonly at: number
  readonly mode?: Mode
  readonly restart?: readonly [0 | 1, 'SIGKILL' | 'SIGTERM']
}

const plan: readonly Fault[] = [
  { at: 0.15, mode: 'slow' },
  { at: 0.3, mode: 'well' },
  { at: 0.35, restart: [0, 'SIGKILL'] },
  { at: 0.4, mode: 'failing' },
  { at: 0.55, mode: 'well' },
  { at: 0.65, mode: 'cut' },
  { at: 0.75, mode: 'well' },
  { at: 0.85, restart: [1, 'SIGTERM'] },
]
/** In less time, the circuit breaker wouldn't close again and a process wouldn't restart. */
export const MIN_SECONDS = 12

interface FleetOptions {
  readonly workspaces: number
  readonly service?: Readonly<Record<string, string>>
  readonly watched?: number
  readonly postMs?: Milliseconds
  readonly env?: Readonly<Record<string, string>>
  /** Runs after the database is filled, before the apps start. */
  readonly prepare?: (databaseUrl: string) => Promise<void>
}

/** Two processes of the app over PostgreSQL, their service and Slack. One process may be down for a while. */
export class Fleet {
  readonly slack: SlackStub
  readonly service: MeasuredProcess
  readonly databaseUrl: string
  readonly #env: Readonly<Record<string, string>>
  readonly #processes: (MeasuredProcess | undefined)[] = []
  readonly #killed = new Set<string>()

  private constructor(
    { slack, service, databaseUrl }: Pick<Fleet, 'slack' | 'service' | 'databaseUrl'>,
    env: Readonly<Record<string, string>>,
  ) {
    this.slack = slack
    this.service = service
    this.databaseUrl = databaseUrl
    this.#env = { ...appEnv(slack, service.url, databaseUrl), ...env }
  }

  /** Runs the work with a fleet, and stops the fleet afterwards. */
  static async with<T>(options: FleetOptions, work: (fleet: Fleet) => Promise<T>): Promise<T> {
    const { workspaces, watched = 0, service: answers = {}, postMs = 0, env = {} } = options
    const postgres = await startPostgres()
    const slack = await new SlackStub({ postMs }).start()
    const service = await startProcess(program('../account-service.ts'), answers)
    await connectWorkspaces(postgres.url, { count: workspaces, watched })
    await options.prepare?.(postgres.url)
    const fleet = new Fleet({ slack, service, databaseUrl: postgres.url }, env)
    try {
      fleet.#processes.push(...(await Promise.all([fleet.#startApp(), fleet.#startApp()])))
      // The first interactions load and compile code.
      for (const app of fleet.up)
        for (const kind of ['command', 'click'] as const)
          await slack.send(app.url, { kind, team: 0, page: 1 }).catch(() => {})
      return await work(fleet)
    } finally {
      await Promise.all(fleet.up.map((app) => app.stop()))
      await service.stop()
      await slack.close()
      await postgres.stop()
    }
  }

  async #startApp(): Promise<MeasuredProcess> {
    const app = await startProcess(program('../../../src/main.ts'), this.#env)
    for (;;) {
      const response = await fetch(`${app.url}/readyz`).catch(() => undefined)
      if (response?.ok) return app
      await sleep(50)
    }
  }

  /** Processes that accept requests, which a load balancer knows from `/readyz` and refused connections. */
  get up(): readonly MeasuredProcess[] {
    return this.#processes.filter((app) => app !== undefined)
  }

  wasKilled(url: string): boolean {
    return this.#killed.has(url)
  }

  /** Resident memory of each process, as text. */
  async memory(): Promise<string> {
    const all = await Promise.all(this.up.map((app) => app.usage('collect')))
    return all.map(({ rssMb }) => `${rssMb.toFixed(0)} MB`).join(' and ')
  }

  /** Runs for some time, with every fault of the plan unless `isCalm`. */
  async throughFaults(
    seconds: number,
    options: {
      /** Called many times a second. @param elapsed in seconds */
      readonly work: (elapsed: number) => void | Promise<void>
      readonly onFault?: (name: string, mode: Mode | undefined) => Promise<void>
      readonly isCalm?: boolean
    },
  ): Promise<void> {
    const restarts: Promise<void>[] = []
    const faults = options.isCalm ? [] : [...plan]
    const start = performance.now()
    for (let elapsed = 0; elapsed < seconds || faults.length > 0; ) {
      for (let next = faults[0]; next && next.at <= elapsed / seconds; next = faults[0]) {
        faults.shift()
        const { mode, restart } = next
        const name = mode ?? `restart, ${restart?.[1]}`
        process.stderr.write(`  ${name}, after ${elapsed.toFixed(0)} of ${seconds} s\n`)
        await options.onFault?.(name, mode)
        if (mode) this.service.send(mode)
        if (restart) restarts.push(this.#restart(...restart, seconds * 30))
      }
      await options.work(elapsed)
      await sleep(5)
      elapsed = (performance.now() - start) / 1000
    }
    await Promise.all(restarts)
  }

  /** Stops a process and starts it again. */
  async #restart(index: 0 | 1, signal: 'SIGKILL' | 'SIGTERM', downMs: Milliseconds): Promise<void> {
    const app = this.#processes[index]
    // A load balancer stops sending to a stopping process; it notices a killed one by its refused connections.
    if (signal === 'SIGTERM') this.#processes[index] = undefined
    // Windows has no signals: a process always ends at once.
    if (app && (signal === 'SIGKILL' || process.platform === 'win32')) this.#killed.add(app.url)
    await app?.stop(signal)
    this.#processes[index] = undefined
    await sleep(downMs)
    this.#processes[index] = await this.#startApp()
  }
}
