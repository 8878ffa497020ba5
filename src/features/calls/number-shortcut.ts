import type * as phones from 'libphonenumber-js/max'
import type { ListQuery } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/modal.ts'
import type { ShortcutMessage } from '../../slack/inbound/payloads.ts'
import type { ShortcutRoute } from '../../slack/routing/routes.ts'
import { mapCountries } from '../../time/zone-names.ts'
import type { Zone } from '../../time/zones.ts'
import { once } from '../../util/promises.ts'
import { callsActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'

interface MessageNumber {
  /** With the country code. */
  readonly digits: string
  /** `+44 20 7946 0042` */
  readonly text: string
}

/** Slack's limit is 25 buttons in a row. */
const MAX_NUMBER_BUTTONS = 20
const MAX_MESSAGE_LENGTH = 10_000
/** The parser takes 30 µs per character. */
const MAX_PARSED_LENGTH = 300

/** Fields with text: https://docs.slack.dev/reference/messaging/attachments */
const ATTACHMENT_FIELDS = ['pretext', 'title', 'text', 'fallback', 'value']

const DATE = /\b\d{4}-\d\d-\d\d\b/g
/** `192.168.0.1`: four numbers up to 255, not after a plus. */
const IP_ADDRESS = /(?<![+.\d])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?=\d)|(?![.\d]))){4}/g
const MESSAGE_TIMESTAMP = /\b\d{10}\.\d{6}\b/g

/** A digit and what may follow it in a number, with two characters around: the parser ignores digits within a word. */
const DIGIT_RUN = /\S{0,2}\d[\d\s().[\]/·\p{Pd}\p{Cf}]{4,}\S{0,2}/gu

/** Returns what may be a number, in lines. A bar in place of a mention, a link or a date keeps the digits around it apart. */
function extractDigitRuns(mrkdwn: string): string {
  const withoutLinks = mrkdwn
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/<tel:([^|<>]*)(?:\|[^<>]*)?>/g, ' $1 ') // A link to a number: that number.
    .replaceAll(/<[@#!][^<>]*>/g, ' | ') // A mention.
    .replaceAll(/<[^|<>]*(?:\|([^<>]*))?>/g, (_, label: string | undefined) => ` ${label ?? '|'} `) // A link: its text.
  const withoutMarks = blocks.unescapeText(withoutLinks).replaceAll(/[*_~`]/g, '')
  const numbersOnly = withoutMarks
    .replaceAll(DATE, '|')
    .replaceAll(IP_ADDRESS, '|')
    .replaceAll(MESSAGE_TIMESTAMP, '|')
  const runs = new Set(numbersOnly.match(DIGIT_RUN))
  return [...runs].join('\n').slice(0, MAX_PARSED_LENGTH)
}

/** Returns each number once. @param country assumed for numbers without a country code */
function parseNumbers(library: typeof phones, texts: readonly string[], country?: phones.CountryCode) {
  const numbers = new Map<string, MessageNumber>()
  const runs = extractDigitRuns(texts.join('\n'))
  for (const { number: phone } of library.findPhoneNumbersInText(runs, country))
    numbers.set(phone.number, { digits: phone.number.slice(1), text: phone.formatInternational() })
  return [...numbers.values()].slice(0, MAX_NUMBER_BUTTONS)
}

/** Loads on first use, because that takes 10 MB and 50 ms. The rules of `max` mistake the fewest other digits for numbers. */
const loadLibrary = once(async () => {
  const library = await import('libphonenumber-js/max')
  return { library, countriesByZone: mapCountries(library.getCountries()) }
})

/** @param zone its country is assumed for numbers without a country code */
export async function findNumbers(message: ShortcutMessage, zone: Zone | undefined) {
  const { library, countriesByZone } = await loadLibrary()
  const country = zone && countriesByZone.get(zone)
  const { text, attachments } = message
  const texts = blocks.collectTexts({ text, attachments }, ATTACHMENT_FIELDS)
  const numbers = parseNumbers(library, texts, country)
  // Blocks repeat the text, in parts.
  if (numbers.length > 0) return numbers
  return parseNumbers(library, blocks.collectTexts(message['blocks'], ['text']), country)
}

function toQuery({ digits }: MessageNumber, thread: string | undefined): ListQuery {
  return { direction: 'both', number: digits, thread, page: 1 }
}

function askForNumber(numbers: readonly MessageNumber[], thread: string | undefined): blocks.Block[] {
  if (numbers.length === 0) {
    const hint = "I couldn't find a phone number here. Add a country code, such as +44."
    return [blocks.section(hint), ...blocks.actionRow([callsActions.find.button('Find calls…')])]
  }
  const question = `There are ${numbers.length} phone numbers in this message. Which one?`
  const buttons = numbers.map((number, index) =>
    callsActions.show.named(String(index)).button(number.text, toQuery(number, thread)),
  )
  return [blocks.section(question), ...blocks.actionRow(buttons)]
}

/** Slack doesn't say whether the message is the app's own. */
function isFromThisApp({ user, bot_id, app_id }: ShortcutMessage, { installation }: Actor): boolean {
  return [user, bot_id, app_id].some((id) => installation.ids.includes(id ?? ''))
}

export const findNumber = ({ workspaces }: Services, lists: CallLists): ShortcutRoute => ({
  shortcut: 'calls.find-number',
  needs: 'calls',
  opensModal: true,
  async handle({ interaction, message }) {
    const { actor, tenant, channel, channelName } = interaction
    const { zone } = await workspaces.findZone(tenant, channel, actor.person)
    // This app writes all numbers with their country code. Its other digits, such as counts, would pass for local numbers.
    const assumedZone = isFromThisApp(message, actor) ? undefined : zone
    const numbers = await findNumbers(message, assumedZone)
    const startOfThread = message.thread_ts ?? message.ts
    const thread = blocks.isDirectConversation(channel, channelName) ? undefined : startOfThread
    const [number] = numbers
    if (number && numbers.length === 1) return lists.list(interaction, toQuery(number, thread))
    return modal({
      id: 'calls.number',
      origin: { workspace: actor.workspace, channel },
      title: 'Find calls by number',
      blocks: askForNumber(numbers, thread),
    })
  },
})
