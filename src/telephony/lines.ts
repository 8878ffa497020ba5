import { filterByName, matchNames, type NameMatches, ranks } from '../util/names.ts'
import { takeStart } from '../util/text.ts'
import * as phone from './phone-numbers.ts'

export interface NamedLine {
  /** In the service's notation. */
  readonly number: string
  readonly name: string
}

/** Returns what `+49 30 1234` and `0049301234` have in common: `49301234`. `*60` and `sip:sales@pbx` are lines, too. */
export function toLineKey(number: string): string {
  // Most numbers are written like this, and a report asks for each call's key.
  if (/^\+[1-9]\d*$/.test(number)) return number.slice(1)
  return phone.readDigits(number)?.replace(/^00/, '') ?? phone.normalizeNumber(number).trim().toLowerCase()
}

/** Fewer digits may be a part of a number, or lack the country code. */
const MIN_WHOLE_DIGITS = 11

/** Marks the last digits of a line: `…5042`. */
const END_MARK = '…'

/** Length that fits a button, even next to an agent's id. */
export const MAX_LINE_LENGTH = 40

/** Buttons, menus and records hold the start of a long number, so that is what is compared. */
const toCutLineKey = (number: string) => toLineKey(takeStart(number, MAX_LINE_LENGTH))

export class LineNames {
  static readonly none = new LineNames()

  readonly lines: readonly NamedLine[]
  readonly format: phone.FormatPhone
  readonly #names: ReadonlyMap<string, string>

  constructor(lines: readonly NamedLine[] = [], format: phone.FormatPhone = (number) => number) {
    this.lines = lines
    this.format = format
    this.#names = new Map(lines.map(({ number, name }) => [toCutLineKey(number), name]))
  }

  getName(number: string): string | undefined {
    return this.#names.get(toCutLineKey(number))
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
      const key = toLineKey(number)
      if (key !== '' && !numbersByKey.has(key)) numbersByKey.set(key, number)
    }
    return [...numbersByKey.values()]
  }
}

/** Takes digits without a country code for the end of a number. Returns `undefined` for text that is no number. */
function readTypedLine(text: string): string | undefined {
  const line = text.trim()
  const digits = phone.readDigits(line.replace(END_MARK, ''))
  // `*60` or `sip:sales@pbx`.
  if (digits === undefined) return /^[*#\d]|@/.test(line) ? line : undefined
  if (digits.length < phone.NUMBER_DIGITS.min) return undefined
  if (line.startsWith('+')) return `+${digits}`
  if (digits.length >= MIN_WHOLE_DIGITS) return digits
  return `${END_MARK}${digits}`
}

/** @param line its whole number, cut at `MAX_LINE_LENGTH`, or the digits that a person typed: `…5042` */
export function isOfLine(number: string, line: string): boolean {
  if (!line.startsWith(END_MARK)) return toCutLineKey(number) === toLineKey(line)
  const digits = phone.readDigits(number) ?? ''
  return phone.listVariants(line.slice(END_MARK.length)).some((end) => digits.endsWith(end))
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
  const digits = phone.readDigits(text)
  if (digits === undefined) return found
  const withDigits = numbers.filter((number) => phone.hasDigits(number, digits))
  return [...new Set([...found, ...withDigits])]
}
