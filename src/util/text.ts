import { closestMatch } from 'leven'

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** `2,544`. `Intl.NumberFormat` would take longer than rendering the rest of a table. */
export const formatNumber = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

export const countNoun = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

/** `A`, `A and B`, `A, B and C`; with `max: 2`, `A, B and 3 more`. */
export function joinNames(
  names: readonly string[],
  { max = names.length, conjunction = 'and' }: { max?: number; conjunction?: 'and' | 'or' } = {},
): string {
  const parts = names.slice(0, max)
  if (names.length > max) parts.push(`${names.length - max} more`)
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`
}

/** False for an address with characters that Slack or a browser would encode. */
export const isExactLink = (url: string): boolean => /^https?:\/\/[!-~]+$/.test(url) && URL.canParse(url)

/** True for text of spaces and invisible characters. */
export function isBlank(text: string): boolean {
  // Most texts begin with a visible ASCII character, and a page of calls asks 200 times.
  const first = text.charCodeAt(0)
  if (first > 0x20 && first < 0x7f) return false
  return /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]*$/u.test(text)
}

/** Apostrophes of phones and keyboards, and accents used as such. */
const APOSTROPHES =
  /[\u2018-\u201b\u2032\u02b9\u02bb-\u02bd\u02c8\u00b4\u0060\u055a\u1fef\ua78b\ua78c\uff07\uff40]/g
const DASHES = /[\p{Pd}\u2212]/gu
/**
 * Accents of Latin, Greek and Cyrillic, and points of Hebrew and Arabic, which people leave out. Marks of other scripts are
 * letters (U+3099 and U+309A are Japanese): without them, different names in Hindi, Thai or Japanese would be the same.
 */
const ACCENTS =
  /[[[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]&&\p{Mn}]--[\u3099\u309a]]/gv
/** Direction marks, joiners, variation selectors, and the stroke that lengthens Arabic words. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]/gu
/** Letters that NFKD doesn't decompose, and the sigma that ends a word. */
const undecomposed = { æ: 'ae', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ø: 'o', œ: 'oe', ς: 'σ', þ: 'th' }
const plainLetters = new Map(Object.entries(undecomposed))
const UNDECOMPOSED = new RegExp(`[${Object.keys(undecomposed).join('')}]`, 'g')

const withSingleSpaces = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

/** Returns the same text for names that differ in case, accents, apostrophes, dashes, width or invisible characters. */
export function fold(text: string): string {
  // Most names; folding others takes ten times as long.
  if (/^[\x20-\x7e]*$/.test(text)) return withSingleSpaces(text.replaceAll('`', "'").toLowerCase())
  const visible = text.replaceAll(HIDDEN, '').replaceAll(DASHES, '-')
  // Before NFKD, which turns `´` into a space and an accent.
  const simple = visible.replaceAll(APOSTROPHES, "'")
  const letters = simple.normalize('NFKD').replaceAll(ACCENTS, '')
  // Composed, so that a Korean syllable is one letter. Upper case first: `ß` and `SS`, `ı` and `I` differ in lower case.
  const lower = letters.normalize('NFC').toUpperCase().toLowerCase()
  return withSingleSpaces(lower.replaceAll(UNDECOMPOSED, (letter) => plainLetters.get(letter) ?? letter))
}

const INVISIBLE_AROUND_WORDS =
  /(?<=^|\s)\p{Default_Ignorable_Code_Point}+|\p{Default_Ignorable_Code_Point}+(?=\s|$)/gu
/** Inside a word, joiners and selectors of emoji and of scripts are part of how it looks, so they stay. */
const INVISIBLE_IN_WORDS =
  /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\u{fe00}-\u{fe0f}\u{e0020}-\u{e007f}]]/gv
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_OFFSET = 0xfee0

/** Makes full-width characters ordinary ones, and removes invisible characters. */
export const cleanTyped = (text: string): string =>
  text
    .replaceAll(INVISIBLE_AROUND_WORDS, '')
    .replaceAll(INVISIBLE_IN_WORDS, '')
    .replaceAll(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET))

/** Cuts the text to at most `max` UTF-16 units, without cutting a character, an emoji or an accented letter. */
export function takeStart(text: string, max: number): string {
  if (max <= 0) return ''
  if (text.length <= max) return text
  // Made for each cut in 6 µs, because the first one takes 6 ms, which a start would wait for.
  const firstLeftOut = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text).containing(max)
  if (firstLeftOut && firstLeftOut.index > 0) return text.slice(0, firstLeftOut.index)
  // A single character with hundreds of marks is cut, but not a surrogate pair.
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
}

const MAX_WORD_LENGTH = 40

/** Returns the typed word if it is a candidate, else the nearest one with the same first letter. @param candidates folded */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined
  const folded = fold(word)
  if (candidates.includes(folded)) return word
  const sameInitial = candidates.filter((candidate) => candidate.startsWith(folded.slice(0, 1)))
  const maxDistance = folded.length < 4 ? 1 : 2
  return closestMatch(folded, sameInitial, { maxDistance })
}
