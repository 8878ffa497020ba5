import type { Core } from './core.ts'
import type { Channel, Team, User } from './directory.ts'
import type { Place } from './inputs.ts'
import type { HeldView, View } from './stores.ts'

/** Who does something where, when the test does not say. */
export interface Defaults {
  readonly user: User
  readonly channel: Channel
}

export class Who {
  readonly #core: Core
  readonly #defaults: Defaults

  constructor(core: Core, defaults: Defaults) {
    this.#core = core
    this.#defaults = defaults
  }

  /** The one who sees the message or view. @throws Error where somebody else is to click on it. */
  actor(place: Place, user: User | undefined): User {
    const seenBy = place.message === undefined ? place.view.user : place.message.onlyFor
    const owner = seenBy === undefined ? undefined : this.#core.directory.user(teamIn(place), seenBy)
    if (user !== undefined && owner !== undefined && user.id !== owner.id) {
      throw new Error(`only ${owner.name} sees that, so ${user.name} cannot click on it`)
    }
    return user ?? owner ?? this.#defaults.user
  }

  author(user: User = this.#defaults.user): { user: User; team: Team } {
    const team = this.#core.directory.teamOf(user)
    if (team === undefined) throw new Error(`${user.name} is in no team`)
    return { user, team }
  }

  channelIn(team: Team): Channel {
    const { channel } = this.#defaults
    if (channel.teamId === team.teamId) return channel
    const found = this.#core.directory.channels.find((one) => one.teamId === team.teamId)
    if (found === undefined) throw new Error(`${team.domain} has no channel`)
    return found
  }

  held(view: View): HeldView {
    const held = this.#core.views.get(view.id)
    if (held === undefined) throw new Error('that view is closed')
    return held
  }
}

export function teamIn(place: Place): Team {
  return (place.message ?? place.view).team
}
