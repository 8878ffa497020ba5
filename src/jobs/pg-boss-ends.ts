import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as BossJob, PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Milliseconds } from '../util/units.ts'

/** What ends within it is kept together. */
const keepAfterMs: Milliseconds = 50

type Database = ReturnType<PgBoss['getDb']>

export interface Ended {
  readonly job: BossJob
  readonly again: Date | undefined
}

/** The ids that a call of pg-boss has found as this process holds them: neither deleted nor another one's by now. */
export const settledIds = (response: unknown): ReadonlySet<string> => new Set(settled.parse(response).settled)
const settled = z.object({ settled: z.array(z.string()) })

/** Keeps how the jobs of one queue ended, many at a time. */
export class PgBossEnds {
  readonly #boss
  readonly #queue
  #batch: Ended[] = []
  #keeping: Promise<void> | undefined

  constructor(boss: PgBoss, queue: string) {
    this.#boss = boss
    this.#queue = queue
  }

  /** Resolved once it is kept. */
  keep(ended: Ended): Promise<void> {
    this.#batch.push(ended)
    this.#keeping ??= sleep(keepAfterMs).then(() => {
      const batch = this.#batch
      this.#batch = []
      this.#keeping = undefined
      return this.#keepAll(batch)
    })
    return this.#keeping
  }

  /** Rows of what is over would pile up: they are deleted rather than completed. */
  async #keepAll(batch: readonly Ended[]): Promise<void> {
    if (batch.every(({ again }) => again === undefined)) {
      await this.#delete(batch)
      return
    }
    // What runs again is a new row of the same id, so that its tries count anew.
    const transaction = await this.#boss.getDb().beginTransaction?.()
    if (!transaction) throw new Error('pg-boss has no transactions on this database')
    try {
      const { db } = transaction
      const ours = await this.#delete(batch, { db })
      const next = batch.flatMap(({ job: { id, data }, again }) =>
        again && ours.has(id) ? [{ id, data, startAfter: again }] : [],
      )
      if (next.length > 0) await this.#boss.insert(this.#queue, next, { db })
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }

  async #delete(batch: readonly Ended[], options: { db?: Database } = {}): Promise<ReadonlySet<string>> {
    const jobs = batch.map(({ job }) => job)
    return settledIds(await this.#boss.deleteJob(this.#queue, jobs, options))
  }
}
