import type { Word } from '../../slack/routing/command-words.ts'
import type { CallStatus, Direction } from '../../telephony/types.ts'
import { matchRange, parseDayWord } from '../../time/ranges.ts'
import type { LocalDay } from '../../time/types.ts'
import type { ListQuery } from './query.ts'

type ParsedCommand =
  | { readonly query: ListQuery; readonly agent: string | undefined }
  | { readonly problems: readonly string[] }

const directions: Readonly<Record<string, Direction>> = {
  incoming: 'incoming',
  in: 'incoming',
  outgoing: 'outgoing',
  out: 'outgoing',
}
const isStatus = (text: string): text is CallStatus => text === 'answered' || text === 'missed'

const hints: Readonly<Record<string, string>> = {
  page: 'pages count from 1',
  status: 'answered or missed',
  agent: 'a name or an id',
}

/** In words: `last 7 days`. */
const longestRange = 3

interface Draft {
  direction?: Direction
  status?: CallStatus
  from?: LocalDay
  to?: LocalDay
  agent?: string
  page?: number
}

/**
 * Reads the words of `/calls`, in any order. What is not understood comes back as problems in plain words, all at once.
 * Usage: [incoming|outgoing] [missed|answered] [RANGE] [from:DAY] [to:DAY] [agent:NAME-OR-ID] [page:N]
 */
export function parseCallsCommand(words: readonly Word[], today: LocalDay): ParsedCommand {
  const draft: Draft = {}
  const problems: string[] = []

  function take<K extends keyof Draft>(name: K, value: Draft[K], written: string): void {
    if (draft[name] !== undefined && draft[name] !== value)
      problems.push(`"${written}" contradicts an earlier word`)
    else draft[name] = value
  }

  function takeDay(name: 'from' | 'to', { value, written }: Word): void {
    const day = parseDayWord(value, today)
    if (day) take(name, day, written)
    else problems.push(`"${written}" is no day: write 2026-11-05, today or yesterday`)
  }

  function takePair(word: Word, following: Word | undefined): void {
    const { key = '', value, written } = word
    if (key === 'from' || key === 'to') takeDay(key, word)
    else if (key === 'status' && isStatus(value.toLowerCase())) {
      take('status', value.toLowerCase() === 'missed' ? 'missed' : 'answered', written)
    } else if (key === 'page' && /^[1-9]\d{0,5}$/.test(value)) take('page', Number(value), written)
    else if (key === 'agent' && value !== '') takeAgent(word, following)
    else
      problems.push(
        hints[key] ? `"${written}" is not understood: ${hints[key]}` : `"${written}" is not understood`,
      )
  }

  function takeAgent({ value, written, quoted }: Word, following: Word | undefined): void {
    take('agent', value, written)
    if (!following || quoted || following.key !== undefined || isKnown(following.value, today)) return
    problems.push(`several words in one value need quotes: agent:"${value} ${following.value}"`)
  }

  const plainFrom = (at: number) => {
    const rest = words.slice(at, at + longestRange)
    const stop = rest.findIndex((word) => word.key !== undefined || word.quoted)
    return (stop === -1 ? rest : rest.slice(0, stop)).map(({ value }) => value)
  }

  for (let at = 0; at < words.length; ) {
    const word = words[at]
    if (!word) break
    const lower = word.value.toLowerCase()
    const range = word.key === undefined && !word.quoted ? matchRange(plainFrom(at), today) : undefined
    if (word.key !== undefined) takePair(word, words[at + 1])
    else if (range && 'problem' in range) problems.push(`"${word.written}" ends before it begins`)
    else if (range) {
      const rangeWords = words.slice(at, at + range.wordCount)
      const written = rangeWords.map((one) => one.written).join(' ')
      take('from', range.range.from, written)
      take('to', range.range.to, written)
    } else if (directions[lower]) take('direction', directions[lower], word.written)
    else if (isStatus(lower)) take('status', lower, word.written)
    else problems.push(`"${word.written}" is not understood`)
    at += range?.wordCount ?? 1
  }

  if (draft.from && draft.to && draft.to < draft.from && problems.length === 0) {
    problems.push(`the range ends (${draft.to}) before it begins (${draft.from})`)
  }
  if (problems.length > 0) return { problems: [...new Set(problems)] }
  const { agent, direction = 'incoming', page = 1, ...filters } = draft
  return { query: { direction, ...filters, page }, agent }
}

function isKnown(text: string, today: LocalDay): boolean {
  const lower = text.toLowerCase()
  return (
    directions[lower] !== undefined ||
    isStatus(lower) ||
    /^(this|last)$/.test(lower) ||
    !!matchRange([lower], today)
  )
}
