import type { types } from '@slack/bolt'
import type { Message } from '../blocks/blocks.ts'
import { problemMessage } from '../blocks/problem-message.ts'
import { joinWords, type Word } from './split-words.ts'

/** Returns the id in `<#C123|name>`, which Slack writes for a chosen channel. */
export const channelWord = ({ key, value }: Word): string | undefined =>
  key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(value)?.[1] : undefined

/** @param command suggested instead, such as `/calls alerts` */
export const unknownWordsMessage = (
  words: readonly Word[],
  command: string | undefined,
  buttons: readonly types.Button[] = [],
): Message => problemMessage(notUnderstoodText(joinWords(words)), { command, buttons })

export const notUnderstoodText = (written: string): string => `I didn't understand "${written}".`
