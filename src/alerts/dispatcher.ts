import type { Log } from '../log.ts'
import type { Workspaces } from '../slack/access/workspaces.ts'
import type { AlertRecord, WatchRecord } from '../store/alerts.ts'
import { MalformedError, StoreError } from '../store/errors.ts'
import type { Generation } from '../store/generations.ts'
import type { MissedCall } from '../store/missed-calls.ts'
import type { Store } from '../store/store.ts'
import type { TenantKey } from '../store/tenant.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { isWatching, note } from './alert-state.ts'
import { agentsOf, type Look, listName, toMissedCall } from './look.ts'
import { noteSeen, SeenDays } from './seen-days.ts'

/** What a look found for a tenant's alerts. */
export interface News {
  readonly tenant: TenantKey
  readonly look: Look
  /** Stands for the account. */
  readonly accountId: string
  /** Nothing that was missed before, in this account, is told. */
  readonly since: EpochMs
  readonly lookedAt: EpochMs | undefined
}

/** Tells what an alert has noted; rejects with what is no failure of its channel, its owner or Slack. */
export type Tell = (
  alert: AlertRecord,
  generation: Generation,
) => Promise<{ readonly due: EpochMs | undefined; readonly isStuck: boolean }>

const afterErrorMs: Milliseconds = 10 * 60_000

/** What came of it for the account's watcher. */
export interface Dispatched extends Pick<WatchRecord, 'due' | 'isIdle'> {
  /** Once it is kept when there is something to tell next. @throws {StoreError} */
  noteSeen(): Promise<void>
}

/**
 * Takes what is new to the alerts that are for it. First each alert's row notes the calls, then they are told, then it is
 * kept when there is more to tell, and then they are noted as seen: a process that is killed in between leaves nothing
 * untold, and since a row knows the calls that it noted and that were not seen since, nothing is told twice.
 */
export class AlertDispatcher {
  readonly #services

  constructor(services: { store: Store; workspaces: Workspaces; tell: Tell; log: Log; now: () => EpochMs }) {
    this.#services = services
  }

  /** @returns when there is something to tell next, and whether none can be posted; or that the tenant is deleted @throws {StoreError} */
  async dispatch(news: News): Promise<Dispatched | 'deleted'> {
    const { store, log, now } = this.#services
    const { tenant, look, accountId } = news
    const generation = await store.generations.of(tenant)
    // A deletion ends the generation first: one that is read after that is found out here.
    if (!(await store.credentials.has(tenant))) return 'deleted'
    // As they are by now: somebody may have paused, muted or changed one while the service was asked.
    const alerts = (await store.alerts.all(tenant)).filter(isWatching)
    const noted: AlertRecord[] = []
    let [due, stuck] = [Number.POSITIVE_INFINITY, 0]
    /** One that goes wrong keeps no other one from being told. */
    const each = async (alert: AlertRecord, work: () => Promise<void>) => {
      try {
        await work()
      } catch (error) {
        if (error instanceof StoreError && !(error instanceof MalformedError)) throw error
        log.error({ err: error, alert: alert.id }, 'an alert was not told')
        due = Math.min(due, now() + afterErrorMs)
      }
    }
    for (const alert of alerts)
      await each(alert, async () => {
        await this.#note(alert, generation, news)
        noted.push(alert)
      })
    for (const alert of noted)
      await each(alert, async () => {
        const told = await this.#services.tell(alert, generation)
        due = Math.min(due, told.due ?? due)
        stuck += told.isStuck ? 1 : 0
      })
    return {
      due: due === Number.POSITIVE_INFINITY ? undefined : due,
      isIdle: stuck === alerts.length ? true : undefined,
      noteSeen: () => this.#noteSeen(generation, look, accountId),
    }
  }

  async #noteSeen(generation: Generation, { news }: Look, accountId: string): Promise<void> {
    const { store, now } = this.#services
    const seen = [...news].flatMap(([agentId, { calls }]) =>
      calls.length === 0 ? [] : [{ list: listName(accountId, agentId), ids: calls.map(identityOf) }],
    )
    if (seen.length > 0) await noteSeen(store, generation, seen, now())
  }

  async #note(alert: AlertRecord, generation: Generation, news: News): Promise<void> {
    const { store, workspaces, now } = this.#services
    const { tenant, look, accountId, lookedAt } = news
    const found = agentsOf(alert).flatMap((agentId) => {
      const list = listName(accountId, agentId)
      return (look.news.get(agentId)?.calls ?? []).map((call) => ({ list, id: identityOf(call), call }))
    })
    if (found.length === 0) return
    const { zone } = await workspaces.zone(tenant, alert.channel)
    if (!(await store.alertStates.get(tenant, alert.id))) {
      // Deleted since the alerts were read.
      if (!(await store.alerts.get(tenant, alert.id))) return
      await store.alertStates.set(generation, alert.id, { alertId: alert.id })
    }
    await store.alertStates.change(tenant, alert.id, async (state) => {
      // Read after the row: who noted a call there noted it as seen only after that.
      const days = await SeenDays.read(store, tenant, now())
      const calls = new Map<string, MissedCall>()
      let since = news.since
      for (const { list, id, call } of found) {
        since = Math.max(since, days.since(list))
        // At the first look, what has no time that can be read may be of any.
        const missed = toMissedCall(call, lookedAt === undefined ? undefined : now())
        if (missed && !days.isSeen(list, id)) calls.set(id, missed)
      }
      if (calls.size === 0) return undefined
      const lists = agentsOf(alert).map((agentId) => listName(accountId, agentId))
      const unseen = days.unseen(lists, state.noted ?? '')
      return note(state, { alert, zone, now: now() }, { calls: [...calls.values()], since, unseen })
    })
  }
}
