import { once } from '../util/promises.ts'

export type WriteNumber = (number: string) => string

const numbersKept = 10_000

/** Writes phone numbers as people do: `+44 20 7946 0042`. */
export class NumberWriter {
  /** An account's own numbers come again and again, 20 to a page, and each takes 30 µs. */
  readonly #written = new Map<string, string>()

  /** What is no whole number with its country's code stays as it is. */
  readonly load = once(() => this.#load())

  async #load(): Promise<WriteNumber> {
    // Loaded where it is used: it takes 60 ms and 3 MB.
    const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/max')
    return (number) => {
      if (!number.startsWith('+')) return number
      const kept = this.#written.get(number)
      if (kept !== undefined) return kept
      const parsed = parse(number)
      const written = parsed?.isValid() ? parsed.formatInternational() : number
      // Which one was used last is not worth its bookkeeping: that took 15 µs a page.
      if (this.#written.size >= numbersKept) this.#written.clear()
      this.#written.set(number, written)
      return written
    }
  }
}
