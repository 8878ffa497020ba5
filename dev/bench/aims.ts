import type { Line } from './report.ts'

type LineOf = (what: string, unit: string, aim?: Line['aim']) => Line

/** What the table tells, in its order, and what each ratio is to be. */
export function linesWithAims(line: LineOf, workspaces: number): readonly Line[] {
  const turn = line('page turn, service at 50 ms', 'ms')
  return [
    line('throughput at saturation', '1/s', { is: '>=', ratio: 2 }),
    line('CPU an interaction', 'ms', { is: '<=', ratio: 0.5 }),
    line('share of a core at saturation', ''),
    ...[0, 50].flatMap((serviceMs) => [
      ...[50, 95, 99].map((share) => line(`message p${share}, service at ${serviceMs} ms`, 'ms')),
      line(`acknowledgement p99, clicks, service at ${serviceMs} ms`, 'ms', { is: '<=', ratio: 0.7 }),
      line(`acknowledgement p99, commands, service at ${serviceMs} ms`, 'ms'),
    ]),
    turn,
    {
      what: "page turn / the service's latency of 50 ms",
      unit: 'ms',
      app: turn.app,
      bare: 50,
      aim: { is: '<=', ratio: 0.1 },
    },
    line('start-up', 'ms', { is: '<=', ratio: 1.5 }),
    line('resident memory idle', 'MB'),
    line(`resident memory after ${workspaces} workspaces`, 'MB'),
    line(`heap for ${workspaces} used workspaces`, 'MB', { is: '<=', ratio: 0.1 }),
    line(`CPU an interaction, ${workspaces} workspaces / one`, 'ms', { is: '<=', ratio: 1.2 }),
  ]
}
