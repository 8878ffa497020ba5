import type { FaultQueue } from '../service/faults.ts'
import type { ServiceMode } from './api-types.ts'

/** How much later a slow service answers; within what the app waits for. */
const slowMs = 3000

/** How well the phone service works: what the tour does with the sandbox's faults. */
export class ServiceControl {
  readonly #faults: FaultQueue
  #mode: ServiceMode = 'normal'

  constructor(faults: FaultQueue) {
    this.#faults = faults
  }

  get mode(): ServiceMode {
    return this.#mode
  }

  set(mode: ServiceMode): void {
    this.#mode = mode
    this.#faults.clear()
    if (mode === 'slow') this.#faults.always({ kind: 'delay', ms: slowMs })
    if (mode === 'down') this.#faults.always({ kind: 'status', status: 503 })
  }
}
