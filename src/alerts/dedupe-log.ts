import { hash } from 'node:crypto'
import type { SeenList } from '../store/alerts.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

// Which calls of a list were seen: their ids by the day on which they were met first, each between two spaces. A poll asks for
// today's and yesterday's calls, in any time zone: what was met before that is asked for no more.

const dayMs: Milliseconds = 86_400_000
const keptDays = 3
/** Of one list on one day; about 200 KB. */
const mostIds = 20_000

const dayOf = (at: EpochMs) => new Date(at).toISOString().slice(0, 10)

/** The service's ids are short; what stands for a call without one may be long, and hold anything. */
const keyOf = (id: string) => (/^[!-~]{1,32}$/.test(id) ? id : hash('sha256', id, 'base64url').slice(0, 22))

/** The ids that were seen in a list. */
export class DedupeLog {
  readonly #days: readonly string[]

  constructor(list: Pick<SeenList, 'seen'> | undefined) {
    this.#days = Object.values(list?.seen ?? {})
  }

  has(id: string): boolean {
    const key = ` ${keyOf(id)} `
    return this.#days.some((ids) => ids.includes(key))
  }
}

/** The list with these calls as seen by `now`. */
export function markSeen(list: SeenList, ids: Iterable<string>, now: EpochMs): SeenList {
  const log = new DedupeLog(list)
  const keys = new Set([...ids].filter((id) => !log.has(id)).map(keyOf))
  if (keys.size === 0) return list
  const today = dayOf(now)
  const all = [...(list.seen[today]?.split(' ') ?? []), ...keys].filter((key) => key !== '')
  const isFull = all.length > mostIds
  const kept = isFull ? all.slice(-mostIds / 2) : all
  // Where the clock has jumped, what it showed before is of no use.
  const near = Object.entries(list.seen).filter(
    ([day]) => Math.abs(Date.parse(day) - Date.parse(today)) < keptDays * dayMs,
  )
  const seen = { ...Object.fromEntries(near), [today]: ` ${kept.join(' ')} ` }
  return { ...list, seen, ...(isFull ? { since: now } : {}) }
}
