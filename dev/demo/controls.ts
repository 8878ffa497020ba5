import type { Workspaces } from '../../src/slack/access/workspaces.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import type { LineNames } from '../../src/telephony/lines.ts'
import { hourMs, type Milliseconds } from '../../src/util/units.ts'
import type { Sandbox } from '../service/app.ts'
import type { SandboxCall } from '../service/types.ts'
import type { Action, ActionResult, ServiceMode } from './api-types.ts'
import type { DemoClock } from './demo-clock.ts'
import type { DemoWorkspace } from './workspaces.ts'

/** How much later a slow service answers; within what the app waits for. */
const slowMs = 3000
/** What is missed soon after the demo opens, or its clock is moved, is somebody's doing. */
export const quietMs: Milliseconds = hourMs

export type ControlAction = Extract<Action, { kind: 'service' | 'missed' | 'clock' }>

/** What people do to the world around the app: how well the phone service works, who calls, and what time it is. */
export class Controls {
  readonly #app: Workspaces
  readonly #sandbox: Sandbox
  readonly #clock: DemoClock
  #service: ServiceMode = 'normal'

  constructor(app: Workspaces, sandbox: Sandbox, clock: DemoClock) {
    this.#app = app
    this.#sandbox = sandbox
    this.#clock = clock
  }

  /** How well the phone service works. */
  get service(): ServiceMode {
    return this.#service
  }

  async use(action: ControlAction, { team, account, channels }: DemoWorkspace): Promise<ActionResult> {
    switch (action.kind) {
      case 'service':
        this.#setService(action.mode)
        return {}
      case 'missed': {
        const calls = this.#sandbox.accounts[account].missCalls(action.count)
        return { note: missedNote(calls, await this.#app.lineNames(tenantKey(team))) }
      }
      case 'clock': {
        if (action.to === 'hour') this.#clock.moveBy(hourMs)
        else {
          // The morning is the one in the channel where the person is, or in the workspace's first.
          const { channel } = channels.find((one) => one.channel.id === action.channel) ?? channels[0]
          const { zone } = await this.#app.zone(tenantKey(team), channel.id)
          this.#clock.moveToMorning(zone)
        }
        this.#sandbox.accounts[account].missNothingFor(quietMs)
        return {}
      }
    }
  }

  #setService(mode: ServiceMode): void {
    this.#service = mode
    this.#sandbox.faults.clear()
    if (mode === 'slow') this.#sandbox.faults.always({ kind: 'delay', ms: slowMs })
    if (mode === 'down') this.#sandbox.faults.always({ kind: 'status', status: 503 })
  }
}

/** On which lines calls were missed: an alert may be for some lines only. */
export function missedNote(calls: readonly Pick<SandboxCall, 'number'>[], names: LineNames): string {
  const byLine = [...Map.groupBy(calls, ({ number }) => names.labelOf(number))]
  const lines = byLine.toSorted(([, a], [, b]) => b.length - a.length)
  const told = lines.map(([line, { length }]) => (lines.length > 1 ? `${length} on ${line}` : `on ${line}`))
  if (calls.length === 1) return `A call was missed now, ${told}.`
  return `${calls.length} calls were missed now${lines.length > 1 ? ':' : ','} ${told.join(', ')}.`
}
