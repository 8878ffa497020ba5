import { type Deadline, DeadlineError } from '../util/send-request.ts'

const PRIORITIES = ['people', 'background'] as const
type Priority = (typeof PRIORITIES)[number]

/** Work of one tenant: the number of running tasks, and callbacks that start the waiting ones. */
class Lane {
  readonly running = { people: 0, background: 0 }
  readonly waiting = { people: new Set<() => void>(), background: new Set<() => void>() }
}

/**
 * Limits how much work of a tenant runs at a time: people's first, and background work never in the last slot. Tenants don't
 * wait for each other.
 */
export class Slots {
  readonly #maxConcurrent
  /** Tenants without work have no lane. */
  readonly #lanes = new Map<string, Lane>()

  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent
  }

  get tenants(): number {
    return this.#lanes.size
  }

  /** Counts people's work that waits. */
  waiting(): number {
    return this.#lanes.values().reduce((sum, { waiting }) => sum + waiting.people.size, 0)
  }

  /** Counts the slots that people could have soon: the idle ones, and those in the background. */
  idle(tenant: string): number {
    return this.#maxConcurrent - (this.#lanes.get(tenant)?.running.people ?? 0)
  }

  /** Runs the work once the tenant has a slot for it. @throws {DeadlineError} if the deadline ends the wait */
  async run<T>(
    tenant: string,
    work: () => Promise<T>,
    { isBackground = false, deadline }: { isBackground?: boolean; deadline?: Deadline } = {},
  ): Promise<T> {
    const priority = isBackground ? 'background' : 'people'
    const lane = this.#lanes.get(tenant) ?? new Lane()
    this.#lanes.set(tenant, lane)
    if (!this.#takeSlot(lane, priority)) await waitForTurn(lane.waiting[priority], deadline)
    try {
      return await work()
    } finally {
      lane.running[priority] -= 1
      // Reserves the slot for the next work before that runs.
      const next = PRIORITIES.find((one) => lane.waiting[one].size > 0 && this.#takeSlot(lane, one))
      if (next) lane.waiting[next].values().next().value?.()
      else if (lane.running.people + lane.running.background === 0) this.#lanes.delete(tenant)
    }
  }

  #takeSlot({ running }: Lane, priority: Priority): boolean {
    const maxInBackground = Math.max(1, this.#maxConcurrent - 1)
    const isFree = running.people + running.background < this.#maxConcurrent
    const hasSlot = isFree && (priority === 'people' || running.background < maxInBackground)
    if (hasSlot) running[priority] += 1
    return hasSlot
  }
}

/** @throws {DeadlineError} */
function waitForTurn(waiting: Set<() => void>, deadline: Deadline | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      waiting.delete(start)
      deadline?.whenOver(undefined)
      resolve()
    }
    waiting.add(start)
    deadline?.whenOver(() => {
      waiting.delete(start)
      reject(new DeadlineError('UNSENT'))
    })
  })
}
