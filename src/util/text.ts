import { closestMatch } from 'leven'

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export const uncapital = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** `2,544`, for people. Each message says several: by Intl, they would take as long as its table. @param count a whole number */
export const numberText = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** `A`, `A and B`, `A, B and C`; of more than `most` names, those and `5 more`. */
export function joinNames(
  names: readonly string[],
  { most = names.length, word = 'and' }: { readonly most?: number; readonly word?: 'and' | 'or' } = {},
): string {
  const more = names.length - most
  const all = more > 0 ? [...names.slice(0, most), `${more} more`] : names
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`
}

const slipsIn = (word: string) => (word.length < 4 ? 1 : 2)

/** The candidate that differs least, where it differs little enough to be a slip of the keyboard: hardly ever in the first letter. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const alike = candidates.filter((one) => one.startsWith(lower.slice(0, 1)))
  return closestMatch(lower, alike, { maxDistance: slipsIn(word) })
}
