import type { Milliseconds } from '../util/units.ts'
import type { Instruments } from './instruments.ts'

/** Seconds: an account is looked at once a minute or so, and after a time down a call may be told a day late. */
const delayBuckets = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400]

/** Of missed-call alerts. */
export class AlertMetrics {
  readonly #polls
  readonly #pollDelays
  readonly #messages
  readonly #calls
  readonly #callDelays

  constructor(instruments: Instruments) {
    this.#polls = instruments.counter('alert_looks_total', 'Looks for missed calls.', ['outcome'])
    this.#pollDelays = instruments.histogram(
      'alert_look_delay_seconds',
      'From the turn of an account to its look.',
      [],
      delayBuckets,
    )
    this.#messages = instruments.counter('alert_messages_total', 'Messages of alerts.', ['outcome'])
    this.#calls = instruments.counter('alert_calls_total', 'Missed calls that alerts have told.', [])
    this.#callDelays = instruments.histogram(
      'alert_call_delay_seconds',
      'From a missed call to the message that tells it.',
      [],
      delayBuckets,
    )
  }

  /** @param lateMs after the tick of its shard */
  poll(outcome: string, lateMs: Milliseconds): void {
    this.#polls.inc({ outcome })
    this.#pollDelays.observe(lateMs / 1000)
  }

  message(outcome: string): void {
    this.#messages.inc({ outcome })
  }

  /** @param delayMs from the latest of the calls on */
  calls(count: number, delayMs: Milliseconds): void {
    this.#calls.inc(count)
    this.#callDelays.observe(delayMs / 1000)
  }
}
