import type { Core } from './core.ts'
import type { Channel, Team } from './directory.ts'
import type { User } from './people.ts'
import { type Surface, teamOf } from './surfaces.ts'

/** Who does something, and in which channel, when the test does not say. */
export class Actors {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** The one who sees the message or view. @throws Error where somebody else is to click on it. */
  on(surface: Surface, user: User | undefined): User {
    const seenBy = surface.message === undefined ? surface.view.user : surface.message.onlyFor
    const owner = seenBy === undefined ? undefined : this.#core.directory.user(teamOf(surface), seenBy)
    if (user !== undefined && owner !== undefined && user.id !== owner.id) {
      throw new Error(`only ${owner.name} sees that, so ${user.name} cannot click on it`)
    }
    return user ?? owner ?? this.#core.workspace.people.member
  }

  author(user = this.#core.workspace.people.member): { user: User; team: Team } {
    const team = this.#core.directory.teamOf(user)
    if (team === undefined) throw new Error(`${user.name} is in no team`)
    return { user, team }
  }

  channelIn({ teamId, domain }: Team): Channel {
    const channel = this.#core.directory.channels.find((one) => one.teamId === teamId)
    if (channel === undefined) throw new Error(`${domain} has no channel`)
    return channel
  }
}
