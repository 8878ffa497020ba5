import { availableParallelism } from 'node:os'
import { type Interaction, NoMessageError, NotAcknowledgedError } from '../slack-stub.ts'
import { CALLS_IN_RANGE, mark, marksIn } from '../workspaces.ts'
import { Fleet } from './fleet.ts'

interface InteractionSizes {
  readonly workspaces: number
  readonly seconds: number
  readonly perSecond: number
}

type Request = 'page' | 'report' | 'number search'
interface SentRequest {
  readonly request: Request
  readonly interaction: Interaction
}

const REPORTS = [13, 46, 79]
const NUMBER_SEARCHES = [29, 62]

/**
 * Returns the nth request. Of a hundred, three are reports and two are searches for a number; the others are lists, turned
 * pages, agents and billing.
 */
function makeRequest(n: number, workspaces: number): SentRequest {
  const team = (n * 7919) % workspaces
  const command = (request: Request, text: string): SentRequest => ({
    request,
    interaction: { kind: 'command', team, page: 1, text },
  })
  if (REPORTS.includes(n % 100)) return command('report', 'report')
  if (NUMBER_SEARCHES.includes(n % 100))
    return command('number search', `number:${String(team).padStart(6, '0')}`)
  const page = { team, page: 1 + (n % 150) }
  const kind = n % 20
  if (kind < 7) return { request: 'page', interaction: { kind: 'click', ...page } }
  if (kind < 17) return { request: 'page', interaction: { kind: 'command', ...page } }
  const name = kind < 19 ? '/agents' : '/billing'
  return { request: 'page', interaction: { kind: 'command', ...page, command: name } }
}

/** Texts of a correct answer. Each call takes 65 s. */
const ANSWERS: Readonly<Record<Request, readonly string[]>> = {
  page: [],
  report: [`Incoming: ${CALLS_IN_RANGE} (no change)`, 'Talk time: 1:05:00 (no change)'],
  'number search': [`${2 * CALLS_IN_RANGE} calls to numbers with `],
}

type Outcome =
  | 'right'
  | 'apology'
  /** Not acknowledged: Slack says that the app didn't respond. */
  | 'not acknowledged'
  /** Lost because its process was killed. */
  | 'killed'
  | 'lost'
  | 'wrong'
  | 'of another workspace'
const UNEXPLAINED: readonly Outcome[] = ['lost', 'wrong', 'of another workspace']

const APOLOGY =
  /isn't responding|asks Callboard to wait|[Tt]ry again|went wrong in Callboard|didn't respond in time|ran out of time|takes too long/

function judgeMessage(text: string, { request, interaction }: SentRequest): Outcome {
  const marks = marksIn(text)
  if (marks.some((one) => one !== mark(interaction.team))) return 'of another workspace'
  if (marks.length === 1 && ANSWERS[request].every((part) => text.includes(part))) return 'right'
  return APOLOGY.test(text) ? 'apology' : 'wrong'
}

/** @throws errors that don't explain the outcome */
function judgeError(error: unknown, wasKilled: boolean): Outcome {
  if (error instanceof NoMessageError) return wasKilled ? 'killed' : 'lost'
  if (error instanceof NotAcknowledgedError) return 'not acknowledged'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/ECONNRESET|ECONNREFUSED|UND_ERR_SOCKET|EPIPE/.test(code)) return 'not acknowledged'
  throw error
}

/** Sends a request to one process, or to the other if that refuses the connection, as a load balancer does. */
async function send(fleet: Fleet, n: number, sent: SentRequest) {
  const [first, second] = n % 2 === 0 ? fleet.up : fleet.up.toReversed()
  for (const app of [first, second]) {
    if (!app) continue
    try {
      const { text, ackMs } = await fleet.slack.send(app.url, sent.interaction)
      return { outcome: judgeMessage(text, sent), isInTime: ackMs <= 3000, text }
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && app === first) continue
      const outcome = judgeError(error, fleet.wasKilled(app.url))
      return { outcome, isInTime: false, text: String(error) }
    }
  }
  return { outcome: 'not acknowledged', isInTime: false, text: 'no process was up' } as const
}

const line = (name: string, value: number | string) => `${name.padEnd(40)} ${value}`

/** Checks the outcome of every interaction. @returns lines of text */
export async function interactions(sizes: InteractionSizes): Promise<readonly string[]> {
  const { workspaces, seconds, perSecond } = sizes
  const counts = new Map<string, number>()
  const samples: string[] = []
  let [unexplained, inTime] = [0, 0]
  return Fleet.with({ workspaces }, async (fleet) => {
    const sendOne = async (n: number) => {
      const sent = makeRequest(n, workspaces)
      const { outcome, isInTime, text } = await send(fleet, n, sent)
      const name = `${sent.request}: ${outcome}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (isInTime) inTime += 1
      if (!UNEXPLAINED.includes(outcome)) return
      unexplained += 1
      if (samples.length < 5) samples.push(`${name}: ${text.slice(0, 200)}`)
    }
    const before = await fleet.memory()
    const sent: Promise<void>[] = []
    await fleet.throughFaults(seconds, {
      work: (elapsed) => {
        while (sent.length < elapsed * perSecond) sent.push(sendOne(sent.length))
      },
    })
    await Promise.all(sent)
    return [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${perSecond} interactions a second for ${seconds} s`,
      '',
      line('sent', sent.length),
      line('acknowledged within 3 s', inTime),
      ...[...counts].toSorted().map(([name, value]) => line(name, value)),
      line('lost, wrong, of another workspace', unexplained),
      line('resident memory', `${before} at the start, ${await fleet.memory()} at the end`),
      ...samples,
    ]
  })
}
