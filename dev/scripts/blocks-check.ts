import '../prepare.ts'
import { WebClient } from '@slack/web-api'
import { Gallery, type Sample } from '../demo/gallery/gallery.ts'

// Sends every sample of the gallery to Slack's blocks.validate, which requires no token. Needs the internet, so nothing
// else runs it. Usage: npm run blocks:check (SLACK_API_URL: another address than Slack's)

const client = new WebClient(undefined, {
  timeout: 10_000,
  retryConfig: { retries: 0 },
  ...(process.env['SLACK_API_URL'] === undefined ? {} : { slackApiUrl: process.env['SLACK_API_URL'] }),
})

/** Returns the arguments that Slack validates: without metadata, and without the fields that Slack adds to a view. */
function argumentsFor({ kind, body }: Exclude<Sample, { kind: 'page' }>) {
  if (kind === 'message') return { message: JSON.stringify(body) }
  const { type, title, submit, close, blocks } = body
  return { view: JSON.stringify({ type, title, submit, close, blocks }) }
}

/** @returns whether Slack accepts it @throws if Slack can't be reached */
async function check(sample: Exclude<Sample, { kind: 'page' }>): Promise<boolean> {
  const what = `${sample.feature}: ${sample.name}`
  try {
    await client.apiCall('blocks.validate', argumentsFor(sample))
    console.log(`taken    ${what}`)
    return true
  } catch (error) {
    // Without a response from Slack, the next samples would fail, too.
    if (!(error instanceof Error && 'data' in error)) throw error
    console.log(`refused  ${what}: ${JSON.stringify(error.data)}`)
    return false
  }
}

try {
  let refused = 0
  for (const sample of await new Gallery().samples()) {
    if (sample.kind !== 'page' && !(await check(sample))) refused += 1
  }
  console.log(refused === 0 ? 'Slack takes all of them.' : `Slack refuses ${refused} of them.`)
  process.exitCode = refused === 0 ? 0 : 1
} catch (error) {
  console.error(`Slack could not be asked: ${error instanceof Error ? error.message : 'unknown'}`)
  process.exitCode = 2
}
