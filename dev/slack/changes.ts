import { EventEmitter } from 'node:events'
import type { Milliseconds } from '../../src/util/units.ts'

/** Emits every change, so that tests wait without polling. */
export class Changes extends EventEmitter<{ change: [] }> {
  constructor() {
    super()
    this.setMaxListeners(0)
  }

  /** Waits until `probe` returns a value. @throws Error with `describe()` after the timeout */
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
