import type { Money } from '../../telephony/money.ts'
import { DecimalSum } from '../../telephony/money.ts'
import type { Call, CallStatus, Raw } from '../../telephony/types.ts'

/** What of a record was not understood. */
export type UnparsedPart = 'status' | 'length' | 'cost' | 'time'

/** Of how many records a part was not understood, and what stood there first. */
export interface UnparsedField {
  readonly part: UnparsedPart
  readonly count: number
  readonly example: string
}

/** The figures of some calls of one direction. What there is no telling of is `undefined`, as where only totals are known. */
export interface CallFigures {
  readonly calls: number | undefined
  readonly answered: number | undefined
  /** Nobody took them, or nobody answered. */
  readonly missed: number | undefined
  readonly seconds?: number | undefined
  /** Of an answered call whose length is known; `undefined` where there is none. */
  readonly averageSeconds?: number | undefined
  /** The sum of the service's decimals. */
  readonly cost?: Money | undefined
}

/** Adds up calls of one direction. */
export class Tally {
  #calls = 0
  readonly #statuses: Record<CallStatus, number> = { answered: 0, missed: 0 }
  #seconds = 0
  #answeredWithLength = 0
  #answeredSeconds = 0
  readonly #cost = new DecimalSum()
  readonly #unparsed = new Map<UnparsedPart, { count: number; readonly example: string }>()

  /** Whatever can't be understood of it is counted as such; the rest counts. */
  add({ status, seconds, cost, at }: Call): void {
    this.#calls += 1
    if (typeof status === 'string') this.#statuses[status] += 1
    else this.#note('status', status)
    if (typeof seconds !== 'number') this.#note('length', seconds)
    else {
      this.#seconds += seconds
      if (status === 'answered') {
        this.#answeredWithLength += 1
        this.#answeredSeconds += seconds
      }
    }
    if (typeof cost === 'string') this.#cost.add(cost)
    else this.#note('cost', cost)
    if (!(at instanceof Date)) this.#note('time', at)
  }

  get figures(): CallFigures {
    const count = this.#answeredWithLength
    return {
      calls: this.#calls,
      ...this.#statuses,
      seconds: this.#seconds,
      averageSeconds: count === 0 ? undefined : Math.round(this.#answeredSeconds / count),
      cost: this.#cost.money,
    }
  }

  get unparsed(): readonly UnparsedField[] {
    return [...this.#unparsed].map(([part, { count, example }]) => ({ part, count, example }))
  }

  #note(part: UnparsedPart, { raw: example }: Raw): void {
    const known = this.#unparsed.get(part)
    if (known) known.count += 1
    else this.#unparsed.set(part, { count: 1, example })
  }
}
