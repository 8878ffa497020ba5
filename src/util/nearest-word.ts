import { closestMatch } from 'leven'

/** A longer word may have more slips in it. */
const slipsIn = (word: string) => (word.length < 4 ? 1 : 2)

/** The candidate that differs least, where it differs little enough to be a slip of the keyboard: hardly ever in the first letter. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const alike = candidates.filter((one) => one.startsWith(lower.slice(0, 1)))
  return closestMatch(lower, alike, { maxDistance: slipsIn(word) })
}
