/** When a whole request has to be over, every try of it and the waits between them. */
export interface Deadline {
  readonly signal: AbortSignal
  remainingMs(): number
  /** Ends the timer once the work is done. */
  clear(): void
}

export function startDeadline(timeoutMs: number): Deadline {
  // AbortSignal.timeout would hold the timer of every request that has long ended until it fires.
  const controller = new AbortController()
  const end = performance.now() + timeoutMs
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  return {
    signal: controller.signal,
    remainingMs: () => end - performance.now(),
    clear: () => clearTimeout(timer),
  }
}
