import type { MeasuredProcess } from '../../measured-process.ts'
import type { AppProcesses } from '../app-processes.ts'
import type { Channels } from './channels.ts'
import type { DatabaseFigures } from './database.ts'
import type { MissedCalls } from './missed.ts'
import type { ProcessUse } from './usage.ts'

export interface WatchSizes {
  readonly workspaces: number
  /** How many of them have an alert. */
  readonly watched: number
  readonly everySeconds: number
  readonly seconds: number
  readonly missedPerSecond: number
  /** Nothing goes wrong. */
  readonly isCalm: boolean
}

/** What takes part. */
export interface Parts {
  readonly sizes: WatchSizes
  readonly apps: AppProcesses
  readonly service: MeasuredProcess
  readonly channels: Channels
  readonly calls: MissedCalls
  readonly database: DatabaseFigures
  readonly use: ProcessUse
}

/** What happens in a stretch of time, a second. */
export class Stretch {
  readonly #parts
  #requests = 0
  #statements = 0
  #databaseMs = 0
  #from = performance.now()
  #connections = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async begin(): Promise<void> {
    const { service, database, use, apps } = this.#parts
    use.take()
    await use.look(apps.up)
    const [{ requests }, { calls, ms }] = await Promise.all([service.count(), database.totals()])
    this.#requests = requests
    this.#statements = calls
    this.#databaseMs = ms
    this.#from = performance.now()
  }

  async look(): Promise<void> {
    const { use, apps, database } = this.#parts
    await use.look(apps.up)
    this.#connections = Math.max(this.#connections, (await database.totals()).connections)
  }

  async end(): Promise<string> {
    await this.look()
    const { service, database, use } = this.#parts
    const [{ requests }, { calls, ms }] = await Promise.all([service.count(), database.totals()])
    const seconds = (performance.now() - this.#from) / 1000
    const perSecond = (count: number) => (count / seconds).toFixed(1)
    return [
      `${perSecond(requests - this.#requests)} requests a second to the service`,
      `${perSecond(calls - this.#statements)} statements a second in ${perSecond(ms - this.#databaseMs)} ms`,
      `${this.#connections} connections`,
      use.take(),
    ].join('; ')
  }
}
