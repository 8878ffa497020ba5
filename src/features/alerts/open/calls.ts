import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { isPersonId } from '../../../slack/blocks/blocks.ts'
import { getPostedAt, type MissedCallRecord, scanMissedCalls } from '../../../store/missed-calls.ts'
import { type TenantKey, tenantKey, type Workspace } from '../../../store/tenant.ts'
import { dayMs, type EpochMs } from '../../../util/units.ts'

export const MAX_OPEN_DAYS = 7

interface Owner {
  readonly person: string
  readonly name: string
}

/** Calls of one line that are in the same messages, and wait or belong to one person. */
interface CallGroup {
  readonly shownIn: MissedCallRecord['shownIn']
  readonly line: string
  /** Undefined for calls that wait. */
  readonly owner: Owner | undefined
  count: number
  /** Time of the oldest call. */
  firstAt: EpochMs
  /** When the oldest was posted, or taken. */
  since: EpochMs
}

/** Calls of one line and message, as a person sees them. */
export interface OpenCallGroup extends Omit<CallGroup, 'shownIn'> {
  readonly message: string
  readonly channel: string
}

export interface OpenCallList {
  /** Oldest first. */
  readonly waiting: readonly OpenCallGroup[]
  /** Taken and not done; the person's own first, then the oldest. */
  readonly taken: readonly OpenCallGroup[]
}

export const countCalls = (groups: readonly Pick<OpenCallGroup, 'count'>[]): number => {
  let count = 0
  for (const group of groups) count += group.count
  return count
}

function addToGroups(groups: Map<string, CallGroup>, call: MissedCallRecord): void {
  const { shownIn, line, at, taken } = call
  const since = taken?.at ?? getPostedAt(call) ?? at
  const messages = shownIn.map(({ message }) => message)
  const key = `${messages.join(' ')}\n${line}\n${taken?.person ?? ''}`
  const group = groups.get(key)
  if (!group) {
    const owner = taken && { person: taken.person, name: taken.name }
    groups.set(key, { shownIn, line, owner, count: 1, firstAt: at, since })
    return
  }
  group.count += 1
  group.firstAt = Math.min(group.firstAt, at)
  group.since = Math.min(group.since, since)
}

interface Reading {
  readonly running: Promise<readonly CallGroup[]>
  /** Starts after `running`, so that it sees all changes until then. */
  next: Promise<readonly CallGroup[]> | undefined
}

/** Reads the calls that aren't done. People of a workspace who ask at the same time share a reading. */
export class OpenCalls {
  readonly #services
  readonly #readings = new Map<TenantKey, Reading>()

  constructor(services: Pick<Services, 'store' | 'channels' | 'now'>) {
    this.#services = services
  }

  /** Finds calls in channels that the person is in, and in the person's direct messages. @throws {StoreError | SlackError} */
  async find(actor: Actor): Promise<OpenCallList> {
    const groups = await this.#readShared(actor.workspace)
    if (groups.length === 0) return { waiting: [], taken: [] }
    const joined = await this.#services.channels.listJoined(actor, actor.person.id)
    const isVisible = (channel: string) =>
      isPersonId(channel) ? channel === actor.person.id : joined.has(channel)
    const seen = new Map<string, OpenCallGroup>()
    for (const { shownIn, ...group } of groups) {
      const place = shownIn.find(({ channel }) => isVisible(channel))
      if (!place) continue
      const { message, channel } = place
      const key = `${message}\n${group.line}\n${group.owner?.person ?? ''}`
      const before = seen.get(key)
      const count = group.count + (before?.count ?? 0)
      const firstAt = Math.min(group.firstAt, before?.firstAt ?? Infinity)
      const since = Math.min(group.since, before?.since ?? Infinity)
      seen.set(key, { ...group, message, channel, count, firstAt, since })
    }
    const sorted = [...seen.values()].sort((one, other) => one.since - other.since)
    const isOwn = ({ owner }: OpenCallGroup) => owner?.person === actor.person.id
    const taken = sorted.filter(({ owner }) => owner !== undefined)
    return {
      waiting: sorted.filter(({ owner }) => owner === undefined),
      taken: [...taken.filter(isOwn), ...taken.filter((group) => !isOwn(group))],
    }
  }

  #readShared(workspace: Workspace): Promise<readonly CallGroup[]> {
    const tenant = tenantKey(workspace)
    const reading = this.#readings.get(tenant)
    if (reading) {
      const start = () => this.#start(tenant)
      reading.next ??= reading.running.then(start, start)
      return reading.next
    }
    return this.#start(tenant)
  }

  #start(tenant: TenantKey): Promise<readonly CallGroup[]> {
    const running = this.#read(tenant)
    const reading: Reading = { running, next: undefined }
    this.#readings.set(tenant, reading)
    const end = () => {
      if (this.#readings.get(tenant) === reading && !reading.next) this.#readings.delete(tenant)
    }
    running.then(end, end)
    return running
  }

  async #read(tenant: TenantKey): Promise<readonly CallGroup[]> {
    const { store, now } = this.#services
    const groups = new Map<string, CallGroup>()
    for await (const call of scanMissedCalls(store.missedCalls, tenant, {
      start: now() - MAX_OPEN_DAYS * dayMs,
    }))
      if (!call.done) addToGroups(groups, call)
    return [...groups.values()]
  }
}
