import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'
import { policy } from './jobs.ts'
import type { PgBossQueue } from './pg-boss-queue.ts'

const dueRows = z.array(z.object({ name: z.string() }))

/**
 * Looks for jobs that are due in all queues with one statement, and fetches from those alone that have some: `work` of
 * pg-boss asks for each queue, as often as it may run jobs at a time.
 */
export class PgBossPoll {
  readonly #boss
  readonly #dueQuery
  readonly #log
  readonly #queues = new Map<string, PgBossQueue>()
  readonly #polling
  readonly #beating
  #isStopped = false
  #underWay: Promise<void> | undefined
  #isWoken = false

  constructor({
    boss,
    schema,
    log,
    pollEveryMs,
  }: {
    boss: PgBoss
    schema: string
    log: Pick<Log, 'warn' | 'error'>
    pollEveryMs: Milliseconds
  }) {
    this.#boss = boss
    this.#log = log
    // With pg-boss's own conditions, for which it has an index.
    this.#dueQuery = `SELECT name FROM unnest($1::text[]) AS names (name) WHERE EXISTS (SELECT 1 FROM ${schema}.job
      WHERE job.name = names.name AND state < 'active' AND NOT blocked AND start_after <= now())`
    this.#polling = setInterval(() => this.#wake(), pollEveryMs).unref()
    this.#beating = setInterval(() => {
      for (const queue of this.#queues.values()) void queue.beat()
    }, policy.leaseMs / 3).unref()
  }

  get underWay(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.underWay, 0)
  }

  add(queue: PgBossQueue): void {
    queue.onRoom = () => this.#wake()
    this.#queues.set(queue.name, queue)
    this.#wake()
  }

  /** Looks at once, for what was just enqueued, where the queue is worked on in this process. */
  wake(name: string): void {
    if (this.#queues.has(name)) this.#wake()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#polling)
    await this.#underWay
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()))
    clearInterval(this.#beating)
  }

  #wake(): void {
    this.#isWoken = true
    if (this.#isStopped) return
    this.#underWay ??= this.#pollWhileWoken().finally(() => {
      this.#underWay = undefined
    })
  }

  async #pollWhileWoken(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      try {
        await this.#fetchDue()
      } catch (error) {
        this.#log.error({ err: error }, 'jobs were not read')
      }
    }
  }

  async #fetchDue(): Promise<void> {
    const names = [...this.#queues.values()].filter(({ room }) => room > 0).map(({ name }) => name)
    if (names.length === 0) return
    const { rows } = await this.#boss.getDb().executeSql(this.#dueQuery, [names])
    await Promise.all(dueRows.parse(rows).map(({ name }) => this.#queues.get(name)?.fetch()))
  }
}
