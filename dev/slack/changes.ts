import { EventEmitter } from 'node:events'
import type { Milliseconds } from '../../src/util/units.ts'

/** Tells of every change, so that what is waited for is looked at again with no polling. */
export class Changes extends EventEmitter<{ change: [] }> {
  constructor() {
    super()
    this.setMaxListeners(0)
  }

  /** Waits until `probe` gives something. @throws Error with `describe()` when it does not in time. */
  async until<T>(probe: () => T | undefined, timeoutMs: Milliseconds, describe: () => string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const look = () => {
      const found = probe()
      if (found !== undefined) resolve(found)
    }
    const timer = setTimeout(
      () => reject(new Error(`not seen within ${timeoutMs} ms: ${describe()}`)),
      timeoutMs,
    )
    this.on('change', look)
    look()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.off('change', look)
    }
  }
}
