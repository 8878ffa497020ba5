import type { LineNames } from '../../src/telephony/line-names.ts'
import type { Zone } from '../../src/time/types.ts'
import type { Milliseconds } from '../../src/util/units.ts'
import type { Sandbox } from '../service/app.ts'
import type { Channel } from '../slack/slack.ts'
import type { Action, ActionResult } from './api-types.ts'
import type { DemoClock } from './demo-clock.ts'
import { missedNote } from './missed-note.ts'
import type { ServiceControl } from './service-control.ts'
import type { TourProgress } from './tour-progress.ts'
import type { DemoWorkspace } from './workspaces.ts'

const hourMs: Milliseconds = 3_600_000

export type ControlAction = Extract<Action, { kind: 'service' | 'missed' | 'clock' }>

/** What people do to the world around the app: how well the phone service works, who calls, and what time it is. */
export class Controls {
  readonly #sandbox: Sandbox
  readonly #service: ServiceControl
  readonly #clock: DemoClock
  readonly #progress: TourProgress
  readonly #zoneIn: (workspace: DemoWorkspace, channel: Channel) => Promise<Zone>
  readonly #lineNamesIn: (workspace: DemoWorkspace) => Promise<LineNames>

  /**
   * @param parts.zoneIn the time zone that holds in a channel now
   * @param parts.lineNamesIn what the workspace calls its numbers now
   */
  constructor(parts: {
    readonly sandbox: Sandbox
    readonly service: ServiceControl
    readonly clock: DemoClock
    readonly progress: TourProgress
    readonly zoneIn: (workspace: DemoWorkspace, channel: Channel) => Promise<Zone>
    readonly lineNamesIn: (workspace: DemoWorkspace) => Promise<LineNames>
  }) {
    this.#sandbox = parts.sandbox
    this.#service = parts.service
    this.#clock = parts.clock
    this.#progress = parts.progress
    this.#zoneIn = parts.zoneIn
    this.#lineNamesIn = parts.lineNamesIn
  }

  async use(action: ControlAction, workspace: DemoWorkspace): Promise<ActionResult> {
    switch (action.kind) {
      case 'service':
        if (action.mode === 'normal' && this.#service.mode !== 'normal') this.#progress.add('failure')
        this.#service.set(action.mode)
        return {}
      case 'missed': {
        const calls = this.#sandbox.accounts[workspace.account].missCalls(action.count)
        return { note: missedNote(calls, await this.#lineNamesIn(workspace)) }
      }
      case 'clock':
        await this.#moveClock(action, workspace)
        return {}
    }
  }

  /** The morning is the one in the channel where the person is, or in the workspace's first. */
  async #moveClock({ to, channel: id }: Extract<Action, { kind: 'clock' }>, workspace: DemoWorkspace) {
    if (to === 'hour') return this.#clock.moveBy(hourMs)
    const { channels } = workspace
    const { channel } = channels.find((one) => one.channel.id === id) ?? channels[0]
    this.#clock.moveToMorning(await this.#zoneIn(workspace, channel))
  }
}
