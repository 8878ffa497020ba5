/** Lets a test wait for what it wants to see, looked at again at every change, with no polling. */
export class Changes {
  readonly #waiting = new Set<() => void>()

  readonly #listening = new Set<() => void>()

  notify(): void {
    for (const look of [...this.#waiting, ...this.#listening]) look()
  }

  /** Calls `hear` at every change, until the function that it returns is called. */
  listen(hear: () => void): () => void {
    this.#listening.add(hear)
    return () => {
      this.#listening.delete(hear)
    }
  }

  /** @throws Error with `describe()` when it is not seen in time. */
  until<T>(probe: () => T | undefined, timeoutMs: number, describe: () => string): Promise<T> {
    const seen = probe()
    if (seen !== undefined) return Promise.resolve(seen)
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
      }
      const look = () => {
        const found = probe()
        if (found === undefined) return
        stop()
        resolve(found)
      }
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`not seen within ${timeoutMs} ms: ${describe()}`))
      }, timeoutMs)
      this.#waiting.add(look)
    })
  }
}
