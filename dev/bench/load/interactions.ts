import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../../../src/util/units.ts'
import {
  type Interaction,
  NoMessageError,
  NotAcknowledgedError,
  type PostedMessage,
  type SlackStub,
} from '../slack-stub.ts'
import { ALL_CALLS, CALLS_IN_RANGE, mark, marksIn, teamOf } from '../workspaces.ts'
import { Fleet } from './fleet.ts'

interface InteractionSizes {
  readonly workspaces: number
  readonly seconds: number
  readonly perSecond: number
}

type What = 'page' | 'report' | 'number search' | 'export'
interface Asked {
  readonly what: What
  readonly interaction: Interaction
}

const REPORTS = [13, 46, 79]
const NUMBER_SEARCHES = [29, 62]
/** In shares of the whole time: throughout, and closer together before each end of a process. */
const EXPORTS = [0.05, 0.2, 0.31, 0.32, 0.33, 0.34, 0.42, 0.5, 0.58, 0.68, 0.81, 0.82, 0.83, 0.84, 0.95]
/** As long as an export may take that a killed process had begun, and then some. */
const EXPORT_MS: Milliseconds = 60_000

/**
 * The nth of so many. In a hundred three reports and two searches for a number; of the rest half lists of calls, a third
 * pages turned, and then agents and billing; over all workspaces. A few exports in all, each of another workspace.
 */
function asked(n: number, { workspaces, seconds, perSecond }: InteractionSizes): Asked {
  const command = (what: What, team: number, text: string): Asked => ({
    what,
    interaction: { kind: 'command', team, page: 1, text },
  })
  const exported = EXPORTS.findIndex((share) => Math.floor(share * seconds * perSecond) === n)
  if (exported !== -1) return command('export', exported % workspaces, 'export incoming')
  const team = (n * 7919) % workspaces
  if (REPORTS.includes(n % 100)) return command('report', team, 'report')
  if (NUMBER_SEARCHES.includes(n % 100))
    return command('number search', team, `number:${String(team).padStart(6, '0')}`)
  const page = { team, page: 1 + (n % 150) }
  const kind = n % 20
  if (kind < 7) return { what: 'page', interaction: { kind: 'click', ...page } }
  if (kind < 17) return { what: 'page', interaction: { kind: 'command', ...page } }
  const name = kind < 19 ? '/agents' : '/billing'
  return { what: 'page', interaction: { kind: 'command', ...page, command: name } }
}

/** Of 65 s each. */
const REPORTED = [`Incoming: ${CALLS_IN_RANGE} (no change)`, 'Talk time: 1 h 5 min (no change)']
/** What a message has that is the answer. */
const ANSWERS: Readonly<Record<What, readonly string[]>> = {
  page: [],
  report: REPORTED,
  'number search': [`Searched ${2 * CALLS_IN_RANGE} calls.`],
  // The file itself comes later.
  export: [`Exporting ${ALL_CALLS.toLocaleString('en')} incoming calls`],
}

/** What became of an interaction or a file, as its person sees it. */
type Outcome =
  | 'right'
  | 'apology'
  /** Nobody can tell whether the file arrived, since a process was killed as it was sent. */
  | 'told to look'
  /** Acknowledged by nobody: Slack says that the app did not respond. */
  | 'told by Slack'
  /** Lost with a process that was killed as it worked on it. */
  | 'killed'
  | 'lost'
  | 'twice'
  | 'wrong'
  | "another's"
const UNEXPLAINED: readonly Outcome[] = ['lost', 'twice', 'wrong', "another's"]

const APOLOGY =
  /isn't responding|asks Callboard to wait|[Tt]ry again|went wrong in Callboard|didn't respond in time|ran out of time|takes too long/

function outcomeOfMessage(text: string, { what, interaction }: Asked): Outcome {
  const marks = marksIn(text)
  if (marks.some((one) => one !== mark(interaction.team))) return "another's"
  const isOfOne = what === 'export' || marks.length === 1
  if (isOfOne && ANSWERS[what].every((part) => text.includes(part))) return 'right'
  return APOLOGY.test(text) ? 'apology' : 'wrong'
}

/** @throws whatever does not tell what became of an interaction */
function outcomeOfError(error: unknown, wasKilled: boolean): Outcome {
  if (error instanceof NoMessageError) return wasKilled ? 'killed' : 'lost'
  if (error instanceof NotAcknowledgedError) return 'told by Slack'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/ECONNRESET|ECONNREFUSED|UND_ERR_SOCKET|EPIPE/.test(code)) return 'told by Slack'
  throw error
}

/** Whether every call is in it, each once, below the columns' names. */
function isWhole(csv: string): boolean {
  const ids = new Set(csv.match(/W\d{6}W-incoming-[\d-]+/g))
  return ids.size === ALL_CALLS && csv.trimEnd().split('\r\n').length === ALL_CALLS + 1
}

const isEnd = (version: PostedMessage['versions'][number] | undefined) =>
  version?.blocks.includes('calls.export-cancel') === false

/** What became of a workspace's export, as its person sees it. @param answer what became of the command */
function outcomeOfExport({ files, messages }: SlackStub, team: number, answer: Outcome): Outcome {
  const [file, second] = files.filter(({ channel }) => teamOf(channel) === team)
  const last = [...messages.values()]
    .filter(({ channel }) => teamOf(channel) === team)
    .at(-1)
    ?.versions.at(-1)
  const isOver = last !== undefined && isEnd(last)
  if (second) return 'twice'
  if (file && marksIn(file.content).some((one) => one !== mark(team))) return "another's"
  if (file && !isWhole(file.content)) return 'wrong'
  if (isOver && last.text.startsWith('The file may be below')) return 'told to look'
  if (isOver && file) return last.text.startsWith('Here are') ? 'right' : 'wrong'
  if (isOver) return last.text.startsWith('Export failed') ? 'apology' : 'lost'
  if (file) return 'wrong'
  return last ? 'lost' : answer === 'right' ? 'lost' : answer
}

/** Sends it to one process; where that refuses the connection, to the other, as a load balancer does. */
async function send(fleet: Fleet, n: number, sent: Asked) {
  const [first, second] = n % 2 === 0 ? fleet.up : fleet.up.toReversed()
  for (const app of [first, second]) {
    if (!app) continue
    try {
      const { text, ackMs } = await fleet.slack.send(app.url, sent.interaction)
      return { outcome: outcomeOfMessage(text, sent), isInTime: ackMs <= 3000, text }
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && app === first) continue
      return {
        outcome: outcomeOfError(error, fleet.wasKilled(app.url)),
        isInTime: false,
        text: String(error),
      }
    }
  }
  return { outcome: 'told by Slack', isInTime: false, text: 'no process was up' } as const
}

const line = (name: string, value: number | string) => `${name.padEnd(40)} ${value}`

/** What becomes of every interaction, and of every export's file. @returns lines of text */
export async function interactions(sizes: InteractionSizes): Promise<readonly string[]> {
  const { workspaces, seconds, perSecond } = sizes
  const counts = new Map<string, number>()
  const samples: string[] = []
  let [unexplained, inTime] = [0, 0]
  const count = (what: string, outcome: Outcome, text: string) => {
    const name = `${what}: ${outcome}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (!UNEXPLAINED.includes(outcome)) return
    unexplained += 1
    if (samples.length < 5) samples.push(`${name}: ${text.slice(0, 200)}`)
  }
  return Fleet.with({ workspaces }, async (fleet) => {
    const { messages, files } = fleet.slack
    /** By workspace: what became of the command. */
    const exports = new Map<number, Outcome>()
    const sendOne = async (n: number) => {
      const one = asked(n, sizes)
      const { outcome, isInTime, text } = await send(fleet, n, one)
      count(one.what, outcome, text)
      if (isInTime) inTime += 1
      if (one.what === 'export') exports.set(one.interaction.team, outcome)
    }
    const before = await fleet.memory()
    const sent: Promise<void>[] = []
    await fleet.throughFaults(seconds, {
      work: (elapsed) => {
        while (sent.length < elapsed * perSecond) sent.push(sendOne(sent.length))
      },
    })
    await Promise.all(sent)
    const until = performance.now() + EXPORT_MS
    const isOver = () => [...messages.values()].every(({ versions }) => isEnd(versions.at(-1)))
    while (!isOver() && performance.now() < until) await sleep(100)
    for (const [team, answer] of exports)
      count('exported file', outcomeOfExport(fleet.slack, team, answer), `of workspace ${team}`)
    for (const { channel } of files)
      if (!exports.has(teamOf(channel))) count('exported file', "another's", 'nobody asked for it')
    const begunAgain = [...messages.values()].filter(({ versions }) =>
      versions.some(({ text }) => /interrupted|restarted/.test(text)),
    )
    return [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${perSecond} interactions a second for ${seconds} s`,
      '',
      line('sent', sent.length),
      line('acknowledged within 3 s', inTime),
      ...[...counts].toSorted().map(([name, value]) => line(name, value)),
      line('exports begun again', begunAgain.length),
      line('lost, wrong, twice, of another workspace', unexplained),
      line('resident memory', `${before} at the start, ${await fleet.memory()} at the end`),
      ...samples,
    ]
  })
}
