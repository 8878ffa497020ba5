import type { Zone } from '../../src/time/types.ts'
import type { Milliseconds } from '../../src/util/units.ts'
import type { Sandbox } from '../service/app.ts'
import type { Channel } from '../slack/slack.ts'
import type { Action } from './api-types.ts'
import type { DemoClock } from './demo-clock.ts'
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

  /** @param parts.zoneIn the time zone that holds in a channel now */
  constructor(parts: {
    readonly sandbox: Sandbox
    readonly service: ServiceControl
    readonly clock: DemoClock
    readonly progress: TourProgress
    readonly zoneIn: (workspace: DemoWorkspace, channel: Channel) => Promise<Zone>
  }) {
    this.#sandbox = parts.sandbox
    this.#service = parts.service
    this.#clock = parts.clock
    this.#progress = parts.progress
    this.#zoneIn = parts.zoneIn
  }

  async use(action: ControlAction, workspace: DemoWorkspace): Promise<void> {
    switch (action.kind) {
      case 'service':
        if (action.mode === 'normal' && this.#service.mode !== 'normal') this.#progress.add('failure')
        return this.#service.set(action.mode)
      case 'missed':
        this.#sandbox.accounts[workspace.account].missCalls(action.count)
        return
      case 'clock':
        return this.#moveClock(action, workspace)
    }
  }

  /** The morning is the one in the channel where the person is, or in the workspace's first. */
  async #moveClock({ to, channel: id }: Extract<Action, { kind: 'clock' }>, workspace: DemoWorkspace) {
    if (to === 'hour') return this.#clock.moveBy(hourMs)
    const { channels } = workspace
    const { channel } = channels.find((one) => one.channel.id === id) ?? channels[0]
    this.#clock.moveToMorning(await this.#zoneIn(workspace, channel))
    this.#progress.add('tomorrow')
  }
}
