const outcomeClauses: Readonly<Record<string, string>> = {
  'credentials-rejected': "it didn't accept the API key and secret",
  refused: 'it refused a request',
  'rate-limited': 'it asked us to wait',
  status: 'it answered with an error',
  timeout: "it didn't respond in time",
  connection: "it couldn't be reached",
  busy: 'too many requests were waiting',
  resting: 'it had failed too often to be asked',
}

/** An outcome of a request to the service, as the rest of a sentence. */
export const outcomeClause = (outcome: string): string =>
  outcomeClauses[outcome] ?? "its answer couldn't be read"
