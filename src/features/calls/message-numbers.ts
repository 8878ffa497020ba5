import { z } from 'zod'
import type { ShortcutMessage } from '../../slack/inbound/payloads.ts'
import { unescapeText } from '../../slack/routing/commands.ts'
import type { Zone } from '../../time/types.ts'
import { countryOf } from '../../time/zone-names.ts'

interface MessageNumber {
  /** With its country's code, without any sign. */
  readonly digits: string
  /** As people write it abroad: `+44 20 7946 0042`. */
  readonly text: string
}

export interface MessageNumbers {
  /** Each once, in the order of the message. */
  readonly numbers: readonly MessageNumber[]
  /** Assumed for numbers without a country code; undefined if the country isn't known. */
  readonly callingCode: string | undefined
}

/** More than a person writes: looking takes 50 ms at most then. */
const mostCharacters = 10_000

const parts = z.object({
  text: z.string().catch(''),
  attachments: z.unknown().optional(),
  blocks: z.unknown().optional(),
})

/** What is text in an attachment: https://docs.slack.dev/reference/messaging/attachments */
const attachmentKeys = ['pretext', 'title', 'text', 'fallback', 'value']

/** What stands under these keys, however deep in a part of a message. */
function textsIn(node: unknown, keys: readonly string[]): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => textsIn(one, keys))
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? (keys.includes(key) ? [value] : []) : textsIn(value, keys),
  )
}

/** Dates, addresses of hosts, and the time stamps of messages. */
const noNumber =
  /\b\d{4}-\d\d-\d\d\b|(?<![+.\d])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?=\d)|(?![.\d]))){4}|\b\d{10}\.\d{6}\b/g

/** As it reads, without what has digits and is no number: links' addresses, people and channels, dates, addresses of hosts. */
const readable = (mrkdwn: string): string =>
  unescapeText(
    mrkdwn
      .slice(0, mostCharacters)
      .replaceAll(/<tel:([^|<>]*)(?:\|[^<>]*)?>/g, ' $1 ')
      .replaceAll(/<[@#!][^<>]*>/g, ' | ')
      .replaceAll(/<[^|<>]*(?:\|([^<>]*))?>/g, (_, label: string | undefined) => ` ${label ?? '|'} `),
  )
    .replaceAll(/[*_~`]/g, '')
    .replaceAll(noNumber, '|')

/** What the message says, and what its blocks do, where that is all there is. */
function textsOf(message: ShortcutMessage): readonly string[] {
  const { text, attachments, blocks } = parts.parse(message)
  return [[text, ...textsIn(attachments, attachmentKeys)], textsIn(blocks, ['text'])].map((texts) =>
    texts.join('\n'),
  )
}

/** The phone numbers in a message. @param zone whose country the numbers without a country's code are of @param isOwn by this app */
export async function numbersIn(
  message: ShortcutMessage,
  zone: Zone,
  isOwn: boolean,
): Promise<MessageNumbers> {
  // Loaded where it is used: it takes 10 MB, and of its sets of rules this one takes fewest other digits for numbers.
  const { findPhoneNumbersInText, getCountries, getCountryCallingCode } = await import(
    'libphonenumber-js/max'
  )
  // This app writes every number with its country's code, and other digits beside it.
  const code = isOwn ? undefined : countryOf(zone, getCountries())
  const country = getCountries().find((one) => one === code)
  const callingCode = country && getCountryCallingCode(country)
  for (const text of textsOf(message)) {
    const found = findPhoneNumbersInText(readable(text), country && { defaultCountry: country })
    const numbers = found.map(({ number }) => ({
      digits: number.number.slice(1),
      text: number.formatInternational(),
    }))
    if (numbers.length > 0)
      return { numbers: [...new Map(numbers.map((one) => [one.digits, one])).values()], callingCode }
  }
  return { numbers: [], callingCode }
}
