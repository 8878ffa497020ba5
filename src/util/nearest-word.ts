import { closestMatch } from 'leven'

/** A longer word may have more slips in it. */
const slipsIn = (word: string) => (word.length < 4 ? 1 : 2)

/** The candidate that differs least, where it differs little enough to be a slip of the keyboard. */
export const nearestWord = (word: string, candidates: readonly string[]): string | undefined =>
  closestMatch(word.toLowerCase(), candidates, { maxDistance: slipsIn(word) })
