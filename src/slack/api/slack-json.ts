import { z } from 'zod'

export const flag = z.boolean().default(false)

/** Such as `channel_not_found`. */
export const isSlackCode = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z][a-z0-9_]{2,79}$/.test(text)

/** Flags that keep out people and channels: they count as set if Slack sends null. */
const PROTECTIVE_FLAGS = new Set([
  'deleted',
  'is_bot',
  'is_restricted',
  'is_ultra_restricted',
  'is_stranger',
  'is_shared',
  'is_ext_shared',
  'is_pending_ext_shared',
  'is_org_shared',
  'is_global_shared',
])

/** Leaves out nulls, which Slack sends for some missing fields, and not always for the same ones. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((part) => part !== null).map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const fields: [name: string, value: unknown][] = []
  for (const [name, field] of Object.entries(value)) {
    if (field !== null) fields.push([name, withoutNulls(field)])
    else if (PROTECTIVE_FLAGS.has(name)) fields.push([name, true])
  }
  return Object.fromEntries(fields)
}

export function parseSlackJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // Most texts contain no null.
  return text.includes('null') ? withoutNulls(value) : value
}

/** Reads `[]` as an object without fields, which is how Slack sometimes writes one. */
export const objectOrEmptyList = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema)

const slackResponseSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() })

/**
 * Returns the response without nulls. Returns undefined for anything but Slack's JSON, because gateways and proxies send
 * pages and other texts, even with status 200.
 */
export function parseSlackResponse(text: string): z.infer<typeof slackResponseSchema> | undefined {
  try {
    return slackResponseSchema.parse(parseSlackJson(text))
  } catch {
    return undefined
  }
}
