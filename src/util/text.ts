import { closestMatch } from 'leven'

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export const uncapitalize = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** Formats a whole number: `2,544`. Intl would take longer than the rest of a table. */
export const numberText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** `A`, `A and B`, `A, B and C`; beyond `max` names, how many more there are. */
export function joinNames(
  names: readonly string[],
  { max = names.length, word = 'and' }: { readonly max?: number; readonly word?: 'and' | 'or' } = {},
): string {
  const more = names.length - max
  const all = more > 0 ? [...names.slice(0, max), `${more} more`] : names
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`
}

const MAX_WORD_LENGTH = 40

/** Returns the most similar candidate with the same first letter, in which typing errors are rare. @param candidates in lower case */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined
  const lower = word.toLowerCase()
  const sameInitial = candidates.filter((candidate) => candidate.startsWith(lower.slice(0, 1)))
  return closestMatch(lower, sameInitial, { maxDistance: word.length < 4 ? 1 : 2 })
}

const nameWords = (name: string) => name.toLowerCase().split(/[\s-]+/)

/** Returns the items with this name; if there are none, those whose names contain all of its words. */
export function matchNames<T extends { readonly name: string }>(
  items: readonly T[],
  text: string,
): readonly T[] {
  const lower = text.trim().toLowerCase()
  const exact = items.filter(({ name }) => name.trim().toLowerCase() === lower)
  if (exact.length > 0 || lower === '') return exact
  const words = [...new Set(nameWords(lower))]
  return items.filter(({ name }) => {
    const own = nameWords(name)
    return words.length <= own.length && words.every((word) => own.includes(word))
  })
}
