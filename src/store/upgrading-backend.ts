import type { Backend } from './backend.ts'

/**
 * A database whose rows are brought to this version's form before anything else reads or writes them. Where that fails, so
 * does what waits for it, and the next one tries again: nobody is told "not connected" because a row has not been moved yet.
 */
export function upgradingBackend(backend: Backend, upgrade: () => Promise<void>): Backend {
  let isDone = false
  let upgrading: Promise<void> | undefined
  function afterwards<T>(work: () => Promise<T>): Promise<T> {
    if (isDone) return work()
    upgrading ??= upgrade().then(
      () => {
        isDone = true
      },
      (error: unknown) => {
        upgrading = undefined
        throw error
      },
    )
    return upgrading.then(work)
  }
  return {
    now: backend.now,
    get: (...args) => afterwards(() => backend.get(...args)),
    getAnew: (...args) => afterwards(() => backend.getAnew(...args)),
    set: (...args) => afterwards(() => backend.set(...args)),
    delete: (...args) => afterwards(() => backend.delete(...args)),
    clear: (...args) => afterwards(() => backend.clear(...args)),
    list: (...args) => afterwards(() => backend.list(...args)),
    insert: (...args) => afterwards(() => backend.insert(...args)),
    replace: (...args) => afterwards(() => backend.replace(...args)),
    raise: (...args) => afterwards(() => backend.raise(...args)),
    setWhile: (...args) => afterwards(() => backend.setWhile(...args)),
    update: (...args) => afterwards(() => backend.update(...args)),
    expire: (...args) => afterwards(() => backend.expire(...args)),
    clearTenant: (...args) => afterwards(() => backend.clearTenant(...args)),
    sweep: () => backend.sweep(),
    version: () => backend.version(),
    close: () => backend.close(),
  }
}
