import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { isPersonId } from '../../../slack/blocks/blocks.ts'
import { getPostedAt, type MissedCallRecord, scanMissedCalls } from '../../../store/missed-calls.ts'
import type { TenantKey } from '../../../store/tenant.ts'
import { dayMs, type EpochMs } from '../../../util/units.ts'

export const MAX_OPEN_DAYS = 7

interface CallGroup {
  readonly line: string
  /** Undefined for calls that wait. */
  readonly owner: { readonly person: string; readonly name: string } | undefined
  count: number
  /** Time of the oldest call. */
  firstAt: EpochMs
  /** When the oldest was posted, or taken. */
  since: EpochMs
}

/** Calls of one line that are in the same messages, and wait or belong to one person. */
interface SharedGroup extends CallGroup {
  readonly shownIn: MissedCallRecord['shownIn']
}

/** Calls of one line and message, as a person sees them. */
export interface OpenCallGroup extends CallGroup {
  readonly message: string
  readonly channel: string
}

export interface OpenCallList {
  /** Oldest first. */
  readonly waiting: readonly OpenCallGroup[]
  /** Taken and not done; the person's own first, then the oldest. */
  readonly taken: readonly OpenCallGroup[]
}

export function countCalls(groups: readonly Pick<OpenCallGroup, 'count'>[]): number {
  let count = 0
  for (const group of groups) count += group.count
  return count
}

/** @param place the messages that the group's calls have in common */
function addToGroups<Group extends CallGroup>(groups: Map<string, Group>, place: string, added: Group): void {
  const key = `${place}\n${added.line}\n${added.owner?.person ?? ''}`
  const group = groups.get(key)
  if (!group) {
    groups.set(key, added)
    return
  }
  group.count += added.count
  group.firstAt = Math.min(group.firstAt, added.firstAt)
  group.since = Math.min(group.since, added.since)
}

type Reading = Promise<readonly SharedGroup[]>

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
    const shared = await this.#readShared(tenant)
    if (shared.length === 0) return { waiting: [], taken: [] }
    const joined = await this.#services.channels.listJoined(actor)
    const isVisible = (channel: string) => (isPersonId(channel) ? channel === person.id : joined.has(channel))
    const groups = new Map<string, OpenCallGroup>()
    for (const { shownIn, ...group } of shared) {
      const place = shownIn.find(({ channel }) => isVisible(channel))
      if (!place) continue
      const { message, channel } = place
      addToGroups(groups, message, { ...group, message, channel })
    }
    const sorted = [...groups.values()].sort((a, b) => a.since - b.since)
    const waiting = sorted.filter(({ owner }) => !owner)
    const own = sorted.filter(({ owner }) => owner?.person === person.id)
    const others = sorted.filter(({ owner }) => owner && owner.person !== person.id)
    return { waiting, taken: [...own, ...others] }
  }

  #readShared(tenant: TenantKey): Reading {
    const next = this.#next.get(tenant)
    if (next) return next
    const reading = this.#readAfter(tenant, this.#latest.get(tenant))
    this.#next.set(tenant, reading)
    this.#latest.set(tenant, reading)
    return reading
  }

  async #readAfter(tenant: TenantKey, before: Reading | undefined): Reading {
    await before?.catch(() => {})
    const reading = this.#next.get(tenant)
    this.#next.delete(tenant)
    try {
      return await this.#read(tenant)
    } finally {
      if (this.#latest.get(tenant) === reading) this.#latest.delete(tenant)
    }
  }

  async #read(tenant: TenantKey): Reading {
    const { store, now } = this.#services
    const groups = new Map<string, SharedGroup>()
    const start = now() - MAX_OPEN_DAYS * dayMs
    for await (const call of scanMissedCalls(store.missedCalls, tenant, { start })) {
      if (call.done) continue
      const { shownIn, line, at, taken } = call
      const owner = taken && { person: taken.person, name: taken.name }
      const since = taken?.at ?? getPostedAt(call) ?? at
      const messages = shownIn.map(({ message }) => message).join(' ')
      addToGroups(groups, messages, { shownIn, line, owner, count: 1, firstAt: at, since })
    }
    return [...groups.values()]
  }
}
