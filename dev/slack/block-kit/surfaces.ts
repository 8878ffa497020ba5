import { z } from 'zod'
import { homeBlock, messageBlock, modalBlock } from './blocks.ts'
import { checkCount, checkLayout, records } from './layout.ts'
import {
  chars,
  identifier,
  list,
  object,
  oneOf,
  oneType,
  plainText,
  required,
  withoutMassMention,
} from './primitives.ts'
import { countCharacters, MAX_CHARACTERS } from './tables.ts'
import { checkCharacters, fromZod, type Violation, violation } from './violations.ts'

interface MessageLimits {
  /** Upper limit of a message's JSON, measured on Slack, which documents none. */
  readonly jsonBytes: number
}

export const MESSAGE_LIMITS: MessageLimits = { jsonBytes: 12_000 }

// https://docs.slack.dev/reference/methods/chat.postMessage, …/chat.update (text of at most 4,000 characters, 50 blocks)
// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
// `attachments` are legacy; `parse` and `link_names` could turn data into mentions.
const message = object({
  channel: identifier.optional(),
  ts: identifier.optional(),
  response_type: oneOf(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  text: withoutMassMention(chars(4000)).optional(),
  blocks: z
    .array(messageBlock, { error: required('must provide an array') })
    .max(50, 'no more than 50 items allowed')
    .optional(),
  mrkdwn: z.boolean().optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  thread_ts: identifier.optional(),
  reply_broadcast: z.boolean().optional(),
  metadata: object({ event_type: identifier, event_payload: z.record(z.string(), z.unknown()) }).optional(),
})

/** Fields that several rules read, even if the rest is invalid. */
const anyFields = z.record(z.string(), z.unknown()).catch({})

/** Checks the body of chat.postMessage or chat.update, of a post to a response_url, or of a command's response. */
export function checkMessage(payload: unknown, limits: MessageLimits = MESSAGE_LIMITS): readonly Violation[] {
  const parsed = message.safeParse(payload)
  const own = parsed.success ? [] : fromZod(parsed.error)
  const { blocks, text, delete_original } = anyFields.parse(payload)
  return [
    ...own,
    ...checkCharacters(payload),
    // https://docs.slack.dev/reference/block-kit/blocks/table-block: "only_one_table_allowed".
    ...checkCount(blocks, 'table', 1, 'only_one_table_allowed'),
    ...checkTableCharacters(blocks),
    ...checkCount(blocks, 'data_visualization', 2, 'no more than 2 data_visualization blocks allowed'),
    ...checkLayout(blocks),
    ...checkFallback(text, blocks, delete_original),
    ...checkSize(payload, limits),
  ]
}

/** https://docs.slack.dev/reference/block-kit/blocks/data-table-block: 10,000 characters in all tables of a message. */
function checkTableCharacters(blocks: unknown): readonly Violation[] {
  const tables = records(blocks).filter(([, { type }]) => type === 'table' || type === 'data_table')
  if (tables.length < 2) return []
  const characters = countCharacters(tables.map(([, { rows }]) => rows))
  if (characters <= MAX_CHARACTERS) return []
  return [violation(['blocks'], `must be less than ${MAX_CHARACTERS + 1} characters in all tables`)]
}

/** Slack requires text or blocks (`no_text`); text with blocks is our own rule, for notifications and screen readers. */
function checkFallback(text: unknown, blocks: unknown, deleteOriginal: unknown): readonly Violation[] {
  if (deleteOriginal === true) return []
  if (typeof text === 'string' && text.trim() !== '') return []
  const hasBlocks = Array.isArray(blocks) && blocks.length > 0
  return [violation(['text'], hasBlocks ? 'must have a text that can stand for the blocks' : 'no_text')]
}

/**
 * Our own rule for new messages: Slack attaches a preview of each link, unless both flags are false.
 * https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export function checkUnfurling(payload: unknown): readonly Violation[] {
  if (!/https?:\/\//.test(JSON.stringify(payload) ?? '')) return []
  const parsed = notUnfurled.safeParse(payload)
  return parsed.success ? [] : fromZod(parsed.error)
}

const notUnfurled = z.looseObject({
  unfurl_links: z.literal(false, 'must be false in a message with a link'),
  unfurl_media: z.literal(false, 'must be false in a message with a link'),
})

function checkSize(payload: unknown, { jsonBytes }: MessageLimits): readonly Violation[] {
  const size = Buffer.byteLength(JSON.stringify(payload) ?? '')
  if (size < jsonBytes) return []
  return [violation([], `message-size: must be less than ${jsonBytes} bytes of JSON, has ${size}`)]
}

// https://docs.slack.dev/reference/views/modal-views and …/home-tab-views
// 1 to 100 blocks; title, submit, close of 24; private_metadata of 3000; callback_id of 255.
const common = { private_metadata: chars(3000, 0).optional(), callback_id: chars(255, 0).optional() }

const modal = object({
  type: z.literal('modal'),
  ...common,
  title: plainText(24),
  submit: plainText(24).optional(),
  close: plainText(24).optional(),
  blocks: list(modalBlock, 100),
})

const home = object({ type: z.literal('home'), ...common, blocks: list(homeBlock, 100) })

const view = oneType([modal, home])

export function checkView(payload: unknown): readonly Violation[] {
  const parsed = view.safeParse(payload)
  const { type, blocks, submit } = anyFields.parse(payload)
  const needsSubmit = type === 'modal' && records(blocks).some(([, block]) => block.type === 'input')
  return [
    ...(parsed.success ? [] : fromZod(parsed.error)),
    ...checkCharacters(payload),
    ...checkLayout(blocks),
    ...(needsSubmit && submit === undefined
      ? [violation(['submit'], 'must have a submit with input blocks')]
      : []),
  ]
}
