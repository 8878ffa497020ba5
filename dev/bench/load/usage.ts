import { timedOut, withTimeout } from '../../../src/util/promises.ts'
import type { Fleet } from './fleet.ts'

/** A killed process never answers. */
const ANSWER_TIMEOUT_MS = 3000

/** Measures the apps and the requests to the service between faults. */
export class Usage {
  readonly #fleet: Fleet
  #before: Awaited<ReturnType<Usage['read']>> | undefined
  /** One line for each finished period. */
  readonly lines: string[] = []

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  async begin(): Promise<void> {
    this.#before = await this.read()
  }

  async end(name: string): Promise<void> {
    const [before, now] = [this.#before, await this.read()]
    if (!before) return
    const seconds = (now.at - before.at) / 1000
    const apps = [...now.apps].flatMap(([url, { cpuMs, rssMb }]) => {
      const earlier = before.apps.get(url)
      if (!earlier) return []
      const core = ((cpuMs - earlier.cpuMs) / seconds / 10).toFixed(0)
      return [`${core} % of a core, ${rssMb.toFixed(0)} MB`]
    })
    const requests = ((now.requests - before.requests) / seconds).toFixed(1)
    const used = [`${requests} requests a second to the service`, ...apps]
    this.lines.push(`${name.padEnd(26)}${used.join('; ')}`)
  }

  async read() {
    const { service, up } = this.#fleet
    const usages = await Promise.all(
      up.map(async (app) => {
        const usage = await withTimeout(app.usage(), ANSWER_TIMEOUT_MS).catch((): typeof timedOut => timedOut)
        return usage === timedOut ? [] : [[app.url, usage] as const]
      }),
    )
    const { requests } = await service.count()
    return { at: performance.now(), requests, apps: new Map(usages.flat()) }
  }
}
