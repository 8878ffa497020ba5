import { z } from 'zod'

// The parts of the app's JSON that the stand-in reads. The checker decides whether Slack would accept it.
const text = z.looseObject({ type: z.string(), text: z.string() })

const option = z.looseObject({ text, value: z.string().optional() })
export type Option = z.infer<typeof option>

const element = z.looseObject({
  type: z.string(),
  action_id: z.string().optional(),
  text: text.optional(),
  value: z.string().optional(),
  confirm: z.looseObject({ title: text, text, confirm: text, deny: text }).optional(),
  options: z.array(option).optional(),
  initial_option: option.optional(),
  initial_options: z.array(option).optional(),
  min_query_length: z.number().optional(),
  max_length: z.number().optional(),
})
export type Element = z.infer<typeof element>

const block = z.looseObject({
  type: z.string(),
  block_id: z.string().optional(),
  elements: z.array(z.looseObject({ type: z.string() })).optional(),
  accessory: element.optional(),
  element: element.optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
})
export type Block = z.infer<typeof block>

export const parseElement = (value: unknown): Element => element.parse(value)
export const parseOption = (value: unknown): Option => option.parse(value)

/** Returns the options of a response to a block_suggestion. */
export const parseOptions = (value: unknown): Option[] =>
  z.object({ options: z.array(option) }).parse(value).options

/** Body of a message that the app sends in an acknowledgement, to a response_url or to chat.postMessage. */
export const messageBody = z.looseObject({
  text: z.string().optional(),
  blocks: z.array(block).optional(),
  response_type: z.string().optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  /** The message that it replies to. */
  thread_ts: z.string().optional(),
})
export type MessageBody = z.infer<typeof messageBody>

export const viewBody = z.looseObject({
  type: z.string(),
  blocks: z.array(block),
  title: text.optional(),
  submit: text.optional(),
  close: text.optional(),
  private_metadata: z.string().optional(),
  callback_id: z.string().optional(),
})
export type ViewBody = z.infer<typeof viewBody>

export const submissionResponse = z.strictObject({
  response_action: z.enum(['errors', 'update']).optional(),
  errors: z.record(z.string(), z.string().min(1)).optional(),
  view: z.unknown().optional(),
})

export type Json = Readonly<Record<string, unknown>>
export const jsonObject = z.record(z.string(), z.unknown())

/** Parses JSON; returns any other text unchanged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
