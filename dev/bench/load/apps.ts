import { fileURLToPath } from 'node:url'
import { type Measured, start } from '../processes.ts'

/** Two processes of the app, of which one may be gone for a while. */
export interface Apps {
  /** Those that take requests now, as a load balancer knows from `/readyz` and refused connections. */
  readonly up: readonly Measured[]
  /** Ends one, at once or in good order, and starts it again. */
  restart(index: 0 | 1, how: 'SIGKILL' | 'SIGTERM', downMs: number): Promise<void>
  /** Whether the process at this address was ended by SIGKILL. */
  wasKilled(url: string): boolean
  /** MB resident. */
  memory(): Promise<readonly number[]>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

async function ready(app: Measured): Promise<Measured> {
  for (;;) {
    const response = await fetch(`${app.url}/readyz`).catch(() => undefined)
    if (response?.ok) return app
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export async function startApps(env: Readonly<Record<string, string>>): Promise<Apps> {
  const begin = async () => ready(await start(program, env))
  const apps: (Measured | undefined)[] = await Promise.all([begin(), begin()])
  const running = () => apps.filter((app) => app !== undefined)
  const killed = new Set<string>()
  return {
    wasKilled: (url) => killed.has(url),
    get up() {
      return running()
    },
    async restart(index, how, downMs) {
      const app = apps[index]
      // A load balancer sends nothing more to one that is stopping; a killed one is noticed by its refused connections.
      if (how === 'SIGTERM') apps[index] = undefined
      // Windows has no signals: whichever it is sent, a process is ended at once.
      if (app && (how === 'SIGKILL' || process.platform === 'win32')) killed.add(app.url)
      await app?.stop(how)
      apps[index] = undefined
      await new Promise((resolve) => setTimeout(resolve, downMs))
      apps[index] = await begin()
    },
    memory: () => Promise.all(running().map(async (app) => (await app.usage('collect')).rssMb)),
    async stop() {
      await Promise.all(running().map((app) => app.stop()))
    },
  }
}
