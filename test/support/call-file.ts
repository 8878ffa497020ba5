import { formatDuration } from '../../dev/service/api/wire-time.ts'
import type { Sandbox } from '../../dev/service/app.ts'
import type { SandboxCall } from '../../dev/service/types.ts'
import { hourMs, minuteMs } from '../../src/util/units.ts'

/** A row of a call file, as the service would list it. */
interface FileRow {
  /** The parts of a call share an id. */
  readonly id: string
  readonly at: Date
  readonly number: string
  readonly status: string
  /** Length of the call; for a missed call, how long it rang. */
  readonly seconds: number | undefined
  readonly cost: string
}

/** Destinations of Asterisk: extensions, special ones, parts of one another, and none. */
const NUMBERS = ['s', '*60', '60', '1001', '+15555551001', '+49305550', '+49305550-12', '']
const STATUSES = ['ANSWERED', 'NO ANSWER', ' Answered', 'NOT ANSWERED', 'BUSY', 'ANSWERED', 'FAILED']

/** Returns rows shaped like a call file of Asterisk, the newest first. @param newest time of the first row */
export function createCallFile(newest: Date): readonly FileRow[] {
  return Array.from({ length: 87 }, (_, index) => ({
    // A call has up to three parts: the same id at other times, or at the same time with another number.
    id: index % 10 === 9 ? '' : `1480${Math.floor(index / 3)}.${Math.floor(index / 3)}`,
    at: new Date(newest.getTime() - Math.floor(index / 2) * 7 * minuteMs),
    number: NUMBERS[index % NUMBERS.length] ?? '',
    status: STATUSES[index % STATUSES.length] ?? '',
    seconds: index % 11 === 5 ? undefined : (index * 37) % 400,
    cost: index % 4 === 0 ? '' : `0.0${index % 9}`,
  }))
}

/** Lets the sandbox's lively account have these incoming calls only, with the rows' own ids, results and lengths. */
export function serveCallFile(sandbox: Sandbox, rows: readonly FileRow[]): void {
  const { lively } = sandbox.accounts
  for (const call of lively.calls('incoming')) lively.removeCall(call)
  lively.missNothingFor(24 * hourMs)
  const calls = rows.map(
    (row, index): SandboxCall => ({
      id: `row-${index}`,
      direction: 'incoming',
      number: row.number,
      at: row.at,
      seconds: 0,
      answered: isAnswered(row),
      cost: row.cost,
      recording: '',
      agentId: '1001',
    }),
  )
  lively.addCalls(...calls)
  const patch = (record: Readonly<Record<string, unknown>>) => {
    const row = rows[Number(String(record['id']).replace('row-', ''))]
    if (!row) return record
    const Duration = row.seconds === undefined ? '' : formatDuration(row.seconds)
    return { ...record, id: row.id, Status: row.status, Duration }
  }
  sandbox.faults.always({ kind: 'patch', patch }, { operation: 'incoming' })
}

const isAnswered = ({ status }: FileRow) => status.trim().toUpperCase() === 'ANSWERED'

/** Returns what every view of the file must agree on. */
export function countCallFile(rows: readonly FileRow[]) {
  const answered = rows.filter(isAnswered)
  const missed = rows.filter(({ status }) => status.startsWith('NO')).length
  return {
    calls: rows.length,
    answered: answered.length,
    missed,
    other: rows.length - answered.length - missed,
    talkSeconds: answered.reduce((sum, { seconds = 0 }) => sum + seconds, 0),
    byLine: Map.groupBy(rows, ({ number }) => number),
  }
}
