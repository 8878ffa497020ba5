import { randomUUID } from 'node:crypto'
import type { Jobs } from '../jobs/jobs.ts'
import type { WatchRecord } from '../store/alerts.ts'
import { whereWellFormed } from '../store/errors.ts'
import type { Generation } from '../store/generations.ts'
import type { Store } from '../store/store.ts'
import { type Tenant, type TenantKey, tenantKey } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { isWatching } from './alert-state.ts'
import { phaseOf } from './pace.ts'

/** The queue of the jobs that watch. */
export const WATCH_QUEUE = 'alert-watches'
const enqueuedAtATime = 500

const newId = () => randomUUID().slice(0, 8)

const jobOf = (team: Tenant, run: string) => ({
  id: `${tenantKey(team)}/${run}`,
  data: { tenant: team, run },
})

/** The jobs that watch accounts: one for each, whose name stands in its row, so that any other one ends. */
export class Watches {
  readonly #services

  constructor(services: {
    store: Pick<Store, 'alerts' | 'watches' | 'generations'>
    jobs: Jobs
    everyMs: Milliseconds
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /** Has the tenant's account looked at from `at` on; whatever job did so ends at its next turn. */
  async begin(team: Tenant, generation: Generation, at = this.#services.now()): Promise<void> {
    const { store } = this.#services
    const run = newId()
    const begun = { run, version: newId(), due: at }
    const tenant = generation.key
    // What failed may do better now.
    const begin = (watch: WatchRecord) => ({ ...watch, ...begun, failing: undefined })
    const changed = await whereWellFormed(store.watches.change(tenant, begin))
    if (!changed) await store.watches.setIn(generation, begun)
    await this.enqueue(team, run, at)
  }

  /** The job of this name, unless there is one: whoever wrote the row may have ended before there was. */
  enqueue(team: Tenant, run: string, at = this.#services.now()): Promise<void> {
    const job = jobOf(team, run)
    return this.#services.jobs.enqueue(WATCH_QUEUE, job.id, job.data, new Date(at))
  }

  /** Enqueues a job for each account that is to be watched, unless there is one, for what an ended process left undone. */
  async beginAll(): Promise<void> {
    const { store, jobs, everyMs, now } = this.#services
    const enqueue = async (teams: ReadonlyMap<TenantKey, Tenant>) => {
      const found = [...teams].map(async ([tenant, team]) => ({
        ...jobOf(team, await this.#runOf(tenant)),
        at: new Date(now() + phaseOf(tenant, everyMs)),
      }))
      await jobs.enqueueAll(WATCH_QUEUE, await Promise.all(found))
    }
    let teams = new Map<TenantKey, Tenant>()
    for await (const alert of store.alerts.scan()) {
      const key = tenantKey(alert.tenant)
      if (!teams.has(key) && teams.size >= enqueuedAtATime) {
        await enqueue(teams)
        teams = new Map()
      }
      if (isWatching(alert)) teams.set(key, alert.tenant)
    }
    await enqueue(teams)
  }

  /** The name of the job that watches the account, which is given one where it has none. */
  async #runOf(tenant: TenantKey): Promise<string> {
    const { store } = this.#services
    const watch = await whereWellFormed(store.watches.get(tenant))
    if (watch?.run !== undefined) return watch.run
    const generation = await store.generations.of(tenant)
    const own = { run: newId() }
    // Another process may be at the same.
    const named = (current: WatchRecord) => ({ ...own, ...current })
    const changed = await whereWellFormed(store.watches.change(tenant, named))
    if (!changed) await store.watches.setIn(generation, own)
    return changed?.run ?? own.run
  }
}
