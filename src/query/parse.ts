import {
  isPlainWord,
  isVisible,
  joinWords,
  notUnderstoodText,
  splitWords,
  type Word,
} from '../slack/routing/words.ts'
import { dayLabel, type LocalDay } from '../time/days.ts'
import { withMentionNames } from '../util/mentions.ts'
import { suggest } from '../util/suggest.ts'
import { cleanTyped, fold } from '../util/text.ts'
import { looksLikeDay } from './filters/day-filters.ts'
import type { Filter, ParsedFilters, ParseResult, ValueChoice } from './filters/filter.ts'
import { countDigits } from './filters/filters.ts'

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
/** `compare 1 Nov 2026 with 1 Nov 2025` */
const MAX_PLAIN_WORDS = 8
/** A number of 17 digits may be typed as 17 words. */
const MAX_NUMBER_WORDS = 18

/** Keeps the word as typed for messages. */
const toOrdinary = (word: Word): Word => ({ ...word, value: withMentionNames(cleanTyped(word.value)) })

export function parseWords(typed: readonly Word[], grammar: Grammar, today: LocalDay): ParsedWords {
  const words = typed.filter(isVisible).map(toOrdinary)
  const parts = new Splitter(grammar, today).split(words)
  const unknownParts = parts.filter(({ filter }) => filter === undefined)
  const { filters, problem } = merge(parts, today)
  const unknownWords = unknownParts.flatMap((part) => part.words)
  return {
    filters,
    names: unknownParts.map(({ text }) => text),
    problem: explainUnknown(unknownWords, grammar, problem) ?? grammar.conflict?.(filters, today),
    choices: listChoices(parts),
    suggest: (nameWords = []) => suggestWords(parts, { grammar, nameWords, today }),
  }
}

/** @param problem with the values of filters */
function explainUnknown(
  words: readonly Word[],
  grammar: Grammar,
  problem: string | undefined,
): string | undefined {
  const keyedWords = words.filter(({ key }) => key !== undefined)
  if (keyedWords.length > 0) return notUnderstoodText(joinWords(keyedWords))
  if (problem !== undefined) return problem
  for (const word of words) {
    const explanation = explainWord(word, grammar)
    if (explanation !== undefined) return explanation
  }
  return undefined
}

interface Correction {
  readonly grammar: Grammar
  readonly nameWords: readonly string[]
  readonly today: LocalDay
}

function suggestWords(parts: readonly Part[], { grammar, nameWords, today }: Correction): string | undefined {
  const suggested: Word[] = []
  for (const part of parts) {
    const corrected = correct(part, grammar, nameWords)
    if (corrected === undefined) return undefined
    suggested.push(...corrected)
  }
  const { names, problem } = parseWords(suggested, grammar, today)
  if (problem !== undefined || !names.every((name) => areNameWords(name, nameWords))) return undefined
  const text = joinWords(suggested)
  return text === joinWords(parts.flatMap(({ words }) => words)) ? undefined : text
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

/** A word and what it could begin, apart from a number: where that ends depends on the values after it. */
interface Token {
  readonly word: Word
  readonly plainValue: PlainValue | undefined
  /** Set for `agent:`, and for `agent` before a word that could be its value. */
  readonly keyOf: Filter | undefined
}

class Splitter {
  readonly #filters
  readonly #today

  constructor({ filters }: Grammar, today: LocalDay) {
    this.#filters = filters
    this.#today = today
  }

  split(words: readonly Word[]): readonly Part[] {
    const parts: Part[] = []
    let rest = words.map((word, index) => this.#toToken(word, words.slice(index, index + MAX_PLAIN_WORDS)))
    while (rest.length > 0) {
      const part = this.#readPart(rest)
      parts.push(part)
      rest = rest.slice(part.words.length)
    }
    return parts
  }

  /** @param words the word and those after it */
  #toToken(word: Word, words: readonly Word[]): Token {
    const next = words[1]
    const plainValue = this.#findPlainValue(words)
    let key = word.key
    if (isPlainWord(word) && !plainValue && next && next.key === undefined) key = fold(word.value)
    return { word, plainValue, keyOf: key === undefined ? undefined : this.#findKey(key) }
  }

  #findKey(key: string): Filter | undefined {
    return this.#filters.find(
      ({ hasKey, name, otherKeys = [] }) => hasKey && (name === key || otherKeys.includes(key)),
    )
  }

  /** Prefers the longest value: `in november` is a range, although `in` is a direction. */
  #findPlainValue(words: readonly Word[]): PlainValue | undefined {
    let longest: PlainValue | undefined
    for (const filter of this.#filters) {
      if (!filter.isPlain || filter.continues) continue
      const accepts = (text: string) => filter.parse(text, this.#today) !== undefined
      const count = countLongest(words, accepts, filter.maxWords)
      if (count > (longest?.count ?? 0)) longest = { filter, count }
    }
    return longest
  }

  #readPart(tokens: readonly Token[]): Part {
    const [first] = tokens
    if (first?.keyOf) return this.#readKeyedPart(first.keyOf, tokens)
    const plainValue = first?.plainValue ?? this.#findNumber(tokens)
    if (plainValue) return this.#createPart(tokens, plainValue.count, plainValue.filter)
    const end = tokens.findIndex((token, index) => !isUnknown(token) || this.#findNumber(tokens.slice(index)))
    const words = tokens.slice(0, end === -1 ? tokens.length : Math.max(1, end)).map(({ word }) => word)
    return { words, text: joinValues(words) }
  }

  /** Reads `agent:anna smith`, `agent: anna smith` or `agent anna smith`. */
  #readKeyedPart(filter: Filter, tokens: readonly Token[]): Part {
    const [first, next] = tokens.map(({ word }) => word)
    const isKeyAlone = first?.key === undefined || (first.value === '' && !first.quoted)
    if (!isKeyAlone) {
      const count = first.quoted ? 0 : this.#countMore(tokens.slice(1), filter, first.value)
      return this.#createPart(tokens, 1 + count, filter)
    }
    if (!next || next.key !== undefined) return this.#createPart(tokens, 1, filter, 1)
    const count = next.quoted ? 1 : Math.max(1, this.#countMore(tokens.slice(1), filter))
    return this.#createPart(tokens, 1 + count, filter, 1)
  }

  /** Counts the words that continue a value: `Nov` after `from:5`. */
  #countMore(tokens: readonly Token[], filter: Filter, value = ''): number {
    if (filter.continues === 'words') return listUnknown(tokens, tokens.length).length
    if (filter.continues === 'digits') {
      const values = listUnknown(tokens, MAX_NUMBER_WORDS)
      return Math.max(0, countDigits([value, ...values]) - 1)
    }
    const words = tokens.slice(0, MAX_VALUE_WORDS).map(({ word }) => word)
    return countLongest(words, (text) => {
      const result = filter.parse(`${value} ${text}`.trim(), this.#today)
      return result !== undefined && 'filters' in result
    })
  }

  /** @param skipped words before the value: 1 for a key that stands alone */
  #createPart(tokens: readonly Token[], count: number, filter: Filter, skipped = 0): Part {
    const words = tokens.slice(0, count).map(({ word }) => word)
    const text = joinValues(words.slice(skipped))
    return { words, filter, text, result: filter.parse(text, this.#today) }
  }

  #findNumber(tokens: readonly Token[]): PlainValue | undefined {
    const filter = this.#filters.find(({ continues }) => continues === 'digits')
    if (!filter || looksLikeDay(tokens[0]?.word.value ?? '')) return undefined
    const values = listUnknown(tokens, MAX_NUMBER_WORDS)
    const count = countDigits(values)
    const isNumber = filter.parse(values.slice(0, count).join(' '), this.#today) !== undefined
    return isNumber ? { filter, count } : undefined
  }
}

const joinValues = (words: readonly Word[]): string => words.map(({ value }) => value).join(' ')

/** Whether the word may be part of a name or number. */
const isUnknown = ({ word, plainValue, keyOf }: Token): boolean => isPlainWord(word) && !plainValue && !keyOf

/** Returns the values of the leading words that may be part of a name or number. */
function listUnknown(tokens: readonly Token[], max: number): readonly string[] {
  const values: string[] = []
  for (const token of tokens) {
    if (values.length === max || !isUnknown(token)) break
    values.push(token.word.value)
  }
  return values
}

/** Counts the most leading plain words that are accepted together. */
function countLongest(
  words: readonly Word[],
  accepts: (text: string) => boolean,
  max = MAX_VALUE_WORDS,
): number {
  const quotedOrKeyed = words.findIndex((word) => !isPlainWord(word))
  const end = quotedOrKeyed === -1 ? words.length : quotedOrKeyed
  for (let count = Math.min(end, max); count > 0; count -= 1)
    if (accepts(joinValues(words.slice(0, count)))) return count
  return 0
}
