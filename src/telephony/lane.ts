export const SLOTS_PER_TENANT = 4

/** Leaves a slot to people. */
const BACKGROUND_SLOTS = SLOTS_PER_TENANT - 1

export type Priority = 'people' | 'background'

/** Requests of one tenant that are in flight or wait for a slot. */
export class Lane {
  readonly inFlight = { people: 0, background: 0 }
  /** Callbacks that let the requests start, in their order. */
  readonly waiting = { people: new Set<() => void>(), background: new Set<() => void>() }

  /** No request waits in an idle lane, because a slot that becomes free is handed on at once. */
  get isIdle(): boolean {
    return this.inFlight.people + this.inFlight.background === 0
  }

  takeSlot(priority: Priority): boolean {
    const { people, background } = this.inFlight
    if (people + background >= SLOTS_PER_TENANT) return false
    if (priority === 'background' && background >= BACKGROUND_SLOTS) return false
    this.inFlight[priority] += 1
    return true
  }

  /** Resolves when `freeSlot` has taken a slot for the request. @throws the signal's reason if it aborts meanwhile */
  async waitForSlot(priority: Priority, signal: AbortSignal): Promise<void> {
    const waiting = this.waiting[priority]
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      waiting.delete(resolve)
      reject(signal.reason)
    }
    waiting.add(resolve)
    signal.addEventListener('abort', giveUp)
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /** Hands the slot to a waiting request, people's first. */
  freeSlot(priority: Priority): void {
    this.inFlight[priority] -= 1
    for (const nextPriority of ['people', 'background'] as const) {
      const [start] = this.waiting[nextPriority]
      if (!start || !this.takeSlot(nextPriority)) continue
      this.waiting[nextPriority].delete(start)
      start()
      return
    }
  }
}
