import { setTimeout as sleep } from 'node:timers/promises'

/** A fault of the next call. A delay or `until` alone only slows the call down. */
export interface Fault {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly delayMs?: number
  /** Holds the response until a promise is settled. */
  readonly until?: Promise<void>
  /** No response at all; the connection stays open until the stand-in closes. */
  readonly hang?: boolean
  readonly cut?: boolean
  /** True if the call does its work, and only the response is lost. */
  readonly isDone?: boolean
}

export interface HttpResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Faults {
  readonly #queues = new Map<string, Fault[]>()

  plan(target: string, fault: Fault): void {
    this.#queues.set(target, [...(this.#queues.get(target) ?? []), fault])
  }

  /** Returns the response, `'hang'` or `'cut'`. @param work makes the normal response */
  async take(target: string, work: () => HttpResponse): Promise<HttpResponse | 'hang' | 'cut'> {
    const fault = this.#queues.get(target)?.shift()
    if (fault === undefined) return work()
    const done = fault.isDone ? work() : undefined
    if (fault.hang) return 'hang'
    await fault.until
    if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false })
    if (fault.cut) return 'cut'
    if (fault.status === undefined && fault.body === undefined) return done ?? work()
    return { status: fault.status ?? 200, body: fault.body ?? '', headers: fault.headers ?? {} }
  }
}
