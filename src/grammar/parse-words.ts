import { dayLabel, type LocalDay } from '../time/days.ts'
import { nearestWord } from '../util/text.ts'
import { countDigits, type Filter, looksLikeDay, type ParsedFilters, type ParseResult } from './filters.ts'

/** One word of a command: plain (`missed`) or `key:value` (`agent:"Anna Smith"`). */
export interface Word {
  /** The word as typed. */
  readonly written: string
  /** Lower case; only for `key:value`. */
  readonly key: string | undefined
  readonly value: string
  readonly quoted: boolean
}

/** Closing quotes by opening quote: Slack's clients make straight quotes curly, and keyboards have more of them. */
const closing: ReadonlyMap<string, RegExp> = new Map([
  ['"', /["“”„‟]|$/],
  ['“', /["“”]|$/],
  ['”', /["“”]|$/],
  ['„', /["“”]|$/],
  ['‟', /["“”]|$/],
  ['«', /»|$/],
])

/** Splits a command's text into words. A quote that is never closed ends with the text. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  for (let rest = text.trimStart(); rest !== ''; ) {
    const [prefix = '', key] = /^([A-Za-z]+):/.exec(rest) ?? []
    const closers = closing.get(rest[prefix.length] ?? '')
    const quote = closers ? 1 : 0
    const start = prefix.length + quote
    const end = start + rest.slice(start).search(closers ?? /\s|$/)
    words.push({
      written: rest.slice(0, end + quote),
      key: key?.toLowerCase(),
      value: rest.slice(start, end).trim(),
      quoted: quote === 1,
    })
    rest = rest.slice(end + quote).trimStart()
  }
  return words
}

export const joinWords = (words: readonly Pick<Word, 'written'>[]): string =>
  words.map(({ written }) => written).join(' ')

export const notUnderstoodText = (written: string): string => `I didn't understand "${written}".`

/** The filters and other words that a command accepts. */
export interface Grammar {
  readonly filters: readonly Filter[]
  /** Says why the filters can't be combined. */
  conflict?(filters: ParsedFilters, today: LocalDay): string | undefined
}

/** Words that belong together: a value of a filter, with its key; or words outside the grammar. */
interface Part {
  readonly words: readonly Word[]
  readonly filter?: Filter
  /** The value alone. */
  readonly text: string
  readonly result?: ParseResult | undefined
}

export interface ParsedWords {
  readonly filters: ParsedFilters
  /** Words outside the grammar: adjacent ones form one name, quoted ones stand alone. */
  readonly names: readonly string[]
  /** The first problem, in words for people; not escaped. */
  readonly problem: string | undefined
  /** Words to suggest instead: misspelled ones corrected, unknown ones left out; `undefined` if nothing would change. */
  suggest(): string | undefined
}

/** Bounds the words of one value, so that each word takes constant work: `5 Nov 2026 .. 9 Nov 2026`. */
const MAX_VALUE_WORDS = 7
/** A number of 17 digits may be typed as 17 words. */
const MAX_NUMBER_WORDS = 18

/** Parses the words of a command, in any order. */
export function parseWords(words: readonly Word[], grammar: Grammar, today: LocalDay): ParsedWords {
  const parts = new Splitter(words, grammar, today).split()
  const unknown = parts.filter(({ filter }) => filter === undefined)
  const { filters, problem } = merge(parts, today)
  const unknownWords = unknown.flatMap((part) => part.words)
  const hasUnknownKey = unknownWords.some(({ key }) => key !== undefined)
  const [explained] = unknownWords.flatMap((word) => explainWord(word, grammar) ?? [])
  return {
    filters,
    names: unknown.map(({ text }) => text),
    problem: hasUnknownKey
      ? notUnderstoodText(joinWords(words))
      : (problem ?? explained ?? grammar.conflict?.(filters, today)),
    suggest() {
      const corrected = parts.map((part) => correct(part, grammar))
      if (corrected.includes(undefined)) return undefined
      const suggested = splitWords(corrected.join(' '))
      const { names, problem: remaining } = parseWords(suggested, grammar, today)
      const text = joinWords(suggested)
      return names.length === 0 && remaining === undefined && text !== joinWords(words) ? text : undefined
    },
  }
}

function merge(parts: readonly Part[], today: LocalDay): { filters: ParsedFilters; problem?: string } {
  const filters: ParsedFilters = {}
  const earlier = new Map<string, { readonly value: unknown; readonly text: string }>()
  for (const { words, filter, result } of parts) {
    if (filter === undefined) continue
    const text = joinWords(words)
    if (result === undefined) {
      const hint = filter.hint === undefined ? '' : ` ${filter.hint}`
      return { filters, problem: `${notUnderstoodText(text)}${hint}` }
    }
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

function explainWord({ key, quoted, value }: Word, { filters }: Grammar): string | undefined {
  if (quoted || key !== undefined) return undefined
  return filters.map((filter) => filter.explain?.(value)).find((text) => text !== undefined)
}

/** Returns the part with its misspelled words corrected, without unknown words; `undefined` for a value that nothing is like. */
function correct({ words, filter, text, result }: Part, grammar: Grammar): string | undefined {
  if (filter === undefined) {
    if (words.some((word) => explainWord(word, grammar) !== undefined)) return undefined
    return words.map((word) => correctWord(word, grammar)).join(' ')
  }
  if (result !== undefined && 'filters' in result) return joinWords(words)
  const meant = result?.meant ?? nearestWord(text, filter.vocabulary ?? [])
  return meant && filter.hasKey ? `${filter.name}:${meant}` : meant
}

/** Returns the words that are values without a key. */
export const plainVocabulary = (filters: readonly Filter[]): readonly string[] =>
  filters.flatMap(({ isPlain, vocabulary = [] }) => (isPlain ? vocabulary : []))

function correctWord({ key, value, quoted }: Word, { filters }: Grammar): string {
  if (key !== undefined) {
    const keys = filters.filter(({ hasKey }) => hasKey).map(({ name }) => name)
    const nearest = nearestWord(key, keys)
    return nearest === undefined ? '' : `${nearest}:${quoted ? `"${value}"` : value}`
  }
  if (quoted) return ''
  return /^\d+$/.test(value) ? value : (nearestWord(value, plainVocabulary(filters)) ?? '')
}

/** A filter's value that starts at a word. */
interface PlainValue {
  readonly filter: Filter
  readonly count: number
}

/** Splits words into parts. Looks at each position once: later words remember what starts there. */
class Splitter {
  readonly #words
  readonly #filters
  readonly #keyed: ReadonlyMap<string, Filter>
  readonly #today
  readonly #plain: (PlainValue | null)[] = []

  constructor(words: readonly Word[], { filters }: Grammar, today: LocalDay) {
    this.#words = words
    this.#filters = filters
    this.#keyed = new Map(filters.filter(({ hasKey }) => hasKey).map((one) => [one.name, one]))
    this.#today = today
  }

  split(): readonly Part[] {
    const parts: Part[] = []
    for (let at = 0; at < this.#words.length; ) {
      const part = this.#partAt(at)
      parts.push(part)
      at += part.words.length
    }
    return parts
  }

  #partAt(at: number): Part {
    const keyed = this.#keyAt(at)
    if (keyed) return this.#keyedPart(at, keyed)
    const plain = this.#plainAt(at) ?? this.#numberAt(at)
    if (plain) return this.#part(at, plain.count, plain.filter)
    const isName = this.#isUnknown(at)
    const isNameAt = (next: number) => this.#isUnknown(next) && this.#numberAt(next) === undefined
    const count = isName ? 1 + this.#countWhile(at + 1, this.#words.length, isNameAt) : 1
    return { words: this.#words.slice(at, at + count), text: this.#valuesFrom(at, count).join(' ') }
  }

  /** Returns the filter of `agent:…`, and of `agent` if a word follows that could be its value. */
  #keyAt(at: number): Filter | undefined {
    const [word, next] = [this.#words[at], this.#words[at + 1]]
    if (!word) return undefined
    if (word.key !== undefined) return this.#keyed.get(word.key)
    const hasValue = next !== undefined && next.key === undefined
    return hasValue && !word.quoted && !this.#plainAt(at)
      ? this.#keyed.get(word.value.toLowerCase())
      : undefined
  }

  #keyedPart(at: number, filter: Filter): Part {
    const [word, next] = [this.#words[at], this.#words[at + 1]]
    const isEmpty = word?.key === undefined || (word.value === '' && !word.quoted)
    const isApart = isEmpty && next !== undefined && next.key === undefined
    if (isApart && next.quoted) return this.#part(at, 2, filter, 1)
    if (word?.quoted) return this.#part(at, 1, filter)
    const skipped = isEmpty ? 1 : 0
    const count = 1 + this.#countContinuing(at + 1, filter, isEmpty ? '' : (word?.value ?? ''))
    return this.#part(at, isApart ? Math.max(count, 2) : count, filter, skipped)
  }

  /** Counts the words after a value that belong to it: `Nov` in `from:5 Nov`. */
  #countContinuing(start: number, filter: Filter, value: string): number {
    if (filter.continues === 'words')
      return this.#countWhile(start, this.#words.length, (at) => this.#isUnknown(at))
    if (filter.continues === 'digits') {
      const count = this.#countWhile(start, start + MAX_NUMBER_WORDS, (at) => this.#isUnknown(at))
      return Math.max(0, countDigits([value, ...this.#valuesFrom(start, count)]) - 1)
    }
    return this.#countLongest(start, (words) => {
      const result = filter.parse(`${value} ${words}`.trim(), this.#today)
      return result !== undefined && 'filters' in result
    })
  }

  /** Counts the most words that are accepted together; 0 if none are. */
  #countLongest(start: number, accepts: (words: string) => boolean): number {
    const isPlain = (at: number) => this.#words[at]?.key === undefined && !this.#words[at]?.quoted
    const words = this.#valuesFrom(start, this.#countWhile(start, start + MAX_VALUE_WORDS, isPlain))
    return words.findLastIndex((_, index) => accepts(words.slice(0, index + 1).join(' '))) + 1
  }

  /** @param skipped words before the value: a key that stands alone */
  #part(at: number, count: number, filter: Filter, skipped = 0): Part {
    const text = this.#valuesFrom(at + skipped, count - skipped).join(' ')
    const words = this.#words.slice(at, at + count)
    return { words, filter, text, result: filter.parse(text, this.#today) }
  }

  #plainAt(at: number): PlainValue | undefined {
    const known = this.#plain[at]
    if (known !== undefined) return known ?? undefined
    const found = this.#filters
      .filter(({ isPlain, continues }) => isPlain && !continues)
      .map((filter) => ({
        filter,
        count: this.#countLongest(at, (words) => filter.parse(words, this.#today) !== undefined),
      }))
      .find(({ count }) => count > 0)
    this.#plain[at] = found ?? null
    return found
  }

  #numberAt(at: number): PlainValue | undefined {
    const filter = this.#filters.find(({ continues }) => continues === 'digits')
    if (!filter || looksLikeDay(this.#words[at]?.value ?? '')) return undefined
    const unknown = this.#countWhile(at, at + MAX_NUMBER_WORDS, (next) => this.#isUnknown(next))
    const count = countDigits(this.#valuesFrom(at, unknown))
    const isNumber = filter.parse(this.#valuesFrom(at, count).join(' '), this.#today) !== undefined
    return isNumber ? { filter, count } : undefined
  }

  /** Whether the word may be part of a name. */
  #isUnknown(at: number): boolean {
    const word = this.#words[at]
    if (!word || word.key !== undefined || word.quoted) return false
    return this.#plainAt(at) === undefined && this.#keyAt(at) === undefined
  }

  #countWhile(start: number, end: number, matches: (at: number) => boolean): number {
    let at = start
    while (at < Math.min(end, this.#words.length) && matches(at)) at += 1
    return at - start
  }

  #valuesFrom(start: number, count: number): readonly string[] {
    return this.#words.slice(start, start + count).map(({ value }) => value)
  }
}
