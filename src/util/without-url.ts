/** The code of an error of the network, or its name: fit for logs, where its message may hold an address. */
export function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}

/**
 * What went wrong with a request to an address that is a secret of its own (whoever holds it may write into a channel, or
 * upload a file): its code or its name alone, fit for errors and logs.
 */
export const withoutUrl = (cause: unknown): Error => new Error(codeOf(cause))
