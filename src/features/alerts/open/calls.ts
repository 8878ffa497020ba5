import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { isPersonId } from '../../../slack/blocks/blocks.ts'
import {
  type Attribution,
  getPostedAt,
  type MissedCallRecord,
  scanMissedCalls,
} from '../../../store/missed-calls.ts'
import type { TenantKey } from '../../../store/tenant.ts'
import { dayMs, type EpochMs } from '../../../util/units.ts'

export const MAX_OPEN_DAYS = 7

/** Calls of one line and message that wait, or that one person has. */
export interface OpenCallGroup {
  readonly message: string
  readonly channel: string
  readonly line: string
  /** Undefined for calls that wait. */
  readonly owner: Attribution | undefined
  count: number
  /** Time of the oldest call. */
  firstAt: EpochMs
  /** When the oldest was posted, or taken. */
  since: EpochMs
}

/** Those that wait come first, then the person's own. */
export type OpenCallList = readonly OpenCallGroup[]

type Reading = Promise<readonly MissedCallRecord[]>

/** Reads the calls that aren't done. People of a workspace who ask at the same time share a reading. */
export class OpenCalls {
  readonly #services
  /** The latest reading of each tenant that isn't finished. */
  readonly #latest = new Map<TenantKey, Reading>()
  /** Readings that haven't started, so they see all changes until now. */
  readonly #next = new Map<TenantKey, Reading>()

  constructor(services: Pick<Services, 'store' | 'channels' | 'now'>) {
    this.#services = services
  }

  /** Finds calls in channels that the person is in, and in the person's direct messages. @throws {StoreError | SlackFailure} */
  async find(actor: Actor): Promise<OpenCallList> {
    const { person, tenant } = actor
    const calls = await this.#readShared(tenant)
    if (calls.length === 0) return []
    const joined = await this.#services.channels.listJoined(actor)
    const isVisible = (channel: string) => (isPersonId(channel) ? channel === person.id : joined.has(channel))
    const groups = new Map<string, OpenCallGroup>()
    for (const call of calls) {
      const place = call.shownIn.find(({ channel }) => isVisible(channel))
      if (place) addToGroups(groups, place, call)
    }
    const oldestFirst = [...groups.values()].sort((a, b) => a.since - b.since)
    const waiting = oldestFirst.filter(({ owner }) => !owner)
    const own = oldestFirst.filter(({ owner }) => owner?.person === person.id)
    const others = oldestFirst.filter(({ owner }) => owner && owner.person !== person.id)
    return [...waiting, ...own, ...others]
  }

  #readShared(tenant: TenantKey): Reading {
    const next = this.#next.get(tenant)
    if (next) return next
    const start = () => {
      this.#next.delete(tenant)
      return this.#read(tenant)
    }
    const before = this.#latest.get(tenant) ?? Promise.resolve([])
    const reading: Reading = before.then(start, start).finally(() => {
      if (this.#latest.get(tenant) === reading) this.#latest.delete(tenant)
    })
    this.#next.set(tenant, reading)
    this.#latest.set(tenant, reading)
    return reading
  }

  async #read(tenant: TenantKey): Reading {
    const { store, now } = this.#services
    const start = now() - MAX_OPEN_DAYS * dayMs
    const calls: MissedCallRecord[] = []
    for await (const call of scanMissedCalls(store.missedCalls, tenant, { start }))
      if (!call.done) calls.push(call)
    return calls
  }
}

function addToGroups(
  groups: Map<string, OpenCallGroup>,
  { message, channel }: MissedCallRecord['shownIn'][number],
  call: MissedCallRecord,
): void {
  const { line, taken: owner, at } = call
  const key = `${message}\n${line}\n${owner?.person ?? ''}`
  const since = owner?.at ?? getPostedAt(call) ?? at
  const group = groups.get(key) ?? { message, channel, line, owner, count: 0, firstAt: at, since }
  group.count += 1
  group.firstAt = Math.min(group.firstAt, at)
  group.since = Math.min(group.since, since)
  groups.set(key, group)
}
