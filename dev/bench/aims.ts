import type { Figures } from './figures.ts'
import type { Line } from './report.ts'

/** What the table tells, in its order, and what each ratio is to be. */
export function linesWithAims(figures: Figures, workspaces: number): readonly Line[] {
  const turn = figures.line('page turn, service at 50 ms', 'ms')
  return [
    figures.line('throughput at saturation', '1/s', { is: '>=', ratio: 2 }),
    figures.line('CPU an interaction', 'ms', { is: '<=', ratio: 0.5 }),
    figures.line('share of a core at saturation', ''),
    ...[0, 50].flatMap((serviceMs) => [
      ...[50, 95, 99].map((share) => figures.line(`message p${share}, service at ${serviceMs} ms`, 'ms')),
      figures.line(`acknowledgement p99, clicks, service at ${serviceMs} ms`, 'ms', { is: '<=', ratio: 0.7 }),
      figures.line(`acknowledgement p99, commands, service at ${serviceMs} ms`, 'ms'),
    ]),
    turn,
    {
      what: "page turn / the service's latency of 50 ms",
      unit: 'ms',
      app: turn.app,
      bare: 50,
      aim: { is: '<=', ratio: 0.1 },
    },
    figures.line('start-up', 'ms', { is: '<=', ratio: 1.5 }),
    figures.line('resident memory idle', 'MB'),
    figures.line(`resident memory after ${workspaces} workspaces`, 'MB'),
    figures.line(`heap for ${workspaces} used workspaces`, 'MB', { is: '<=', ratio: 0.1 }),
    figures.line(`CPU an interaction, ${workspaces} workspaces / one`, 'ms', { is: '<=', ratio: 1.2 }),
  ]
}
