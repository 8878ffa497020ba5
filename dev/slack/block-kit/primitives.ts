import { z } from 'zod'

/**
 * Text of a limited length. Slack documents its limits as "characters" without saying of what kind; UTF-16 code units
 * are counted here, which are never fewer than code points, so nothing passes that either reading refuses.
 * (zod's own `max` counts code points.)
 */
export function chars(max: number, min = 1) {
  return z
    .string({ error: required('must provide a string') })
    .min(min, `must be more than ${min - 1} characters`)
    .refine((text) => text.length <= max, `must be less than ${max + 1} characters`)
}

export function list<T extends z.ZodType>(item: T, max: number, min = 1) {
  return z
    .array(item, { error: required('must provide an array') })
    .min(min, `no fewer than ${min} items allowed`)
    .max(max, `no more than ${max} items allowed`)
}

export function object<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, { error: unlessUnknownKey('must provide an object') })
}

export function integer(min: number, max: number) {
  return z
    .int({ error: required('must provide an integer') })
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
}

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: required('must be a valid enum value') })
}

/** The unknown `type` of a block or element is what Slack calls unsupported. */
export function unsupportedType(issue: { readonly input?: unknown }): string {
  const { input } = issue
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'must provide an object'
  if (!('type' in input)) return 'missing required field: type'
  return `unsupported type: ${String(input.type)}`
}

/** Ids of Slack's and of ours (https://docs.slack.dev/reference/block-kit/blocks: block_id of at most 255). */
export const identifier = chars(255)
export const block = { block_id: identifier.optional() }

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element: a URL of at most 3000 characters. */
export const webUrl = chars(3000).refine(isWebUrl, 'invalid_url')

/** Made once: a set of zones takes milliseconds to build. */
const zones = new Set(Intl.supportedValuesOf('timeZone'))
export const zoneName = z.string().refine((name) => name === 'UTC' || zones.has(name), 'invalid timezone')

export function required(what: string) {
  return (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? 'missing required field' : what
}

function unlessUnknownKey(what: string) {
  return (issue: { readonly code?: string; readonly input?: unknown }) =>
    issue.code === 'unrecognized_keys' ? undefined : required(what)(issue)
}

function isWebUrl(text: string): boolean {
  return (
    URL.canParse(text) && ['http:', 'https:', 'mailto:', 'slack:', 'tel:'].includes(new URL(text).protocol)
  )
}

/** A rule across fields that is broken. */
export function refuse(context: z.RefinementCtx, path: readonly PropertyKey[], message: string): void {
  context.addIssue({ code: 'custom', path: [...path], message })
}
