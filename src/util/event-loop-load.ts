import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Milliseconds } from './units.ts'

const intervalMs: Milliseconds = 1000
const busyUtilization = 0.7

export class EventLoopLoad {
  #previous: EventLoopUtilization = performance.eventLoopUtilization()
  #utilization = 0
  readonly #timer = setInterval(() => this.#sample(), intervalMs).unref()

  /** Whether the process spent most of the last second answering: what nobody waits for should wait. */
  isBusy(): boolean {
    return this.#utilization > busyUtilization
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sample(): void {
    const current = performance.eventLoopUtilization()
    this.#utilization = performance.eventLoopUtilization(current, this.#previous).utilization
    this.#previous = current
  }
}
