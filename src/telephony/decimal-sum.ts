import type { Money } from './money.ts'

/** Adds up decimals as the service writes the cost of calls, exactly, with as many places as the longest of them has. */
export class DecimalSum {
  #units = 0n
  #scale = 0

  /** @param text a decimal of `parseCost`. @throws {RangeError} for anything else */
  add(text: string): void {
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
    if (!match) throw new RangeError('no decimal')
    const [, minus, whole = '', fraction = ''] = match
    if (fraction.length > this.#scale) {
      this.#units *= 10n ** BigInt(fraction.length - this.#scale)
      this.#scale = fraction.length
    }
    const units = BigInt(whole + fraction.padEnd(this.#scale, '0'))
    this.#units += minus ? -units : units
  }

  /** Without a symbol: the service says none. */
  get money(): Money {
    return { symbol: '', units: this.#units, scale: this.#scale }
  }
}
