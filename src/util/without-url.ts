/**
 * What went wrong with a request to an address that is a secret of its own (whoever holds it may write into a channel, or
 * upload a file): its code or its name alone, fit for errors and logs.
 */
export function withoutUrl(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error('unknown')
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return new Error(code)
}
