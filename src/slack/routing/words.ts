import type { types } from '@slack/bolt'
import { findNamelessPeople, findWordEnd } from '../../util/mentions.ts'
import { cleanTyped, fold } from '../../util/text.ts'
import type { Actor } from '../access/guards.ts'
import type { People } from '../access/people.ts'
import type { Message } from '../blocks/blocks.ts'
import { problemMessage } from '../blocks/buttons.ts'

/** A plain word (`missed`) or `key:value` (`agent:"Anna Smith"`). */
export interface Word {
  /** The word as typed. */
  readonly written: string
  /** Lower case; only for `key:value`. */
  readonly key: string | undefined
  readonly value: string
  readonly isQuoted: boolean
}

export const isPlainWord = (word: Word | undefined): word is Word =>
  word !== undefined && word.key === undefined && !word.isQuoted

/** Slack's clients make straight quotes curly, and keyboards have more of them. */
const OPENING_QUOTE = /["“”„‟«＂]/
const CLOSING_QUOTE = /["“”„‟＂]/
const CLOSING_GUILLEMET = '»'

/** Start of a word that isn't plain: the key and its colon, or nothing before a quotation. Includes invisible characters. */
const PREFIX =
  /^\p{Default_Ignorable_Code_Point}*(?:([A-Za-zＡ-Ｚａ-ｚ]+)[:：]\p{Default_Ignorable_Code_Point}*|(?=["“”„‟«＂]))/u

export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  let rest = text.trimStart()
  while (rest !== '') {
    const word = readWord(rest)
    words.push(word)
    rest = rest.slice(word.written.length).trimStart()
  }
  return words
}

/** Reads the first word. A quotation that isn't closed ends with the text. */
function readWord(text: string): Word {
  const [prefix = '', typedKey] = PREFIX.exec(text) ?? []
  const key = typedKey === undefined ? undefined : fold(typedKey)
  const unread = text.slice(prefix.length)
  const opening = unread.charAt(0)
  if (!OPENING_QUOTE.test(opening)) {
    const value = unread.slice(0, findWordEnd(unread))
    return { written: `${prefix}${value}`, key, value: value.trim(), isQuoted: false }
  }
  const closing = opening === '«' ? CLOSING_GUILLEMET : CLOSING_QUOTE
  const [value = ''] = unread.slice(1).split(closing, 1)
  const written = text.slice(0, prefix.length + value.length + 2)
  return { written, key, value: value.trim(), isQuoted: true }
}

/** False for invisible characters alone. */
export const isVisible = ({ key, isQuoted, value }: Word): boolean =>
  key !== undefined || isQuoted || cleanTyped(value).trim() !== ''

export const joinWords = (words: readonly Pick<Word, 'written'>[]): string =>
  words.map(({ written }) => written).join(' ')

/** Returns the id in `<#C123|name>`, which Slack writes for a chosen channel. */
export const getChannelId = ({ key, value }: Word): string | undefined =>
  key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(value)?.[1] : undefined

/** @param command suggested instead, such as `/calls alerts` */
export const unknownWordsMessage = (
  words: readonly Word[],
  command: string | undefined,
  buttons: readonly types.Button[] = [],
): Message => problemMessage(notUnderstoodText(joinWords(words)), { command, buttons })

export const notUnderstoodText = (written: string): string => `I didn't understand "${written}".`

/** Adds names to mentions that Slack sent without them, because agents are looked up by name. @throws {SlackFailure} */
export async function nameMentions(
  people: People,
  { installation, workspace }: Actor,
  words: readonly Word[],
): Promise<readonly Word[]> {
  const names = new Map<string, string>()
  for (const id of words.flatMap(({ value }) => findNamelessPeople(value))) {
    const { name } = await people.find(installation, workspace, id)
    // These characters would end the name, or the mention.
    names.set(id, name.replaceAll(/[<>|]/g, ''))
  }
  const addNames = (text: string) =>
    text.replaceAll(/<@([UW][A-Z0-9]+)\|?\s*>/g, (_, id: string) => `<@${id}|${names.get(id) ?? id}>`)
  return words.map((word) => ({ ...word, written: addNames(word.written), value: addNames(word.value) }))
}
