import type { Manifest } from '../manifest.ts'
import type { Sandbox } from '../service/app.ts'
import type { Slack } from '../slack/slack.ts'
import type { Controls } from './controls.ts'
import type { DemoClock } from './demo-clock.ts'
import type { TourPlaces, TourProgress } from './tour.ts'
import type { TrafficLog } from './traffic.ts'
import type { UserMessages } from './user-messages.ts'

/** Everything behind the page. */
export interface DemoParts extends TourPlaces {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly clock: DemoClock
  readonly manifest: Manifest
  /** `/calls open`, without the commands themselves. */
  readonly subcommands: readonly string[]
  readonly userMessages: UserMessages
  readonly traffic: TrafficLog
  readonly progress: TourProgress
  readonly controls: Controls
}
