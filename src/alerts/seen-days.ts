import { whereWellFormed } from '../store/errors.ts'
import type { Generation } from '../store/generations.ts'
import { SEEN_DAYS, type SeenDay } from '../store/seen-calls.ts'
import type { Store } from '../store/store.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { lastPacked, PackedIds, packedCount, packIds } from './call-ids.ts'

const dayMs: Milliseconds = 86_400_000
/** Of one list on one day; the row has 220 KB then. */
const mostIds = 20_000

/** What was seen new in some lists. */
export interface SeenNow {
  readonly list: string
  readonly ids: readonly string[]
}

const nameOf = (at: EpochMs) => new Date(at).toISOString().slice(0, 10)

/** What an account's watcher has seen in the last days. */
export class SeenDays {
  /** The latest day first. */
  readonly #days: readonly SeenDay[]
  readonly #ids = new Map<string, PackedIds>()

  constructor(days: readonly (SeenDay | undefined)[]) {
    this.#days = days.filter((day) => day !== undefined)
  }

  /** By one query over PostgreSQL. @throws {StoreError} */
  static async read(store: Pick<Store, 'seenCalls'>, tenant: TenantKey, now: EpochMs): Promise<SeenDays> {
    const names = Array.from({ length: SEEN_DAYS }, (_, index) => nameOf(now - index * dayMs))
    // Without such a row, old news may come: no news would be worse.
    const days = names.map((name) => whereWellFormed(store.seenCalls.get(tenant, name)))
    return new SeenDays(await Promise.all(days))
  }

  isSeen(list: string, id: string): boolean {
    return this.#idsOf(list).has(id)
  }

  /** Of packed ids, those that were seen in none of these lists. */
  unseen(lists: readonly string[], packed: string): string {
    return lists.reduce((left, list) => this.#idsOf(list).missing(left), packed)
  }

  /** Nothing that was missed before is told of a list that has more calls than are kept. */
  since(list: string): EpochMs {
    return Math.max(0, ...this.#days.map(({ lists }) => lists[list]?.since ?? 0))
  }

  #idsOf(list: string): PackedIds {
    const known = this.#ids.get(list)
    if (known) return known
    const ids = new PackedIds(...this.#days.map(({ lists }) => lists[list]?.ids ?? ''))
    this.#ids.set(list, ids)
    return ids
  }
}

function withSeen(day: SeenDay, { list, ids }: SeenNow, now: EpochMs): SeenDay {
  const before = day.lists[list]
  const known = new PackedIds(before?.ids ?? '')
  const all = `${before?.ids ?? ''}${packIds(new Set(ids.filter((id) => !known.has(id))))}`
  const isFull = packedCount(all) > mostIds
  const since = isFull ? now : before?.since
  const kept = isFull ? lastPacked(all, mostIds / 2) : all
  const own = { ids: kept, ...(since === undefined ? {} : { since }) }
  return { lists: { ...day.lists, [list]: own } }
}

/** Notes it in the row of the day. @throws {StoreError} */
export async function noteSeen(
  store: Pick<Store, 'seenCalls'>,
  generation: Generation,
  news: readonly SeenNow[],
  now: EpochMs,
): Promise<void> {
  const name = nameOf(now)
  const change = (day: SeenDay) => news.reduce((changed, one) => withSeen(changed, one, now), day)
  if (await whereWellFormed(store.seenCalls.change(generation.key, name, change))) return
  await store.seenCalls.set(generation, name, change({ lists: {} }), (SEEN_DAYS + 1) * dayMs)
}
