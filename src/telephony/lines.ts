import { filterByName, matchNames, type NameMatches, ranks } from '../util/names.ts'
import { once } from '../util/promises.ts'
import { takeStart } from '../util/text.ts'

/** Fewer digits match nearly every number; no number has more, even with `00`. */
export const NUMBER_DIGITS = { min: 4, max: 17 } as const

/** Spaces, dashes, brackets, dots and slashes of any keyboard. */
const SEPARATORS = /[\s\p{Pd}\u2212().[\]/·]/gu

/** Characters that are copied with a number, such as direction marks. */
const INVISIBLE = /\p{Cf}/gu

/** Never dialed after a country code: `+44 (0)20 7946 0042`. */
const TRUNK_ZERO = /\(\s*0\s*\)/g

const normalize = (text: string) =>
  text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(TRUNK_ZERO, ' ')

const stripSeparators = (text: string) => normalize(text).replaceAll(SEPARATORS, '')

/** True for a `+` or brackets alone, too: a number may be written in several words. */
export const isPartOfNumber = (text: string): boolean => /^\+?\d*$/.test(stripSeparators(text))

/** Accepts phone numbers and parts of them, in any notation. */
export const readDigits = (text: string): string | undefined => /^\+?(\d+)$/.exec(stripSeparators(text))?.[1]

/** Returns digits that are enough for a search, and not too many. */
export function readSearchable(text: string): string | undefined {
  const digits = readDigits(text) ?? ''
  const isSearchable = digits.length >= NUMBER_DIGITS.min && digits.length <= NUMBER_DIGITS.max
  return isSearchable ? digits : undefined
}

/** The zeros of a short search, such as `0042`, are no prefix. */
const MIN_UNPREFIXED_DIGITS = 7

/** Returns the digits with and without their prefix `00` or `0`. */
function getVariants(digits: string): readonly string[] {
  const unprefixed = digits.replace(/^00?/, '')
  if (unprefixed.length >= MIN_UNPREFIXED_DIGITS) return [digits, unprefixed]
  return [digits]
}

/** @param digits from `readDigits` */
export function hasDigits(number: string, digits: string): boolean {
  const numberDigits = normalize(number).replaceAll(/\D/g, '')
  return getVariants(digits).some((variant) => numberDigits.includes(variant))
}

type FormatPhone = (number: string) => string

const MAX_FORMATTED = 10_000

/** Loads only when needed, because that takes 60 ms and 3 MB. */
export const loadPhoneFormat = once(async (): Promise<FormatPhone> => {
  const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/max')
  // An account's numbers recur, and formatting one takes 30 µs. An LRU cache would add 15 µs per page of calls.
  const formatted = new Map<string, string>()
  return (number) => {
    if (!number.startsWith('+')) return number
    const known = formatted.get(number)
    if (known !== undefined) return known
    const parsed = parse(number)
    const text = parsed?.isValid() ? parsed.formatInternational() : number
    if (formatted.size >= MAX_FORMATTED) formatted.clear()
    formatted.set(number, text)
    return text
  }
})

export interface NamedLine {
  /** In the service's notation. */
  readonly number: string
  readonly name: string
}

/** Returns what `+49 30 1234` and `0049301234` have in common: `49301234`. `*60` and `sip:sales@pbx` are lines, too. */
export function lineKey(number: string): string {
  // Most numbers are written like this, and a report asks for each call's key.
  if (/^\+[1-9]\d*$/.test(number)) return number.slice(1)
  return readDigits(number)?.replace(/^00/, '') ?? normalize(number).trim().toLowerCase()
}

/** Fewer digits may be a part of a number, or lack the country code. */
const MIN_WHOLE_DIGITS = 11

/** Marks the last digits of a line: `…5042`. */
const END_MARK = '…'

/** Length that fits a button, even next to an agent's id. */
export const MAX_LINE_LENGTH = 40

/** Returns the key of a number that may have been cut for a button or a record. */
const cutLineKey = (number: string) => lineKey(takeStart(number, MAX_LINE_LENGTH))

export class LineNames {
  static readonly none = new LineNames()

  readonly lines: readonly NamedLine[]
  readonly format: FormatPhone
  readonly #names: ReadonlyMap<string, string>

  constructor(lines: readonly NamedLine[] = [], format: FormatPhone = (number) => number) {
    this.lines = lines
    this.format = format
    this.#names = new Map(lines.map(({ number, name }) => [lineKey(number), name]))
  }

  getName(number: string): string | undefined {
    return this.#names.get(cutLineKey(number))
  }

  getLabel(number: string): string {
    return this.getName(number) ?? this.format(number)
  }

  /** `Sales Berlin · +49 30 23125042` */
  getDetail(number: string): string {
    const name = this.getName(number)
    const formatted = this.format(number)
    return name === undefined ? formatted : `${name} · ${formatted}`
  }

  /** Returns a line's name or a whole number; `undefined` for a part of a number. */
  getMeaning(digits: string): string | undefined {
    const name = this.getName(digits)
    if (name !== undefined) return name
    if (digits.length < MIN_WHOLE_DIGITS) return undefined
    const number = `+${digits}`
    const formatted = this.format(number)
    // Only valid numbers are formatted.
    return formatted === number ? undefined : formatted
  }

  /** Returns each line once: those that have a name, then the others. */
  mergeNumbers(others: readonly string[]): readonly string[] {
    const namedNumbers = this.lines.map(({ number }) => number)
    const numbersByKey = new Map<string, string>()
    for (const number of [...namedNumbers, ...others.toSorted()]) {
      const key = lineKey(number)
      if (key !== '' && !numbersByKey.has(key)) numbersByKey.set(key, number)
    }
    return [...numbersByKey.values()]
  }
}

/** Takes digits without a country code for the end of a number. Returns `undefined` for text that is no number. */
function readTypedLine(text: string): string | undefined {
  const line = text.trim()
  const digits = readDigits(line.replace(END_MARK, ''))
  // `*60` or `sip:sales@pbx`.
  if (digits === undefined) return /^[*#\d]|@/.test(line) ? line : undefined
  if (digits.length < NUMBER_DIGITS.min) return undefined
  if (line.startsWith('+')) return `+${digits}`
  if (digits.length >= MIN_WHOLE_DIGITS) return digits
  return `${END_MARK}${digits}`
}

/** @param line its whole number, cut at `MAX_LINE_LENGTH`, or the digits that a person typed: `…5042` */
export function isOfLine(number: string, line: string): boolean {
  if (!line.startsWith(END_MARK)) return cutLineKey(number) === lineKey(line)
  const digits = readDigits(number) ?? ''
  return getVariants(line.slice(END_MARK.length)).some((end) => digits.endsWith(end))
}

type FoundLine = Pick<NamedLine, 'number'> & Partial<NamedLine>

/** Finds lines by name, by their whole number in any notation, or by its last digits. A number without a name is a line, too. */
export function matchLines({ lines }: LineNames, text: string): NameMatches<FoundLine> {
  const linesOfNumber = lines.filter(({ number }) => isOfLine(number, text))
  if (linesOfNumber.length > 0) return toMatches(linesOfNumber, ranks.whole)
  const matches = matchNames(lines, text)
  if (matches.found.length > 0) return matches
  const typedLine = readTypedLine(text)
  if (typedLine === undefined) return matches
  const linesOfEnd = lines.filter(({ number }) => isOfLine(number, typedLine))
  if (linesOfEnd.length > 0) return toMatches(linesOfEnd, ranks.parts)
  return toMatches([{ number: typedLine }], ranks.parts)
}

const toMatches = (
  found: readonly FoundLine[],
  rank: NameMatches<FoundLine>['rank'],
): NameMatches<FoundLine> => ({ found, isClear: found.length === 1, similar: [], rank })

/** Finds numbers by the names of their lines, and by parts of them. */
export function searchLines(numbers: readonly string[], lines: LineNames, text: string): readonly string[] {
  const items = numbers.map((number) => ({ number, name: lines.getName(number) ?? number }))
  const found = filterByName(items, text).map(({ number }) => number)
  const digits = readDigits(text)
  if (digits === undefined) return found
  const withDigits = numbers.filter((number) => hasDigits(number, digits))
  return [...new Set([...found, ...withDigits])]
}
