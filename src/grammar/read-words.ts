import { dayLabel } from '../time/days.ts'
import type { LocalDay } from '../time/types.ts'
import { nearestWord } from '../util/text.ts'
import { type Asked, countDigits, type Filter, looksLikeDay, notADay, type Reading } from './filters.ts'
import { joinWords, splitWords, type Word } from './words.ts'

/** What is wrong with a command, in words for people, and at which of its words; the text is not escaped. */
export interface Problem {
  readonly at: number
  readonly count: number
  readonly text: string
  /** The words that were probably meant in place of these. */
  readonly meant?: string | undefined
}

export interface WordsRead {
  /** What was understood. */
  readonly asked: Asked
  readonly problems: readonly Problem[]
  /** The words as they were probably meant; `undefined` where nobody knows. */
  readonly meant: string | undefined
  /** The words that mean nothing by themselves, where the command takes a name. */
  readonly name: string
  /** By their filters, the places of words without quotes that were taken for a part of a value: `Smith` in `agent:Anna Smith`. */
  readonly following: ReadonlyMap<string, readonly number[]>
}

/** What a command takes. */
export interface Grammar {
  readonly filters: readonly Filter[]
  /** Why these don't go together, in words for people. */
  conflict?(asked: Asked, today: LocalDay): string | undefined
  /** Takes the words that mean nothing by themselves, in place of naming them: all of them are one name. */
  readonly takesName?: boolean
}

/** In words: `5 Nov 2026 .. 9 Nov 2026`. */
const longestValue = 7

export const unrecognised = (word: Pick<Word, 'key' | 'value' | 'written'>): string =>
  word.key === undefined && looksLikeDay(word.value)
    ? notADay(word.written)
    : `"${word.written}" isn't recognised.`

/** Reads the words of a command, in any order. What is not understood comes back as problems in plain words, all at once. */
export function readWords(words: readonly Word[], grammar: Grammar, today: LocalDay): WordsRead {
  const { asked, problems, name, following } = new Reader(words, grammar, today)
  return { asked, problems, name, following, meant: meantBy(words, problems, grammar, today) }
}

/** The words as they were probably meant; `undefined` where nobody knows, or where that would not be understood either. */
export function meantBy(
  words: readonly Word[],
  problems: readonly Problem[],
  grammar: Grammar,
  today: LocalDay,
): string | undefined {
  if (problems.length === 0) return undefined
  const isUnderstood = (text: string) => new Reader(splitWords(text), grammar, today).problems.length === 0
  return [corrected(words, problems), inOrder(words)].find(
    (text) => text !== joinWords(words) && isUnderstood(text),
  )
}

/** With what was probably meant in place of what is not understood. */
function corrected(words: readonly Word[], problems: readonly Problem[]): string {
  const byPlace = new Map(problems.map((problem) => [problem.at, problem]))
  const texts: string[] = []
  for (let at = 0; at < words.length; ) {
    const problem = byPlace.get(at)
    const count = problem?.count ?? 1
    texts.push(problem?.meant ?? joinWords(words.slice(at, at + count)))
    at += Math.max(1, count)
  }
  return texts.filter((text) => text !== '').join(' ')
}

/** With the dates of `from:` and `to:` the other way round. */
function inOrder(words: readonly Word[]): string {
  const end = (key: string) => words.find((word) => word.key === key)?.value ?? ''
  const swapped = new Map([
    ['from', `from:${end('to')}`],
    ['to', `to:${end('from')}`],
  ])
  return words.map(({ key = '', written }) => swapped.get(key) ?? written).join(' ')
}

/** Words that people say with others, and that change nothing: missed calls are in every report. */
const fillers = ['all', 'by', 'call', 'calls', 'for', 'list', 'me', 'missed', 'my', 'on', 'show', 'the']

/** What was probably meant by a word by itself; nothing, by a filler. */
export function nearestPlain(
  { value }: Pick<Word, 'value'>,
  { filters }: Grammar,
  today: LocalDay,
): string | undefined {
  const lower = value.toLowerCase()
  if (fillers.includes(lower)) return ''
  const synonym = filters.map((one) => one.synonym?.(lower, today)).find(Boolean)
  return (
    synonym ??
    nearestWord(
      value,
      filters.flatMap(({ words = [] }) => words),
    )
  )
}

/** One reading of words, from the first to the last. */
class Reader {
  readonly asked: Asked = {}
  readonly problems: Problem[] = []
  readonly following = new Map<string, readonly number[]>()
  readonly name: string
  /** The words of each part of what was asked. */
  readonly #written = new Map<string, string>()
  readonly #words
  readonly #grammar
  readonly #withKeys
  readonly #today

  constructor(words: readonly Word[], grammar: Grammar, today: LocalDay) {
    this.#words = words
    this.#grammar = grammar
    this.#withKeys = grammar.filters.filter(({ hasKey }) => hasKey)
    this.#today = today
    const names: string[] = []
    for (let at = 0; at < words.length; ) {
      const word = words[at]
      if (!word) break
      at += word.key === undefined ? this.#readPlain(at, word, names) : this.#readPair(at, word)
    }
    this.name = names.join(' ')
    // Of words that aren't all understood, those that go together aren't known.
    if (this.problems.length === 0) this.#check()
  }

  /** @returns how many words were read */
  #readPlain(at: number, word: Word, names: string[]): number {
    const { filters, takesName } = this.#grammar
    if (!word.quoted) {
      for (const filter of filters) {
        const words = filter.goesOn ? this.#valuesAt([at, ...this.#unknownFrom(at + 1)]) : this.#plainFrom(at)
        const count = filter.plain?.(words, this.#today) ?? 0
        if (count === 0) continue
        this.#take(at, count, filter.read(words.slice(0, count).join(' '), this.#today))
        return count
      }
    }
    const key = word.value.toLowerCase()
    const next = this.#words[at + 1]
    if (takesName) names.push(word.value)
    else if (
      !word.quoted &&
      next &&
      next.key === undefined &&
      this.#withKeys.some(({ name }) => name === key)
    )
      return this.#readPair(at, { ...word, key, value: '' })
    else {
      const meant = word.quoted ? undefined : nearestPlain(word, this.#grammar, this.#today)
      this.problems.push({ at, count: 1, text: unrecognised(word), meant })
    }
    return 1
  }

  /** @returns how many words were read */
  #readPair(at: number, word: Word): number {
    const { key = '', value, quoted } = word
    const withKeys = this.#withKeys
    const filter = withKeys.find(({ name }) => name === key)
    const write = (name: string, text: string) => (quoted ? `${name}:"${text}"` : `${name}:${text}`)
    if (!filter) {
      const keys = withKeys.map(({ name }) => name)
      const nearest = nearestWord(key, keys)
      const own = withKeys.find(({ name }) => name === nearest)
      const isValue = own?.read(value, this.#today) !== undefined
      const meant = own && write(own.name, isValue ? value : (own.nearest?.(value) ?? value))
      this.problems.push({ at, count: 1, text: unrecognised(word), meant })
      return 1
    }
    const more = quoted ? [] : this.#restOf(filter, value, at + 1)
    const text = [value, ...this.#valuesAt(more)].join(' ').trim()
    const hint = filter.hint === undefined ? '' : ` ${filter.hint}`
    const all = joinWords(this.#words.slice(at, at + 1 + more.length))
    const nearest = filter.nearest?.(text)
    const reading = filter.read(text, this.#today) ?? {
      problem: `"${all}" isn't recognised.${hint}`,
      meant: nearest,
    }
    const meant = 'problem' in reading && reading.meant !== undefined ? write(key, reading.meant) : undefined
    this.#take(at, 1 + more.length, 'problem' in reading ? { ...reading, meant } : reading)
    if (filter.goesOn === 'words') this.following.set(key, value === '' ? more.slice(1) : more)
    return 1 + more.length
  }

  /** The places of the words behind a value that belong to it: `Nov` in `from:5 Nov`, and all of it where the key stands alone. */
  #restOf(filter: Filter, value: string, start: number): readonly number[] {
    const next = this.#words[start]
    const isApart = value === '' && next !== undefined && next.key === undefined
    if (isApart && next.quoted) return [start]
    if (filter.goesOn) {
      const more = this.#unknownFrom(start)
      return filter.goesOn === 'digits' ? more.slice(0, countDigits(['', ...this.#valuesAt(more)]) - 1) : more
    }
    const behind = this.#plainFrom(start)
    const isValue = (count: number) => {
      const reading = filter.read([value, ...behind.slice(0, count)].join(' ').trim(), this.#today)
      return reading !== undefined && 'asked' in reading
    }
    const places = behind.map((_, index) => start + index)
    const count = places.findLastIndex((_, index) => isValue(index + 1)) + 1
    return places.slice(0, Math.max(count, isApart ? 1 : 0))
  }

  #take(at: number, count: number, reading: Reading | undefined): void {
    const all = joinWords(this.#words.slice(at, at + count))
    if (!reading) this.problems.push({ at, count, text: `"${all}" isn't recognised.` })
    else if ('problem' in reading)
      this.problems.push({ at, count, text: reading.problem, meant: reading.meant })
    else {
      const before = new Map<string, unknown>(Object.entries(this.asked))
      const other = Object.entries(reading.asked).find(
        ([name, value]) => before.has(name) && before.get(name) !== value,
      )
      if (other) {
        const text = `Choose "${this.#written.get(other[0])}" or "${all}", not both.`
        this.problems.push({ at, count, text })
        return
      }
      Object.assign(this.asked, reading.asked)
      for (const name of Object.keys(reading.asked)) this.#written.set(name, all)
    }
  }

  #check(): void {
    const { from, to } = this.asked
    if (from && to && to < from) {
      const at = this.#words.findIndex(({ key }) => key === 'to')
      const text = `The end date (${to}) is before the start date (${from}).`
      this.problems.push({ at: Math.max(0, at), count: 1, text })
    } else if (from && from > this.#today)
      this.problems.push({ at: 0, count: 1, text: `${dayLabel(from)} is in the future.` })
    const conflict = this.#grammar.conflict?.(this.asked, this.#today)
    if (conflict !== undefined) this.problems.push({ at: 0, count: 1, text: conflict })
  }

  readonly #valuesAt = (places: readonly number[]) => places.map((at) => this.#words[at]?.value ?? '')

  /** The values of the words by themselves that follow each other from here. */
  #plainFrom(at: number): readonly string[] {
    const rest = this.#words.slice(at, at + longestValue)
    const stop = rest.findIndex((word) => word.key !== undefined || word.quoted)
    return (stop === -1 ? rest : rest.slice(0, stop)).map(({ value }) => value)
  }

  /** The places of the words from here on that mean nothing by themselves: they may belong to the value before them. */
  #unknownFrom(start: number): readonly number[] {
    const { filters } = this.#grammar
    const isKnown = (at: number) =>
      filters.some(({ goesOn, plain }) => !goesOn && (plain?.(this.#plainFrom(at), this.#today) ?? 0) > 0)
    const places: number[] = []
    for (let at = start; at < this.#words.length; at += 1) {
      const word = this.#words[at]
      if (!word || word.key !== undefined || word.quoted || isKnown(at)) break
      places.push(at)
    }
    return places
  }
}
