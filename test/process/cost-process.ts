import { expect } from 'vitest'
import { z } from 'zod'
import { AppProcess } from './app-process.ts'

const costs = z.object({
  /** Number of loaded source files. */
  modules: z.number(),
  /** Number of SQLite statements. */
  statements: z.number(),
  promises: z.number(),
  timers: z.number(),
})
export type Costs = z.infer<typeof costs>

const line = /^\{"costs".*$/gm

/** Runs the app with `cost-probe.ts`. */
export class CostProcess {
  readonly app: AppProcess
  #answers = 0

  constructor(app: AppProcess) {
    this.app = app
  }

  static async start(
    env: Readonly<Record<string, string>>,
    program?: 'build' | 'sources',
  ): Promise<CostProcess> {
    const nodeArguments = ['--import', new URL('cost-probe.ts', import.meta.url).href]
    const app = await AppProcess.start(env, { nodeArguments, program })
    await app.listening()
    return new CostProcess(app)
  }

  /** Returns the costs since the last call. */
  async spent(): Promise<Costs> {
    this.app.kill('SIGUSR2')
    const answers = () => this.app.output.match(line) ?? []
    await expect.poll(() => answers().length).toBe(this.#answers + 1)
    this.#answers += 1
    return costs.parse(JSON.parse(answers().at(-1) ?? '').costs)
  }

  /** Lines of the log, without those of the probe. */
  get lines(): number {
    return this.app.output.replaceAll(line, '').split('\n').filter(Boolean).length
  }
}
