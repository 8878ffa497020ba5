// Readers of Block Kit's JSON, which the simulated Slack has validated.

export type Json = Readonly<Record<string, unknown>>

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined
export const asList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(asObject) : [])

/** Returns the text of a text object. */
export const readText = (value: unknown): string => asText(asObject(value)['text'])

export const toElementId = (...parts: readonly string[]): string =>
  `bk-${parts.join('-').replaceAll(/[^\w-]/g, '_')}`
