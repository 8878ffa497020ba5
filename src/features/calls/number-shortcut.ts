import type { ListQuery } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import {
  actionRow,
  type Block,
  isDirectConversation,
  section,
  unescapeText,
} from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/modal.ts'
import type { ShortcutMessage } from '../../slack/inbound/payloads.ts'
import type { ShortcutRoute } from '../../slack/routing/routes.ts'
import { getCountry } from '../../time/zone-names.ts'
import type { Zone } from '../../time/zones.ts'
import { callsActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'

interface MessageNumber {
  /** With the country code. */
  readonly digits: string
  /** `+44 20 7946 0042` */
  readonly text: string
}

interface MessageNumbers {
  /** Each number once. */
  readonly numbers: readonly MessageNumber[]
  /** Assumed for numbers without a country code. */
  readonly callingCode: string | undefined
}

const MAX_MESSAGE_LENGTH = 10_000
/** The parser takes 30 µs per character. */
const MAX_PARSED_LENGTH = 300

/** Fields with text: https://docs.slack.dev/reference/messaging/attachments */
const ATTACHMENT_FIELDS = ['pretext', 'title', 'text', 'fallback', 'value']

function collectTexts(node: unknown, fields: readonly string[]): string[] {
  if (typeof node !== 'object' || node === null) return []
  const texts: string[] = []
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'string') texts.push(...collectTexts(value, fields))
    else if (fields.includes(key)) texts.push(value)
  }
  return texts
}

/** Dates, IP addresses and timestamps of messages, which aren't phone numbers. */
const OTHER_DIGITS =
  /\b\d{4}-\d\d-\d\d\b|(?<![+.\d])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?=\d)|(?![.\d]))){4}|\b\d{10}\.\d{6}\b/g

/** A run of digits, with two characters around it: the parser ignores digits within a word. */
const DIGIT_RUN = /\S{0,2}\d[\d\s().[\]/·\p{Pd}\p{Cf}]{4,}\S{0,2}/gu

/** Removes addresses of links, people, channels, other digits, and text without digits. */
function extractDigits(mrkdwn: string): string {
  const withoutLinks = mrkdwn
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/<tel:([^|<>]*)(?:\|[^<>]*)?>/g, ' $1 ')
    .replaceAll(/<[@#!][^<>]*>/g, ' | ')
    .replaceAll(/<[^|<>]*(?:\|([^<>]*))?>/g, (_, label: string | undefined) => ` ${label ?? '|'} `)
  const plain = unescapeText(withoutLinks)
    .replaceAll(/[*_~\u0060]/g, '')
    .replaceAll(OTHER_DIGITS, '|')
  return [...new Set(plain.match(DIGIT_RUN))].join('\n').slice(0, MAX_PARSED_LENGTH)
}

/** @param zone its country is assumed for numbers without a country code */
export async function numbersIn(
  message: ShortcutMessage,
  zone: Zone,
  isOwn: boolean,
): Promise<MessageNumbers> {
  // Loaded on first use because it takes 10 MB. This set of rules mistakes the fewest other digits for numbers.
  const { findPhoneNumbersInText, getCountries, getCountryCallingCode } = await import(
    'libphonenumber-js/max'
  )
  // This app writes all numbers with their country code, next to other digits.
  const code = isOwn ? undefined : getCountry(zone, getCountries())
  const country = getCountries().find((one) => one === code)
  const { text, attachments, blocks } = message
  const numbers = new Map<string, MessageNumber>()
  const inText = collectTexts({ text, attachments }, ATTACHMENT_FIELDS)
  // Blocks repeat the text, in parts.
  for (const texts of [inText, collectTexts(blocks, ['text'])]) {
    const digits = extractDigits(texts.join('\n'))
    for (const { number } of findPhoneNumbersInText(digits, country && { defaultCountry: country }))
      numbers.set(number.number, { digits: number.number.slice(1), text: number.formatInternational() })
    if (numbers.size > 0) break
  }
  return { numbers: [...numbers.values()], callingCode: country && getCountryCallingCode(country) }
}

const numberQuery = (digits: string, thread: string | undefined): ListQuery => ({
  direction: 'both',
  number: digits,
  thread,
  page: 1,
})

const MAX_NUMBER_BUTTONS = 10

function askForNumber({ numbers, callingCode }: MessageNumbers, thread: string | undefined): Block[] {
  if (numbers.length === 0) {
    let hint = 'Add a country code, such as +44.'
    if (callingCode !== undefined) hint = `Without a country code I assume +${callingCode}.`
    return [
      section(`I couldn't find a phone number here. ${hint}`),
      ...actionRow([callsActions.find.button('Find calls…')]),
    ]
  }
  const offered = numbers.slice(0, MAX_NUMBER_BUTTONS)
  const buttons = offered.map(({ digits, text }, index) =>
    callsActions.show.named(String(index)).button(text, numberQuery(digits, thread)),
  )
  let question = `There are ${numbers.length} phone numbers in this message. Which one?`
  if (numbers.length > MAX_NUMBER_BUTTONS)
    question = `This message has more than ${MAX_NUMBER_BUTTONS} phone numbers. Which one? Here are the first ${MAX_NUMBER_BUTTONS}.`
  return [section(question), ...actionRow(buttons)]
}

export const findNumber = ({ workspaces }: Services, lists: CallLists): ShortcutRoute => ({
  shortcut: 'calls.find-number',
  needs: 'calls',
  opensModal: true,
  async handle({ interaction, message }) {
    const { actor, tenant, channel, channelName } = interaction
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    // Slack doesn't say whether the message is the app's own.
    const { user, bot_id, app_id, ts, thread_ts = ts } = message
    const thread = isDirectConversation(channel, channelName) ? undefined : thread_ts
    const isOwn = [user, bot_id, app_id].some((id) => actor.installation.ids.includes(id ?? ''))
    const inMessage = await numbersIn(message, zone, isOwn)
    const [first, ...others] = inMessage.numbers
    if (first && others.length === 0) return lists.list(interaction, numberQuery(first.digits, thread))
    return modal({
      id: 'calls.number',
      origin: { workspace: actor.workspace, channel },
      title: 'Find calls by number',
      blocks: askForNumber(inMessage, thread),
    })
  },
})
