import { UserActions } from './actions/user-actions.ts'
import type { Call, LocatedViolation } from './core.ts'
import type { Channel } from './directory.ts'
import type { SlackFile } from './files.ts'
import type { User } from './people.ts'
import type { Message, View } from './surfaces.ts'

export class Recorder extends UserActions {
  /** Address of the app, for actions by `Slack.as`. */
  appUrl = ''
  /** All violations so far; tests expect none. */
  readonly violations: readonly LocatedViolation[] = this.core.violations
  /** Messages in acknowledgements of clicks, which Slack doesn't show. */
  readonly dropped: readonly unknown[] = this.core.dropped
  readonly calls: readonly Call[] = this.core.calls
  /** Bodies of the app's acknowledgements. */
  readonly acknowledged: readonly string[] = this.core.acknowledged

  /** Waits until `probe` returns a value; checks it after every call and acknowledgement. */
  waitFor<T>(probe: () => T | undefined, timeoutMs = 15_000, what = 'what the test waits for'): Promise<T> {
    return this.core.changes.until(probe, timeoutMs, () => what)
  }

  /** Returns the violations so far and removes them, for tests that cause some. */
  takeViolations(): readonly LocatedViolation[] {
    return this.core.violations.splice(0)
  }

  callsTo(method: string): readonly Call[] {
    return this.calls.filter((call) => call.method === method)
  }

  /** Returns existing messages; with a person, only the ephemeral ones that they see. */
  messages({ channel, user }: { channel?: Channel; user?: User } = {}): readonly Message[] {
    return this.core.messages
      .all()
      .filter((one) => channel === undefined || one.channel === channel.id)
      .filter((one) => one.onlyFor === undefined || user === undefined || one.onlyFor === user.id)
  }

  message(ts: string): Message | undefined {
    return this.core.messages.get(ts)
  }

  /**
   * Returns the newest version of a message with this element, because Slack delivers clicks on outdated versions; undefined if
   * no version had it, or the message was deleted.
   */
  messageWith(ts: string, actionId: string, blockId?: string): Message | undefined {
    return this.core.messages.withElement(ts, actionId, blockId)
  }

  get files(): readonly SlackFile[] {
    return this.core.files.all()
  }

  view(id: string): View | undefined {
    return this.core.views.get(id)?.current
  }

  home(user: User): View | undefined {
    const team = this.core.directory.getTeam(user)
    return team === undefined ? undefined : this.core.views.home(team, user.id)?.current
  }

  /** Returns the open modals, the lowest first. */
  openViews(): readonly View[] {
    return this.core.views
      .all()
      .map(({ current }) => current)
      .filter(({ type }) => type === 'modal')
  }
}
