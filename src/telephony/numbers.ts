import { once } from '../util/promises.ts'

/** Limits of a searched number: fewer digits match nearly every number, and no number has more, with its `00`. */
export const NUMBER_DIGITS = { min: 4, max: 17 } as const

/** Spaces, dashes, brackets, dots and slashes of any keyboard. */
const SEPARATORS = /[\s\p{Pd}\u2212().[\]/·]/gu

/** Invisible characters that are copied with a number, such as direction marks. */
const INVISIBLE = /\p{Cf}/gu

/** Never dialed after a country code: `+44 (0)20 7946 0042`. */
const TRUNK_ZERO = /\(\s*0\s*\)/g

const normalize = (text: string) =>
  text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(TRUNK_ZERO, ' ')

const stripSeparators = (text: string) => normalize(text).replaceAll(SEPARATORS, '')

export const isPartOfNumber = (text: string): boolean => /^\+?\d*$/.test(stripSeparators(text))

/** Returns the digits of a phone number or a part of one, in any notation; `undefined` for other text. */
export function readDigits(text: string): string | undefined {
  const written = stripSeparators(text)
  return /^\+?\d+$/.test(written) ? written.replace('+', '') : undefined
}

/** Returns the digits, and without the `00` before a country code or the `0` before an area code. */
const variants = (digits: string): readonly string[] => {
  // Fewer digits are the last ones of a number, such as `0042`.
  const rest = digits.replace(/^00?/, '')
  return rest.length >= 7 && rest !== digits ? [digits, rest] : [digits]
}

export const isSearchable = ({ length }: string): boolean =>
  length >= NUMBER_DIGITS.min && length <= NUMBER_DIGITS.max

/** Whether the number contains the digits. @param digits Result of `readDigits`. */
export function hasDigits(number: string, digits: string): boolean {
  const own = normalize(number).replaceAll(/\D/g, '')
  return variants(digits).some((variant) => own.includes(variant))
}

export type WriteNumber = (number: string) => string

const MAX_WRITTEN = 10_000

/** Formats phone numbers: `+44 20 7946 0042`. */
export class NumberWriter {
  /** An account's own numbers recur, and formatting one takes 30 µs. */
  readonly #written = new Map<string, string>()

  /** Leaves text unchanged that isn't a whole number with its country code. */
  readonly load = once(() => this.#load())

  async #load(): Promise<WriteNumber> {
    // Loaded when it is needed: it takes 60 ms and 3 MB.
    const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/max')
    return (number) => {
      if (!number.startsWith('+')) return number
      const kept = this.#written.get(number)
      if (kept !== undefined) return kept
      const parsed = parse(number)
      const written = parsed?.isValid() ? parsed.formatInternational() : number
      // An LRU cache took 15 µs per page.
      if (this.#written.size >= MAX_WRITTEN) this.#written.clear()
      this.#written.set(number, written)
      return written
    }
  }
}
