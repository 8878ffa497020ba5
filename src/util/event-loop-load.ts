import { type EventLoopUtilization, performance } from 'node:perf_hooks'

export interface Load {
  /** Whether the process spent most of the last second answering: what nobody waits for should wait. */
  isBusy(): boolean
  stop(): void
}

const everyMs = 1000
const busyShare = 0.7

export function watchLoad(): Load {
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let share = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    share = performance.eventLoopUtilization(now, before).utilization
    before = now
  }, everyMs).unref()
  return { isBusy: () => share > busyShare, stop: () => clearInterval(timer) }
}
