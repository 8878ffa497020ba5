import { once } from '../util/promises.ts'

/** In a search, fewer digits match nearly every number; no number has more, even with `00`. */
export const NUMBER_DIGITS = { min: 4, max: 17 } as const

/** Spaces, dashes, brackets, dots and slashes of any keyboard. */
const SEPARATORS = /[\s\p{Pd}\u2212().[\]/·]/gu

/** Characters that are copied with a number, such as direction marks. */
const INVISIBLE = /\p{Cf}/gu

/** Never dialed after a country code: `+44 (0)20 7946 0042`. No search needs it, because a part of a number is enough. */
const TRUNK_ZERO = /\(\s*0\s*\)/g

export const normalizeNumber = (text: string): string =>
  text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(TRUNK_ZERO, ' ')

const stripSeparators = (text: string) => normalizeNumber(text).replaceAll(SEPARATORS, '')

/** True for a `+` or brackets alone, too: a number may be written in several words. */
export const isPartOfNumber = (text: string): boolean => /^\+?\d*$/.test(stripSeparators(text))

/** Accepts phone numbers and parts of them, in any notation. */
export const readDigits = (text: string): string | undefined => /^\+?(\d+)$/.exec(stripSeparators(text))?.[1]

/** Returns the digits if they are enough for a search, and not too many. */
export function readSearchable(text: string): string | undefined {
  const digits = readDigits(text) ?? ''
  const isSearchable = digits.length >= NUMBER_DIGITS.min && digits.length <= NUMBER_DIGITS.max
  return isSearchable ? digits : undefined
}

/** The zeros of a short search, such as `0042`, are no prefix. */
const MIN_UNPREFIXED_DIGITS = 7

/** Returns the digits with and without their prefix `00` or `0`. */
export function listVariants(digits: string): readonly string[] {
  const unprefixed = digits.replace(/^00?/, '')
  return unprefixed.length >= MIN_UNPREFIXED_DIGITS ? [digits, unprefixed] : [digits]
}

/** Whether the number contains the digits, with or without their prefix. @param digits from `readDigits` */
export function hasDigits(number: string, digits: string): boolean {
  const numberDigits = normalizeNumber(number).replaceAll(/\D/g, '')
  return listVariants(digits).some((variant) => numberDigits.includes(variant))
}

export type FormatPhone = (number: string) => string

const MAX_FORMATTED = 10_000

/** Loads only when needed, because that takes 60 ms and 3 MB. */
export const loadPhoneFormat = once(async (): Promise<FormatPhone> => {
  const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/max')
  // An account's numbers recur, and formatting one takes 30 µs. An LRU cache would add 15 µs per page of calls.
  const formatted = new Map<string, string>()
  return (number) => {
    if (!number.startsWith('+')) return number
    const cached = formatted.get(number)
    if (cached !== undefined) return cached
    const parsed = parse(number)
    const text = parsed?.isValid() ? parsed.formatInternational() : number
    if (formatted.size >= MAX_FORMATTED) formatted.clear()
    formatted.set(number, text)
    return text
  }
})
