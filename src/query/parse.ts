import * as typing from '../slack/routing/words.ts'
import { dayLabel, type LocalDay } from '../time/days.ts'
import { withMentionNames } from '../util/mentions.ts'
import { cleanTyped, fold, nearestWord } from '../util/text.ts'
import { looksLikeDay, notADayText } from './filters/day-filters.ts'
import { type Filter, type ParsedFilters, type ParseResult, writeValue } from './filters/filter.ts'
import { countDigits } from './filters/filters.ts'

/** Adjacent words that belong together: a filter's key and value, or words outside the grammar. */
interface Part {
  readonly words: readonly typing.Word[]
  /** Left out for words outside the grammar. */
  readonly filter?: Filter
  /** The value, without the key. */
  readonly text: string
  /** Undefined if the text is no value of the filter. */
  readonly result?: ParseResult | undefined
}

export interface ParsedWords {
  readonly filters: ParsedFilters
  /** Words outside the grammar: adjacent ones form one name, quoted ones stand alone. */
  readonly names: readonly string[]
  /** The first problem, not escaped. */
  readonly problem: string | undefined
  /** Corrects misspelled words; `undefined` without a valid correction. @param nameWords folded words of names that may be meant */
  suggest(nameWords?: readonly string[]): string | undefined
  /** The words with each reading of an ambiguous value. */
  readonly choices: readonly string[]
}

/** `written` stays as typed, for messages. */
const cleanWord = (word: typing.Word) => ({ ...word, value: withMentionNames(cleanTyped(word.value)) })

export function parseWords(
  typed: readonly typing.Word[],
  grammar: readonly Filter[],
  today: LocalDay,
): ParsedWords {
  const words = typed.filter(typing.isVisible).map(cleanWord)
  const parts = new Splitter(grammar, today).split(words)
  const unknownParts = parts.filter(({ filter }) => filter === undefined)
  const unknownWords = unknownParts.flatMap((part) => part.words)
  const { filters, problem } = mergeFilters(parts, today)
  return {
    filters,
    names: unknownParts.map(({ text }) => text),
    // A misspelled key comes first, because the words after it may have been read as something else.
    problem: explainUnknownKeys(unknownWords) ?? problem ?? explainWrongDays(unknownWords),
    choices: listChoices(parts),
    suggest(nameWords = []) {
      const corrected = parts.map((part) => correctPart(part, grammar, nameWords))
      if (corrected.includes(undefined)) return undefined
      const text = corrected.join(' ')
      if (text === typing.joinWords(words)) return undefined
      const reparsed = parseWords(typing.splitWords(text), grammar, today)
      const areNamesKnown = reparsed.names.every((name) => areNameWords(name, nameWords))
      return reparsed.problem === undefined && areNamesKnown ? text : undefined
    },
  }
}

function explainUnknownKeys(words: readonly typing.Word[]): string | undefined {
  const keyedWords = words.filter(({ key }) => key !== undefined)
  return keyedWords.length === 0 ? undefined : typing.notUnderstoodText(typing.joinWords(keyedWords))
}

function explainWrongDays(words: readonly typing.Word[]): string | undefined {
  const day = words.find((word) => typing.isPlainWord(word) && looksLikeDay(word.value))
  return day && notADayText(day.value)
}

function mergeFilters(parts: readonly Part[], today: LocalDay): { filters: ParsedFilters; problem?: string } {
  const filters: ParsedFilters = {}
  const earlierParts = new Map<string, { readonly value: unknown; readonly text: string }>()
  for (const { words, filter, result } of parts) {
    if (filter === undefined) continue
    const text = typing.joinWords(words)
    if (!result)
      return { filters, problem: `${typing.notUnderstoodText(text)} ${filter.hint ?? ''}`.trimEnd() }
    if (result.problem !== undefined) return { filters, problem: result.problem }
    for (const [name, value] of Object.entries(result.filters ?? {})) {
      const earlierPart = earlierParts.get(name)
      if (earlierPart && earlierPart.value !== value)
        return { filters, problem: `Choose "${earlierPart.text}" or "${text}", not both.` }
      earlierParts.set(name, { value, text })
    }
    Object.assign(filters, result.filters)
  }
  const { from, to } = filters
  if (from && to && to < from)
    return { filters, problem: `The end date (${to}) is before the start date (${from}).` }
  if (from && from > today) return { filters, problem: `${dayLabel(from)} is in the future.` }
  return { filters }
}

function listChoices(parts: readonly Part[]): readonly string[] {
  const index = parts.findIndex(({ result }) => result?.choices)
  const ambiguous = parts[index]
  if (!ambiguous?.filter) return []
  const { filter, result } = ambiguous
  const written = parts.map(({ words }) => typing.joinWords(words))
  const choices = result?.choices ?? []
  return choices.map((value) => written.with(index, writeValue(filter, value)).join(' '))
}

/** Returns `undefined` if a word is like no value. */
function correctPart(part: Part, grammar: readonly Filter[], nameWords: readonly string[]) {
  const { words, filter, text, result } = part
  if (filter === undefined) {
    const corrected = words.map((word) => correctWord(word, grammar, nameWords))
    return corrected.includes(undefined) ? undefined : corrected.join(' ')
  }
  if (result?.filters) return typing.joinWords(words)
  const meant = result?.meant ?? nearestWord(text, filter.vocabulary ?? [])
  return meant === undefined ? undefined : writeValue(filter, meant)
}

const areNameWords = (text: string, nameWords: readonly string[]): boolean =>
  fold(text)
    .split(' ')
    .every((word) => nameWords.includes(word))

export const plainVocabulary = (filters: readonly Filter[]): readonly string[] =>
  filters.flatMap(({ isPlain, vocabulary = [] }) => (isPlain ? vocabulary : []))

function correctWord(word: typing.Word, grammar: readonly Filter[], nameWords: readonly string[]) {
  const { written, key, value, isQuoted } = word
  if (key !== undefined) {
    const keys = grammar.filter(({ hasKey }) => hasKey).map(({ name }) => name)
    const nearest = nearestWord(key, keys)
    if (nearest === undefined) return undefined
    return isQuoted ? `${nearest}:"${value}"` : `${nearest}:${value}`
  }
  if (isQuoted) return areNameWords(value, nameWords) ? written : undefined
  // Kept for `5 novmber`, where only the month is wrong. A date that doesn't exist is like no word.
  if (/^\d+$/.test(value)) return value
  if (looksLikeDay(value)) return undefined
  return nearestWord(value, [...plainVocabulary(grammar), ...nameWords])
}

/** `compare 1 Nov 2026 with 1 Nov 2025` has eight. Bounds the work for each word. */
const MAX_VALUE_WORDS = 8
/** A `+` and 17 digits may be typed as 18 words. */
const MAX_NUMBER_WORDS = 18

interface PlainValue {
  readonly filter: Filter
  readonly wordCount: number
}

/** A word, and the value or key that may begin there. Numbers are found later, because they end where another value begins. */
interface Token {
  readonly word: typing.Word
  readonly plainValue: PlainValue | undefined
  /** Set for `agent:`, and for `agent` before a word that could be its value. */
  readonly keyOf: Filter | undefined
}

class Splitter {
  readonly #grammar
  readonly #today

  constructor(grammar: readonly Filter[], today: LocalDay) {
    this.#grammar = grammar
    this.#today = today
  }

  split(words: readonly typing.Word[]): readonly Part[] {
    const parts: Part[] = []
    let rest = words.map((word, index) => this.#toToken(word, words.slice(index, index + MAX_VALUE_WORDS)))
    while (rest.length > 0) {
      const part = this.#readPart(rest)
      parts.push(part)
      rest = rest.slice(part.words.length)
    }
    return parts
  }

  /** @param words the word and those after it */
  #toToken(word: typing.Word, words: readonly typing.Word[]): Token {
    const next = words[1]
    const plainValue = this.#findPlainValue(words)
    const mayBeKey = typing.isPlainWord(word) && !plainValue && next && next.key === undefined
    const key = mayBeKey ? fold(word.value) : word.key
    return { word, plainValue, keyOf: this.#findKey(key) }
  }

  #findKey(key: string | undefined): Filter | undefined {
    if (key === undefined) return undefined
    return this.#grammar.find(
      ({ hasKey, name, otherKeys = [] }) => hasKey && (name === key || otherKeys.includes(key)),
    )
  }

  /** Prefers the longest value: `in november` is a range, although `in` is a direction. `#findNumber` finds numbers. */
  #findPlainValue(words: readonly typing.Word[]): PlainValue | undefined {
    let longest: PlainValue | undefined
    for (const filter of this.#grammar) {
      if (!filter.isPlain || filter.continues === 'digits') continue
      const wordCount = countLongest(words, (text) => filter.parse(text, this.#today) !== undefined)
      if (wordCount > (longest?.wordCount ?? 0)) longest = { filter, wordCount }
    }
    return longest
  }

  #readPart(tokens: readonly Token[]): Part {
    const [first] = tokens
    if (first?.keyOf) return this.#readKeyedPart(first.keyOf, tokens)
    const plainValue = first?.plainValue ?? this.#findNumber(tokens)
    if (plainValue) return this.#createPart(plainValue.filter, [], takeWords(tokens, plainValue.wordCount))
    const words = takeWords(tokens, this.#countNameWords(tokens))
    return { words, text: joinValues(words) }
  }

  /** Counts the leading words that form a name. A quoted one, or one with an unknown key, stands alone. */
  #countNameWords(tokens: readonly Token[]): number {
    const [first] = tokens
    if (!first || !isLoose(first)) return 1
    const endsName = (token: Token, index: number) =>
      index > 0 && (!isLoose(token) || this.#findNumber(tokens.slice(index)))
    const end = tokens.findIndex(endsName)
    return end === -1 ? tokens.length : end
  }

  /** Reads `agent:anna smith`, `agent: anna smith` or `agent anna smith`; `agent: line:Sales` lacks its value. */
  #readKeyedPart(filter: Filter, tokens: readonly Token[]): Part {
    const [first, ...others] = tokens
    const startsValue = first?.word.key !== undefined && (first.word.value !== '' || first.word.isQuoted)
    if (startsValue) return this.#createPart(filter, [], this.#takeValue(filter, tokens))
    const lacksValue = others[0]?.word.key !== undefined
    const value = lacksValue ? [] : this.#takeValue(filter, others)
    return this.#createPart(filter, takeWords(tokens, 1), value)
  }

  #takeValue(filter: Filter, tokens: readonly Token[]): readonly typing.Word[] {
    const [first, ...others] = tokens
    if (!first || first.word.isQuoted) return takeWords(tokens, 1)
    return takeWords(tokens, 1 + this.#countMore(filter, first.word.value, others))
  }

  #createPart(filter: Filter, keyWords: readonly typing.Word[], valueWords: readonly typing.Word[]): Part {
    const text = joinValues(valueWords)
    return { words: [...keyWords, ...valueWords], filter, text, result: filter.parse(text, this.#today) }
  }

  /** Counts the words that continue a value: `Nov` after `from:5`. */
  #countMore(filter: Filter, value: string, tokens: readonly Token[]): number {
    if (filter.continues === 'words') return listLoose(tokens, tokens.length).length
    if (filter.continues === 'digits') {
      // The value is counted too, unless it is no part of a number.
      return Math.max(0, countDigits([value, ...listLoose(tokens, MAX_NUMBER_WORDS)]) - 1)
    }
    // `from` has a problem with any text that is no day, so a problem can't extend the value: `from:5 missed`.
    const words = takeWords(tokens, MAX_VALUE_WORDS)
    return countLongest(words, (text) => filter.parse(`${value} ${text}`, this.#today)?.filters !== undefined)
  }

  /** Finds the digits of leading words that form one number: `+49 30 2312`. */
  #findNumber(tokens: readonly Token[]): PlainValue | undefined {
    const filter = this.#grammar.find(({ continues }) => continues === 'digits')
    if (!filter || looksLikeDay(tokens[0]?.word.value ?? '')) return undefined
    const values = listLoose(tokens, MAX_NUMBER_WORDS)
    const wordCount = countDigits(values)
    const isNumber = filter.parse(values.slice(0, wordCount).join(' '), this.#today) !== undefined
    return isNumber ? { filter, wordCount } : undefined
  }
}

const takeWords = (tokens: readonly Token[], count: number): readonly typing.Word[] =>
  tokens.slice(0, count).map(({ word }) => word)

const joinValues = (words: readonly typing.Word[]): string => words.map(({ value }) => value).join(' ')

/** Whether the word may be part of a name or number. */
const isLoose = ({ word, plainValue, keyOf }: Token) => typing.isPlainWord(word) && !plainValue && !keyOf

/** Returns the values of the leading loose words. */
function listLoose(tokens: readonly Token[], max: number): readonly string[] {
  const values: string[] = []
  for (const token of tokens) {
    if (values.length === max || !isLoose(token)) break
    values.push(token.word.value)
  }
  return values
}

/** Returns the largest number of leading plain words that are accepted together. */
function countLongest(words: readonly typing.Word[], accepts: (text: string) => boolean): number {
  const quotedOrKeyed = words.findIndex((word) => !typing.isPlainWord(word))
  const end = quotedOrKeyed === -1 ? words.length : quotedOrKeyed
  for (let count = end; count > 0; count -= 1) {
    if (accepts(joinValues(words.slice(0, count)))) return count
  }
  return 0
}
