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

export const isSearchable = ({ length }: string): boolean =>
  length >= NUMBER_DIGITS.min && length <= NUMBER_DIGITS.max

/**
 * Whether the number contains the digits, or what follows the `00` before a country code or the `0` before an area code.
 * @param digits Result of `readDigits`.
 */
export function hasDigits(number: string, digits: string): boolean {
  const own = normalize(number).replaceAll(/\D/g, '')
  const rest = digits.replace(/^00?/, '')
  // Fewer digits are the last ones of a number, such as `0042`.
  return own.includes(digits) || (rest.length >= 7 && own.includes(rest))
}

export type WriteNumber = (number: string) => string

const MAX_WRITTEN = 10_000

/** Loads the formatting of whole numbers with their country code (`+44 20 7946 0042`), which takes 60 ms and 3 MB. */
export const loadNumberWriter = once(async (): Promise<WriteNumber> => {
  const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/max')
  // An account's own numbers recur, and formatting one takes 30 µs. An LRU cache took 15 µs per page.
  const formatted = new Map<string, string>()
  return (number) => {
    if (!number.startsWith('+')) return number
    const known = formatted.get(number)
    if (known !== undefined) return known
    const parsed = parse(number)
    const written = parsed?.isValid() ? parsed.formatInternational() : number
    if (formatted.size >= MAX_WRITTEN) formatted.clear()
    formatted.set(number, written)
    return written
  }
})

export interface NamedLine {
  /** In the service's notation. */
  readonly number: string
  readonly name: string
}

/** Returns a number's digits for comparison: `+49 30 1234` and `0049301234` have the same. */
export const lineKey = (number: string): string => {
  const digits = number.replaceAll(/\D/g, '').replace(/^00/, '')
  return digits === '' ? number.trim() : digits
}

const MIN_DIGITS = 4
/** Fewer digits may be a part of a number, or lack the country code. */
const MIN_WHOLE_DIGITS = 11

export class LineNames {
  static readonly none = new LineNames()

  readonly lines: readonly NamedLine[]
  /** Formats a number for people. */
  readonly write: WriteNumber
  readonly #names: ReadonlyMap<string, string>

  constructor(lines: readonly NamedLine[] = [], write: WriteNumber = (number) => number) {
    this.lines = lines
    this.write = write
    this.#names = new Map(lines.map(({ number, name }) => [lineKey(number), name]))
  }

  readonly getName = (number: string): string | undefined =>
    this.#names.size === 0 ? undefined : this.#names.get(lineKey(number))

  /** Returns the name, or the number if it has none. */
  readonly getLabel = (number: string): string => this.getName(number) ?? this.write(number)

  /** Returns `Sales Berlin · +49 30 23125042`, or the number alone. */
  readonly getDetail = (number: string): string => {
    const [name, written] = [this.getName(number), this.write(number)]
    return name === undefined ? written : `${name} · ${written}`
  }

  /** Describes searched digits: a line's name or a whole number; `undefined` for a part of a number. */
  readonly getMeaning = (digits: string): string | undefined => {
    const whole = digits.length < MIN_WHOLE_DIGITS ? undefined : this.write(`+${digits}`)
    return this.getName(digits) ?? (whole === `+${digits}` ? undefined : whole)
  }

  /** Returns all numbers once, those with a name first. */
  numbersWith(others: readonly string[]): readonly string[] {
    const numbers = [...this.lines.map(({ number }) => number), ...others.toSorted()]
    const byKey = Map.groupBy(numbers.filter(lineKey), lineKey)
    return [...byKey.values()].flatMap(([first = '']) => first)
  }

  /** Finds lines by name, part of a name or digits, whole names first. A number without a name is a line, too. */
  matching(text: string): readonly { readonly number: string; readonly name?: string }[] {
    const lower = text.trim().toLowerCase()
    const exact = this.lines.filter(({ name }) => name.toLowerCase() === lower)
    if (exact.length > 0) return exact
    const named = this.lines.filter(({ name }) => name.toLowerCase().includes(lower))
    const isNumber = /^[+\d][\d\s()./-]*$/.test(text.trim())
    if (named.length > 0 || !isNumber || text.replaceAll(/\D/g, '').length < MIN_DIGITS) return named
    const numbered = this.lines.filter(({ number }) => isOfLine(number, text))
    return numbered.length > 0 ? numbered : [{ number: text.replaceAll(/[^+\d]/g, '') }]
  }
}

/** Whether the number is that line's, which may be abbreviated to its last digits. */
export function isOfLine(number: string, line: string): boolean {
  const own = lineKey(number)
  const written = line.replaceAll(/\D/g, '')
  return own === lineKey(line) || (written.length >= MIN_DIGITS && own.endsWith(written))
}
