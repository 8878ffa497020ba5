import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../../src/store/store.ts'
import type { TenantKey } from '../../../src/store/tenant.ts'
import type { Milliseconds } from '../../../src/util/units.ts'
import { startPostgres } from '../../postgres.ts'
import type { Mode } from '../account-service.ts'
import { startAccountService } from '../bench.ts'
import { type MeasuredProcess, startProcess } from '../process.ts'
import { type Inbox, SlackStub } from '../slack-stub.ts'
import { appEnv, connectWorkspaces } from '../workspaces.ts'

interface Fault {
  /** In shares of the whole time. */
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

/** What the load is put on. */
export interface Stage {
  readonly slack: SlackStub
  readonly service: MeasuredProcess
  readonly apps: AppProcesses
  readonly databaseUrl: string
}

export interface StageOptions {
  readonly inbox: Inbox
  readonly workspaces: number
  readonly answers?: 'missed'
  readonly databaseSettings?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** More of each workspace's. */
  readonly fill?: (store: Store, n: number, tenant: TenantKey) => Promise<void>
  /** Between the filled database and the start of the apps. */
  readonly prepare?: (databaseUrl: string) => Promise<void>
}

/** Two processes of the app over PostgreSQL, their service, and Slack: they are there while it works. */
export async function onStage<T>(options: StageOptions, work: (stage: Stage) => Promise<T>): Promise<T> {
  const postgres = await startPostgres(undefined, options.databaseSettings)
  const slack = await new SlackStub({ inbox: options.inbox }).start()
  const { answers } = options
  const service = await startAccountService(answers ? { ANSWERS: answers, ANSWER_MS: '20' } : {})
  const accountOf = (n: number) => ({ key: `key-${n}`, secret: 's' })
  await connectWorkspaces(postgres.url, options.workspaces, accountOf, { fill: options.fill })
  await options.prepare?.(postgres.url)
  const apps = new AppProcesses({ ...appEnv(slack, service.url, postgres.url), ...options.env })
  try {
    return await work({ slack, service, apps: await apps.start(), databaseUrl: postgres.url })
  } finally {
    await apps.stop()
    await service.stop()
    await slack.close()
    await postgres.stop()
  }
}

/** Lets time pass in which things go wrong and are well again. */
export async function throughFaults(
  { apps, service }: Stage,
  seconds: number,
  doings: {
    /** What is due by now, many times a second. @param elapsed in seconds */
    readonly work: (elapsed: number) => void | Promise<void>
    readonly onFault?: (name: string, mode: Mode | undefined) => Promise<void>
    /** Nothing goes wrong. */
    readonly isCalm?: boolean
  },
): Promise<void> {
  const restarts: Promise<void>[] = []
  const faults = doings.isCalm ? [] : [...plan]
  const start = performance.now()
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (let next = faults[0]; next && next.at <= elapsed / seconds; next = faults[0]) {
      faults.shift()
      const { mode, restart } = next
      const name = mode ?? `restart, ${restart?.[1]}`
      process.stderr.write(`  ${name}, after ${elapsed.toFixed(0)} of ${seconds} s\n`)
      await doings.onFault?.(name, mode)
      if (mode) service.send(mode)
      if (restart) restarts.push(apps.restart(...restart, seconds * 30))
    }
    await doings.work(elapsed)
    await sleep(5)
  }
  await Promise.all(restarts)
}

/** Two processes of the app, of which one may be gone for a while. */
class AppProcesses {
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

  /** Resident, as text. */
  async memory(): Promise<string> {
    const all = await Promise.all(this.up.map((app) => app.usage('collect')))
    return all.map(({ rssMb }) => `${rssMb.toFixed(0)} MB`).join(' and ')
  }

  async stop(): Promise<void> {
    await Promise.all(this.up.map((app) => app.stop()))
  }

  async #startOne(): Promise<MeasuredProcess> {
    const app = await startProcess(fileURLToPath(new URL('../../../src/main.ts', import.meta.url)), this.#env)
    for (;;) {
      const response = await fetch(`${app.url}/readyz`).catch(() => undefined)
      if (response?.ok) return app
      await sleep(50)
    }
  }
}
