import { fold, nearestWord } from './text.ts'

/**
 * Returns the words with misspelled ones corrected; `undefined` if one is like none of the vocabulary, because a suggestion
 * never drops a word. @param vocabulary folded
 */
export function suggest(
  words: readonly string[],
  vocabulary: readonly string[],
): readonly string[] | undefined {
  const suggested: string[] = []
  for (const word of words) {
    const meant = vocabulary.includes(fold(word)) ? word : nearestWord(word, vocabulary)
    if (meant === undefined) return undefined
    suggested.push(meant)
  }
  return suggested
}
