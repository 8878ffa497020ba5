import type { Managers } from '../../slack/access/errors.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'
import { type AccessRecord, type AccessRule, areas, type ConnectionRecord } from '../../store/workspaces.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { joinNames, numberText } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'

/** Who are named; of more, how many there are. */
const mostNames = 3

function whoText({ who, people }: AccessRule, administrators: ReadonlySet<string>): string {
  if (who === 'everyone') return 'everyone'
  const others = who === 'people' ? people.filter((person) => !administrators.has(person)) : []
  const names = others.length > mostNames ? [`${others.length} people`] : others.map((id) => `<@${id}>`)
  return joinNames(['administrators', ...names])
}

/**
 * Who may see what, in a line of mrkdwn: `Access: calls everyone · billing administrators · exports administrators`. An administrator who is on a
 * list of people is not named as one of them.
 * @param viewer an administrator's id
 */
export function accessText(rules: AccessRecord, managers: Managers, viewer: string): string {
  const administrators = new Set([viewer, ...managers.people])
  const texts = areas.map((area) => `${area} ${whoText(rules[area], administrators)}`)
  const exports = rules.exports === 'admins' ? 'administrators' : 'everyone who can see calls'
  return `Access: ${[...texts, `exports ${exports}`].join(' · ')}`
}

/** Of the incoming calls of a person's own day. */
export interface TodayFigures {
  readonly calls: number
  readonly missed: number
}

/** @param figures none while the phone service says none */
export const todayText = (figures: TodayFigures | undefined): string =>
  figures
    ? `Today: ${figures.calls === 1 ? '1 call' : `${numberText(figures.calls)} calls`}, ${numberText(figures.missed)} missed`
    : "Today's calls"

type ConnectionFailure = NonNullable<ConnectionRecord['lastFailure']>

export interface Connection {
  /** A key and secret are stored once the service has answered them. */
  readonly connectedAt: EpochMs
  readonly record: ConnectionRecord | undefined
}

const lastAnswer = ({ connectedAt, record }: Connection): EpochMs =>
  Math.max(connectedAt, record?.lastSuccess ?? 0)

/** What went wrong since the service last answered, if anything did. */
export function currentFailure(connection: Connection): ConnectionFailure | undefined {
  const failure = connection.record?.lastFailure
  return failure !== undefined && failure.at > lastAnswer(connection) ? failure : undefined
}

/** Outcomes of a request to the service, as the rest of a sentence. */
const outcomeClauses: Readonly<Record<string, string>> = {
  'credentials-rejected': "it didn't accept the API key and secret",
  refused: 'it refused a request',
  'rate-limited': 'it asked Callboard to wait',
  status: 'it answered with an error',
  timeout: "it didn't respond in time",
  connection: "it couldn't be reached",
  busy: 'too many requests were waiting',
  resting: 'paused after repeated failures',
}

/** `HTTP 503`, and in words where those say more. */
function kindOf({ outcome, status }: ConnectionFailure): string {
  const clause = outcomeClauses[outcome] ?? "its answer couldn't be read"
  const words = status !== undefined && outcome === 'status' ? [] : [clause]
  return [...(status === undefined ? [] : [`HTTP ${status}`]), ...words].join(', ')
}

/** `✓ Connected · Last answered 14:07`, in mrkdwn. */
export function connectionText(connection: Connection, zone: Zone, now: Date): string {
  const at = (ms: EpochMs) => recentLabel(zone, new Date(ms), now)
  const answered = at(lastAnswer(connection))
  const failure = currentFailure(connection)
  return failure
    ? `⚠ Phone service failed ${at(failure.at)}: ${escapeText(kindOf(failure))} · Last answered ${answered}`
    : `✓ Connected · Last answered ${answered}`
}
