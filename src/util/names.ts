import { fold, nearestWord } from './text.ts'

interface Named {
  readonly name: string
  /** Compared as a whole only. */
  readonly id?: string
}

/** From the best: the whole name or id, whole words of it, starts of words, parts of words. */
export const ranks = { whole: 0, words: 1, starts: 2, parts: 3, none: 4 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

export interface NameMatches<T> {
  /** Best first; only exact ones if there are any. */
  readonly found: readonly T[]
  /** True if only one was found, or the first has all of the words, whole, and is a better match than the second. */
  readonly isClear: boolean
  /** Offered if nothing was found. */
  readonly similar: readonly T[]
  readonly rank: Rank
}

/** `Müller-Lüdenscheidt, Anna` has three words, `O'Brien` has one. */
export const splitName = (name: string): readonly string[] =>
  fold(name)
    .split(/[\s\-_.,;:/|@()[\]"“”„«»]+/)
    .filter((word) => word !== '')

/** Finds items by id or name, in words of any order. */
export function matchNames<T extends Named>(items: readonly T[], text: string): NameMatches<T> {
  const search = new NameSearch(text)
  const matches: { item: T; rank: Rank }[] = []
  for (const item of items) {
    const rank = search.rank(item)
    if (rank !== ranks.none) matches.push({ item, rank })
  }
  matches.sort((a, b) => a.rank - b.rank)
  const [best, second] = matches
  if (!best) return { found: [], isClear: false, similar: search.findSimilar(items), rank: ranks.none }
  const exact = matches.filter(({ rank }) => rank === ranks.whole)
  return {
    found: (exact.length > 0 ? exact : matches).map(({ item }) => item),
    isClear: !second || (best.rank <= ranks.words && best.rank < second.rank),
    similar: [],
    rank: best.rank,
  }
}

/** Finds all items if the text is empty, as in a menu that was just opened. */
export const filterByName = <T extends Named>(items: readonly T[], text: string): readonly T[] =>
  fold(text) === '' ? items : matchNames(items, text).found

class NameSearch {
  readonly #text
  readonly #words

  constructor(text: string) {
    // A mention: `@bo`.
    this.#text = fold(text.trim().replace(/^@/, ''))
    this.#words = splitName(this.#text)
  }

  /** A name ranks like the worst of the searched words. */
  rank({ id, name }: Named): Rank {
    if (this.#text === '') return ranks.none
    const folded = fold(name)
    if (folded === this.#text || (id !== undefined && fold(id) === this.#text)) return ranks.whole
    if (this.#words.length === 0) return folded.includes(this.#text) ? ranks.parts : ranks.none
    const nameWords = splitName(folded)
    if (this.#words.length > nameWords.length) return ranks.none
    let worst: Rank = ranks.words
    for (const word of this.#words) {
      const rank = rankWord(word, nameWords)
      if (rank > worst) worst = rank
    }
    return worst
  }

  findSimilar<T extends Named>(items: readonly T[]): readonly T[] {
    if (this.#words.length === 0) return []
    return items.filter(({ name }) => this.#isSimilar(name))
  }

  #isSimilar(name: string): boolean {
    const nameWords = splitName(name)
    const hasSimilarWord = (word: string) =>
      rankWord(word, nameWords) !== ranks.none || nearestWord(word, nameWords) !== undefined
    return this.#words.every(hasSimilarWord) || nearestWord(this.#text, [fold(name)]) !== undefined
  }
}

function rankWord(word: string, nameWords: readonly string[]): Rank {
  if (nameWords.includes(word)) return ranks.words
  if (nameWords.some((nameWord) => nameWord.startsWith(word))) return ranks.starts
  if (nameWords.some((nameWord) => nameWord.includes(word))) return ranks.parts
  return ranks.none
}
