import { isPlainWord, isVisible, joinWords, splitWords, type Word } from '../slack/routing/split-words.ts'
import { notUnderstoodText } from '../slack/routing/words.ts'
import { dayLabel, type LocalDay } from '../time/days.ts'
import { withMentionNames } from '../util/mentions.ts'
import { suggest } from '../util/suggest.ts'
import { cleanTyped, fold } from '../util/text.ts'
import { looksLikeDay } from './day-filters.ts'
import type { Filter, ParsedFilters, ParseResult, ValueChoice } from './filter.ts'
import { countDigits } from './filters.ts'

export interface Grammar {
  readonly filters: readonly Filter[]
  /** Says why the filters can't be combined. */
  conflict?(filters: ParsedFilters, today: LocalDay): string | undefined
}

/** Adjacent words that belong together: a filter's key and value, or words outside the grammar. */
interface Part {
  readonly words: readonly Word[]
  readonly filter?: Filter
  /** The value, without the key. */
  readonly text: string
  readonly result?: ParseResult | undefined
}

export interface ParsedWords {
  readonly filters: ParsedFilters
  /** Words outside the grammar: adjacent ones form one name, quoted ones stand alone. */
  readonly names: readonly string[]
  /** The first problem, not escaped. */
  readonly problem: string | undefined
  /**
   * Corrects misspelled words; `undefined` if one stays unknown.
   * @param nameWords folded words of names that people may mean
   */
  suggest(nameWords?: readonly string[]): string | undefined
  /** The words with each reading of an ambiguous value. */
  readonly choices: readonly ValueChoice[]
}

/** `5 Nov 2026 .. 9 Nov 2026`. Bounds the work for each word. */
const MAX_VALUE_WORDS = 7
/** A number of 17 digits may be typed as 17 words. */
const MAX_NUMBER_WORDS = 18

/** Keeps the word as typed for messages. */
const toOrdinary = (word: Word): Word => ({ ...word, value: withMentionNames(cleanTyped(word.value)) })

export function parseWords(typed: readonly Word[], grammar: Grammar, today: LocalDay): ParsedWords {
  const words = typed.filter(isVisible).map(toOrdinary)
  const parts = new Splitter(words, grammar, today).split()
  const unknown = parts.filter(({ filter }) => filter === undefined)
  const { filters, problem } = merge(parts, today)
  const unknownWords = unknown.flatMap((part) => part.words)
  const unknownKeys = unknownWords.filter(({ key }) => key !== undefined)
  const [explained] = unknownWords.flatMap((word) => explainWord(word, grammar) ?? [])
  return {
    filters,
    names: unknown.map(({ text }) => text),
    problem:
      unknownKeys.length > 0
        ? notUnderstoodText(joinWords(unknownKeys))
        : (problem ?? explained ?? grammar.conflict?.(filters, today)),
    choices: listChoices(parts),
    suggest(nameWords = []) {
      const suggested: Word[] = []
      for (const part of parts) {
        const corrected = correct(part, grammar, nameWords)
        if (corrected === undefined) return undefined
        suggested.push(...corrected)
      }
      const { names, problem: remaining } = parseWords(suggested, grammar, today)
      const isUnderstood = remaining === undefined && names.every((name) => areNameWords(name, nameWords))
      const text = joinWords(suggested)
      return isUnderstood && text !== joinWords(words) ? text : undefined
    },
  }
}

function listChoices(parts: readonly Part[]): readonly ValueChoice[] {
  const ambiguous = parts.find(({ result }) => result && 'choices' in result)
  if (!ambiguous?.result || !('choices' in ambiguous.result)) return []
  const { filter, result } = ambiguous
  const choices: ValueChoice[] = []
  for (const { label, text } of result.choices ?? []) {
    const value = filter?.hasKey ? `${filter.name}:${text}` : text
    const written = parts.map((part) => (part === ambiguous ? value : joinWords(part.words)))
    choices.push({ label, text: written.join(' ') })
  }
  return choices
}

function merge(parts: readonly Part[], today: LocalDay): { filters: ParsedFilters; problem?: string } {
  const filters: ParsedFilters = {}
  const earlier = new Map<string, { readonly value: unknown; readonly text: string }>()
  for (const { words, filter, result } of parts) {
    if (filter === undefined) continue
    const text = joinWords(words)
    if (result === undefined)
      return { filters, problem: `${notUnderstoodText(text)} ${filter.hint ?? ''}`.trimEnd() }
    if ('problem' in result) return { filters, problem: result.problem }
    for (const [name, value] of Object.entries(result.filters)) {
      const other = earlier.get(name)
      if (other && other.value !== value)
        return { filters, problem: `Choose "${other.text}" or "${text}", not both.` }
      earlier.set(name, { value, text })
    }
    Object.assign(filters, result.filters)
  }
  const { from, to } = filters
  if (from && to && to < from)
    return { filters, problem: `The end date (${to}) is before the start date (${from}).` }
  if (from && from > today) return { filters, problem: `${dayLabel(from)} is in the future.` }
  return { filters }
}

function explainWord(word: Word, { filters }: Grammar): string | undefined {
  if (!isPlainWord(word)) return undefined
  for (const filter of filters) {
    const text = filter.explain?.(word.value)
    if (text !== undefined) return text
  }
  return undefined
}

/** Returns `undefined` if a word is like no value. */
function correct(
  { words, filter, text, result }: Part,
  grammar: Grammar,
  nameWords: readonly string[],
): readonly Word[] | undefined {
  if (filter === undefined) return correctWords(words, grammar, nameWords)
  if (result !== undefined && 'filters' in result) return words
  const meant = result?.meant ?? suggest([text], filter.vocabulary ?? [])?.[0]
  if (meant === undefined) return undefined
  return splitWords(filter.hasKey ? `${filter.name}:${meant}` : meant)
}

function correctWords(
  words: readonly Word[],
  grammar: Grammar,
  nameWords: readonly string[],
): readonly Word[] | undefined {
  const corrected: Word[] = []
  for (const word of words) {
    if (explainWord(word, grammar) !== undefined) return undefined
    const written = correctWord(word, grammar, nameWords)
    if (written === undefined) return undefined
    corrected.push(...(written === word.written ? [word] : splitWords(written)))
  }
  return corrected
}

const areNameWords = (text: string, nameWords: readonly string[]): boolean =>
  fold(text)
    .split(' ')
    .every((word) => nameWords.includes(word))

export const plainVocabulary = (filters: readonly Filter[]): readonly string[] =>
  filters.flatMap(({ isPlain, vocabulary = [] }) => (isPlain ? vocabulary : []))

function correctWord(
  { written, key, value, quoted }: Word,
  { filters }: Grammar,
  nameWords: readonly string[],
): string | undefined {
  if (key !== undefined) {
    const keys = filters.filter(({ hasKey }) => hasKey).map(({ name }) => name)
    const [nearest] = suggest([key], keys) ?? []
    return nearest && `${nearest}:${quoted ? `"${value}"` : value}`
  }
  if (quoted) return areNameWords(value, nameWords) ? written : undefined
  if (/^\d+$/.test(value)) return value
  return suggest([value], [...plainVocabulary(filters), ...nameWords])?.[0]
}

interface PlainValue {
  readonly filter: Filter
  /** Number of words. */
  readonly count: number
}

class Splitter {
  readonly #words
  readonly #filters
  readonly #today
  /** The value that starts at each word. Numbers are left out: where they end depends on these. */
  readonly #plainValues: readonly (PlainValue | undefined)[]

  constructor(words: readonly Word[], { filters }: Grammar, today: LocalDay) {
    this.#words = words
    this.#filters = filters
    this.#today = today
    this.#plainValues = words.map((_, at) => this.#findPlainValue(at))
  }

  split(): readonly Part[] {
    const parts: Part[] = []
    for (let at = 0; at < this.#words.length; ) {
      const part = this.#readPart(at)
      parts.push(part)
      at += part.words.length
    }
    return parts
  }

  #readPart(at: number): Part {
    const filter = this.#findKey(at)
    if (filter) return this.#readKeyedPart(at, filter)
    const plain = this.#plainValues[at] ?? this.#findNumber(at)
    if (plain) return this.#createPart(at, plain.count, plain.filter)
    const isName = (next: number) => this.#isUnknown(next) && !this.#findNumber(next)
    const words = this.#words.slice(at, at + Math.max(1, this.#countWhile(at, isName)))
    return { words, text: words.map(({ value }) => value).join(' ') }
  }

  /** Accepts `agent:`, and `agent` before a word that could be its value. */
  #findKey(at: number): Filter | undefined {
    const [word, next] = [this.#words[at], this.#words[at + 1]]
    const isKey = isPlainWord(word) && !this.#plainValues[at] && next && next.key === undefined
    const key = isKey ? fold(word.value) : word?.key
    if (key === undefined) return undefined
    return this.#filters.find(
      ({ hasKey, name, otherKeys = [] }) => hasKey && (name === key || otherKeys.includes(key)),
    )
  }

  /** Reads `agent:anna smith`, `agent: anna smith` or `agent anna smith`. */
  #readKeyedPart(at: number, filter: Filter): Part {
    const [word, next] = [this.#words[at], this.#words[at + 1]]
    const isKeyAlone = word?.key === undefined || (word.value === '' && !word.quoted)
    if (!isKeyAlone)
      return this.#createPart(at, word.quoted ? 1 : 1 + this.#countMore(at + 1, filter, word.value), filter)
    if (!next || next.key !== undefined) return this.#createPart(at, 1, filter, 1)
    const count = next.quoted ? 1 : Math.max(1, this.#countMore(at + 1, filter))
    return this.#createPart(at, 1 + count, filter, 1)
  }

  /** Counts the words after the value's first one: `Nov` in `from:5 Nov`. */
  #countMore(start: number, filter: Filter, value = ''): number {
    if (filter.continues === 'words') return this.#countWhile(start, this.#isUnknown)
    if (filter.continues === 'digits')
      return Math.max(0, countDigits([value, ...this.#unknownValues(start)]) - 1)
    return this.#countLongest(start, (words) => {
      const result = filter.parse(`${value} ${words}`.trim(), this.#today)
      return result !== undefined && 'filters' in result
    })
  }

  /** Counts the most words that are accepted together. */
  #countLongest(start: number, accepts: (words: string) => boolean, max = MAX_VALUE_WORDS): number {
    const count = this.#countWhile(start, (at) => isPlainWord(this.#words[at]), max)
    const values = this.#values(start, count)
    return values.findLastIndex((_, index) => accepts(values.slice(0, index + 1).join(' '))) + 1
  }

  /** @param skipped words before the value: 1 for a key that stands alone */
  #createPart(at: number, count: number, filter: Filter, skipped = 0): Part {
    const text = this.#values(at + skipped, count - skipped).join(' ')
    const words = this.#words.slice(at, at + count)
    return { words, filter, text, result: filter.parse(text, this.#today) }
  }

  /** Prefers the longest value: `in november` is a range, although `in` is a direction. */
  #findPlainValue(at: number): PlainValue | undefined {
    let longest: PlainValue | undefined
    for (const filter of this.#filters) {
      if (!filter.isPlain || filter.continues) continue
      const accepts = (words: string) => filter.parse(words, this.#today) !== undefined
      const count = this.#countLongest(at, accepts, filter.maxWords)
      if (count > (longest?.count ?? 0)) longest = { filter, count }
    }
    return longest
  }

  #findNumber(at: number): PlainValue | undefined {
    const filter = this.#filters.find(({ continues }) => continues === 'digits')
    if (!filter || looksLikeDay(this.#words[at]?.value ?? '')) return undefined
    const values = this.#unknownValues(at)
    const count = countDigits(values)
    const isNumber = filter.parse(values.slice(0, count).join(' '), this.#today) !== undefined
    return isNumber ? { filter, count } : undefined
  }

  /** Whether the word may be part of a name or number. */
  readonly #isUnknown = (at: number): boolean =>
    isPlainWord(this.#words[at]) && !this.#plainValues[at] && !this.#findKey(at)

  #countWhile(start: number, matches: (at: number) => boolean, max = Number.POSITIVE_INFINITY): number {
    let count = 0
    while (count < max && matches(start + count)) count += 1
    return count
  }

  #unknownValues(start: number): readonly string[] {
    return this.#values(start, this.#countWhile(start, this.#isUnknown, MAX_NUMBER_WORDS))
  }

  #values(start: number, count: number): readonly string[] {
    return this.#words.slice(start, start + count).map(({ value }) => value)
  }
}
