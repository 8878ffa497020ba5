import type { ReadingTimes } from '../services.ts'
import type { OnProgress } from '../slack/deliver/exchange.ts'
import type { ReadProgress } from '../telephony/types.ts'
import { countNoun } from '../util/text.ts'

/** Announces how long a reading will take. Created when the reading starts. */
export class ReadingAnnouncer {
  readonly #startMs = performance.now()
  readonly #times
  readonly #onProgress

  constructor(times: ReadingTimes, onProgress: OnProgress) {
    this.#times = times
    this.#onProgress = onProgress
  }

  announce({ records, total }: ReadProgress): void {
    const { progressAfterMs, readForMs } = this.#times
    const elapsedMs = performance.now() - this.#startMs
    if (elapsedMs < progressAfterMs || records === total) return
    let calls = 'all calls of these days'
    let remainingMs = readForMs
    if (total !== undefined) {
      calls = `about ${countNoun(total, 'call')}`
      remainingMs = Math.min(readForMs, (elapsedMs * (total - records)) / records)
    }
    const seconds = Math.max(1, Math.ceil(remainingMs / 1000))
    this.#onProgress(`Reading ${calls}. This takes about ${countNoun(seconds, 'second')}.`)
  }
}
