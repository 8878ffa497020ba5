import type { Workspaces } from '../../src/slack/access/workspaces.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import type { LineNames } from '../../src/telephony/lines.ts'
import { hourMs, type Milliseconds } from '../../src/util/units.ts'
import type { Sandbox } from '../service/app.ts'
import type { SandboxCall } from '../service/types.ts'
import type { Action, ActionResult, ServiceMode } from './api-types.ts'
import type { DemoClock } from './demo-clock.ts'
import type { DemoWorkspace } from './workspaces.ts'

/** Delay of a slow service; shorter than the app's timeout. */
const slowMs = 3000
/** Time without random missed calls after the demo opens or its clock moves, so that people only see the calls they cause. */
export const quietMs: Milliseconds = hourMs

type ControlAction = Extract<Action, { kind: 'service' | 'missed' | 'clock' }>

/** Controls the world around the app: the phone service, missed calls and the clock. */
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
        return { note: missedNote(calls, await this.#app.getLineNames(tenantKey(team))) }
      }
      case 'clock': {
        if (action.to === 'hour') this.#clock.moveBy(hourMs)
        else {
          // Morning in the person's channel, or else in the workspace's first.
          const { channel } = channels.find((one) => one.channel.id === action.channel) ?? channels[0]
          const { zone } = await this.#app.findZone(tenantKey(team), channel.id)
          await this.#clock.moveToMorning(zone)
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

/** Names the lines on which calls were missed, because an alert may watch only some. */
function missedNote(calls: readonly Pick<SandboxCall, 'number'>[], names: LineNames): string {
  const byLine = [...Map.groupBy(calls, ({ number }) => names.getLabel(number))]
  const lines = byLine.toSorted(([, a], [, b]) => b.length - a.length)
  const told = lines.map(([line, { length }]) => (lines.length > 1 ? `${length} on ${line}` : `on ${line}`))
  if (calls.length === 1) return `A call just came in ${told} and was missed.`
  return `${calls.length} calls just came in and were missed${lines.length > 1 ? ':' : ','} ${told.join(', ')}.`
}
