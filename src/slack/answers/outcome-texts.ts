const outcomeClauses: Readonly<Record<string, string>> = {
  'credentials-rejected': 'it did not accept the key and secret',
  refused: 'it refused a request',
  'rate-limited': 'it asked to wait',
  timeout: 'it did not answer in time',
  connection: 'it could not be reached',
  busy: 'too many requests were waiting',
  resting: 'it was given a rest after many failures',
}

/** An outcome of a request to the service, as the rest of a sentence. */
export const outcomeClause = (outcome: string): string =>
  outcomeClauses[outcome] ?? 'its answer made no sense'
