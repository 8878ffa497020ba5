import type { Job as BossJob, PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import { InFlight } from '../util/in-flight.ts'
import { isUseless, type JobHandler, policy, type WorkOptions } from './jobs.ts'
import { PgBossEnds, settledIds } from './pg-boss-ends.ts'
import { fromBossData } from './pg-boss-job.ts'

interface Held {
  readonly job: BossJob
  readonly lost: AbortController
}

/** What this process works on of one queue: many jobs share each statement. */
export class PgBossQueue {
  readonly name
  /** Called where there is room for more, of a queue that had more. */
  onRoom: () => void = () => {}
  readonly #services
  readonly #concurrency
  readonly #ends
  /** By pg-boss's ids, until it is kept how they ended. */
  readonly #held = new Map<string, Held>()
  readonly #underWay = new InFlight()
  #hasMore = false

  constructor({
    name,
    concurrency = policy.concurrency,
    ...services
  }: {
    boss: PgBoss
    name: string
    handle: JobHandler
    log: Pick<Log, 'info' | 'error'>
    stopping: AbortSignal
  } & WorkOptions) {
    this.name = name
    this.#concurrency = concurrency
    this.#services = services
    this.#ends = new PgBossEnds(services.boss, name)
  }

  get underWay(): number {
    return this.#held.size
  }

  get room(): number {
    return this.#concurrency - this.#held.size
  }

  /** Begins as many as there is room for. */
  async fetch(): Promise<void> {
    const { room } = this
    const jobs = await this.#services.boss.fetch<object>(this.name, { batchSize: room })
    this.#hasMore = jobs.length === room
    for (const job of jobs) {
      const lost = new AbortController()
      this.#held.set(job.id, { job, lost })
      this.#underWay.add(this.#run(job, lost.signal))
    }
  }

  /** Says that this process still works on what it has, and tells those whose job is another one's by now. */
  async beat(): Promise<void> {
    const held = [...this.#held.values()]
    if (held.length === 0) return
    const { boss, log } = this.#services
    const jobs = held.map(({ job }) => job)
    try {
      const ours = settledIds(await boss.touch(this.name, jobs))
      for (const { job, lost } of held)
        if (!ours.has(job.id)) lost.abort(new Error('the job is not this process’s any more'))
    } catch (error) {
      log.error({ err: error, queue: this.name }, 'the leases of jobs were not renewed')
    }
  }

  /** Waits for those under way, and gives back those that go on: they run again. */
  async stop(): Promise<void> {
    await this.#underWay.settled(policy.stopMs)
    const left = [...this.#held.values()].map(({ job }) => job)
    if (left.length > 0) await this.#fail(left, new Error('the process stopped'))
  }

  async #run(job: BossJob, lost: AbortSignal): Promise<void> {
    const { log, stopping } = this.#services
    try {
      const again = await this.#handle(job, AbortSignal.any([stopping, lost]))
      await this.#ends.keep({ job, again }).catch((error: unknown) => {
        log.error({ err: error, queue: this.name }, 'the end of a job was not kept: it runs again')
      })
    } catch (error) {
      await this.#fail([job], error instanceof Error ? error : new Error('a job failed', { cause: error }))
    } finally {
      this.#held.delete(job.id)
      if (this.#hasMore) this.onRoom()
    }
  }

  /** @throws what the handler threw, where it is to be tried again */
  async #handle(bossJob: BossJob, ending: AbortSignal): Promise<Date | undefined> {
    const { handle, onGivenUp, log, stopping } = this.#services
    const queue = this.name
    const job = fromBossData(bossJob.data)
    if (!job) {
      log.error({ queue, job: bossJob.id }, 'a malformed job is left out')
      return undefined
    }
    try {
      return (await handle(job, ending))?.again
    } catch (error) {
      const isGivenUp = bossJob.retryCount >= policy.retries || isUseless(error)
      log[stopping.aborted ? 'info' : 'error']({ err: error, queue, job: job.id, isGivenUp }, 'a job failed')
      if (!isGivenUp) throw error
      await onGivenUp?.(job, ending).catch((cause: unknown) => {
        log.error({ err: cause, queue }, 'nobody was told that a job was given up')
      })
      return undefined
    }
  }

  async #fail(jobs: readonly BossJob[], error: Error): Promise<void> {
    const { boss, log } = this.#services
    await boss.fail(this.name, [...jobs], error).catch((cause: unknown) => {
      // They run again once their lease has run out.
      log.error({ err: cause, queue: this.name }, 'it was not kept that a job failed')
    })
  }
}
