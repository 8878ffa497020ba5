// Block Kit's JSON was checked by the stand-in; what is left to do here is to take it apart without trusting it.

export type Json = Readonly<Record<string, unknown>>

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined
export const asList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(asObject) : [])

/** The text of a text object, plain or mrkdwn. */
export const textOf = (value: unknown): string => asText(asObject(value)['text'])

export const idOf = (...parts: readonly string[]): string =>
  `bk-${parts.join('-').replaceAll(/[^\w-]/g, '_')}`
