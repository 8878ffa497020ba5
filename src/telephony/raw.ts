import type { Raw } from './types.ts'

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && 'raw' in value

/** The text of a value; one that was not understood as it came. */
export const orRaw = <T>(value: T | Raw, text: (value: T) => string): string =>
  isRaw(value) ? value.raw : text(value)
