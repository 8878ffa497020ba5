import { once } from '../util/promises.ts'

/** The digits of a number that is looked for: fewer fit nearly every number, and no number has more, its `00` included. */
export const NUMBER_DIGITS = { least: 4, most: 17 } as const

/** What may stand between the digits: spaces, dashes, brackets, dots and slashes, of whichever keyboard. */
const separators = /[\s\p{Pd}\u2212().[\]/·]/gu

/** What is copied along unseen with a number, such as marks of the direction that it is written in. */
const unseen = /\p{Cf}/gu

/** Written between the country's code and the rest, and never dialled there: `+44 (0)20 7946 0042`. */
const trunkZero = /\(\s*0\s*\)/g

const bare = (text: string) => text.normalize('NFKC').replaceAll(unseen, '').replaceAll(trunkZero, ' ')

export const isPartOfNumber = (text: string): boolean =>
  /^\+?\d*$/.test(bare(text).replaceAll(separators, ''))

/** The digits of a phone number or a part of one, in any way of writing it; `undefined` for what is none. */
export function readDigits(text: string): string | undefined {
  const written = bare(text).replaceAll(separators, '')
  return /^\+?\d+$/.test(written) ? written.replace('+', '') : undefined
}

/** As short as it can be written: without the `00` before a country's code, or the `0` before an area's. */
const stems = (digits: string): readonly string[] => {
  // Fewer digits are the last ones of a number: `0042` is meant as it stands.
  const rest = digits.replace(/^00?/, '')
  return rest.length >= 7 && rest !== digits ? [digits, rest] : [digits]
}

export const isSearchable = ({ length }: string): boolean =>
  length >= NUMBER_DIGITS.least && length <= NUMBER_DIGITS.most

/** Whether the number ends in or contains what is looked for. @param digits of `readDigits`, or several with commas between them */
export function hasDigits(number: string, digits: string): boolean {
  const own = bare(number).replaceAll(/\D/g, '')
  return digits.split(',').some((one) => stems(one).some((stem) => own.includes(stem)))
}

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
