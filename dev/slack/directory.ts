/** A user in users.info. Tests change fields to change a person's role. */
export interface User {
  id: string
  team_id: string
  name: string
  real_name: string
  deleted: boolean
  tz: string
  tz_label: string
  tz_offset: number
  profile: { real_name: string; display_name: string; team: string }
  is_admin: boolean
  is_owner: boolean
  is_primary_owner: boolean
  is_restricted: boolean
  is_ultra_restricted: boolean
  is_bot: boolean
  is_app_user: boolean
  is_stranger?: boolean
  enterprise_user?: {
    id: string
    enterprise_id: string
    enterprise_name: string
    is_admin: boolean
    is_owner: boolean
    teams: string[]
  }
  updated: number
}

/** Any field of users.info may be set. */
export type NewUser = Partial<User> & { name: string }

export type People = Readonly<
  Record<'admin' | 'owner' | 'member' | 'guest' | 'ultraGuest' | 'stranger' | 'bot' | 'deleted', User>
>

function addPeople(add: (fields: NewUser) => User): People {
  return {
    admin: add({ name: 'admin', is_admin: true }),
    owner: add({ name: 'owner', is_admin: true, is_owner: true, is_primary_owner: true }),
    member: add({ name: 'member' }),
    guest: add({ name: 'guest', is_restricted: true }),
    ultraGuest: add({ name: 'ultra-guest', is_restricted: true, is_ultra_restricted: true }),
    stranger: add({ name: 'stranger', is_stranger: true, team_id: 'T0ELSEWHERE' }),
    bot: add({ name: 'some-bot', is_bot: true }),
    deleted: add({ name: 'deleted', deleted: true }),
  }
}

/**
 * Returns a user of users.info. For an organization's token, the roles are those in the organization, and no argument
 * requests a workspace's (https://github.com/slackapi/bolt-js/issues/1566).
 */
export function userJson(user: User, isEnterpriseInstall: boolean): User {
  const copy = structuredClone(user)
  const { enterprise_user } = copy
  if (!isEnterpriseInstall || !enterprise_user) return copy
  const { is_admin, is_owner } = enterprise_user
  return { ...copy, is_admin, is_owner, is_primary_owner: false }
}

export interface Team {
  readonly teamId: string
  readonly domain: string
  /** Display name; the domain by default. */
  readonly name?: string
  readonly enterpriseId?: string
  readonly enterpriseName?: string
  /** Workspaces of an organization-wide installation share one. */
  botToken: string
  readonly botUserId: string
  readonly botId: string
  readonly appId: string
  isEnterpriseInstall: boolean
  isInstalled?: boolean
}

export interface Channel {
  readonly id: string
  readonly teamId: string
  name: string
  isPrivate: boolean
  isArchived: boolean
  /** Shared with another company by Slack Connect. */
  isExtShared: boolean
  isPendingExtShared: boolean
  sharedWith: readonly string[]
  /** Ids of its members; by default, everyone in the workspace. */
  members?: readonly string[]
  isMember: boolean
  /** The other person of a direct conversation. */
  readonly directWith?: string
  /** A group of direct messages, whose name begins with `mpdm-`. */
  readonly isGroupMessage?: boolean
}

export type TeamOptions = Partial<
  Pick<Team, 'teamId' | 'domain' | 'name' | 'enterpriseId' | 'enterpriseName' | 'botToken'>
>

/** Returns a channel's name in payloads. https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling */
export function payloadName({ name, isPrivate, isGroupMessage, directWith }: Channel): string {
  if (directWith !== undefined) return 'directmessage'
  return isPrivate && !isGroupMessage ? 'privategroup' : name
}

export interface Workspace {
  readonly team: Team
  readonly people: People
  readonly general: Channel
}

/** Teams, their people and channels. A person belongs to the team that they are listed in, even if `team_id` differs. */
export class Directory {
  readonly teams: Team[] = []
  readonly #users: { seenBy: string; user: User }[] = []
  readonly channels: Channel[] = []

  addTeam(options: TeamOptions = {}): Team {
    const n = this.teams.length + 1
    const team: Team = {
      teamId: `T0TEAM${n}`,
      domain: `team-${n}`,
      botToken: `xoxb-${n}-stand-in`,
      botUserId: `U0BOT${n}`,
      botId: `B0BOT${n}`,
      appId: 'A0CALLBOARD',
      isEnterpriseInstall: false,
      ...options,
    }
    this.teams.push(team)
    this.addPerson({ id: team.botUserId, name: 'callboard', is_bot: true, is_app_user: true }, team)
    return team
  }

  addWorkspace(options?: TeamOptions): Workspace {
    const team = this.addTeam(options)
    const people = addPeople((fields) => this.addPerson(fields, team))
    return { team, people, general: this.addChannel({ name: 'general' }, team) }
  }

  addPerson(fields: NewUser, team: Team): User {
    const user: User = {
      id: `U0${fields.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}${this.teams.length}`,
      team_id: team.teamId,
      real_name: fields.name,
      deleted: false,
      tz: 'Europe/Berlin',
      tz_label: 'Central European Time',
      tz_offset: 3600,
      profile: { real_name: fields.name, display_name: fields.name, team: team.teamId },
      is_admin: false,
      is_owner: false,
      is_primary_owner: false,
      is_restricted: false,
      is_ultra_restricted: false,
      is_bot: false,
      is_app_user: false,
      updated: 1_700_000_000,
      ...membership(team, fields),
      ...fields,
    }
    this.#users.push({ seenBy: team.teamId, user })
    return user
  }

  /** Adds the person to another workspace of their organization. */
  join(user: User, team: Team): User {
    user.enterprise_user?.teams.push(team.teamId)
    const there: User = { ...user, is_admin: false, is_owner: false, is_primary_owner: false }
    this.#users.push({ seenBy: team.teamId, user: there })
    return there
  }

  addChannel(fields: Partial<Channel> & { name: string }, team: Team): Channel {
    const channel: Channel = {
      id: `C0${fields.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}${this.teams.length}`,
      teamId: team.teamId,
      isPrivate: false,
      isArchived: false,
      isExtShared: false,
      isPendingExtShared: false,
      sharedWith: [],
      isMember: true,
      ...fields,
    }
    this.channels.push(channel)
    return channel
  }

  /** Returns the ids of the channel's members, including the app's bot if it is one. */
  getMemberIds(team: Team, { isMember, members }: Channel): readonly string[] {
    const people = this.#users.filter(({ seenBy, user }) => seenBy === team.teamId && !user.is_bot)
    const inChannel = members ?? people.map(({ user }) => user.id)
    return isMember ? [team.botUserId, ...inChannel] : inChannel
  }

  user(team: Team, id: string): User | undefined {
    return this.#users.find(({ seenBy, user }) => seenBy === team.teamId && user.id === id)?.user
  }

  /** Returns the team that lists this person; undefined for an unknown person. */
  getTeam(user: User): Team | undefined {
    const seenBy = this.#users.find((one) => one.user === user)?.seenBy
    return this.teams.find((team) => team.teamId === seenBy)
  }

  /** Finds a channel by its id. A person's id opens the direct conversation with them. */
  channel(team: Team, id: string): Channel | undefined {
    const found = this.channels.find(
      (one) => one.teamId === team.teamId && (one.id === id || one.directWith === id),
    )
    if (found !== undefined || this.user(team, id) === undefined) return found
    return this.addChannel({ id: `D${id.slice(1)}`, name: 'directmessage', directWith: id }, team)
  }

  /** Returns the team of a token. An organization's token has several; the call's arguments decide. */
  byToken(token: string, args: Readonly<Record<string, unknown>> = {}): Team | undefined {
    const teams = this.teams.filter((team) => team.botToken === token)
    if (teams.length < 2) return teams[0]
    const ids = [args['user'], args['user_id'], args['channel']].filter((id) => typeof id === 'string')
    const trigger = String(args['trigger_id'] ?? '').split('.')[1]
    const named = teams.find(({ teamId }) => teamId === args['team_id'])
    if (named) return named
    const isAbout = (team: Team) =>
      team.teamId === trigger ||
      ids.some(
        (id) =>
          this.user(team, id) || this.channels.some((one) => one.teamId === team.teamId && one.id === id),
      )
    return teams.find(isAbout) ?? teams[0]
  }
}

/** Returns the organization's part of users.info. People have no role in an organization by default. */
function membership(
  { teamId, enterpriseId, enterpriseName = '' }: Team,
  { id = '', is_stranger }: NewUser,
): Partial<User> {
  if (enterpriseId === undefined || is_stranger) return {}
  const organization = { enterprise_id: enterpriseId, enterprise_name: enterpriseName }
  return { enterprise_user: { id, ...organization, is_admin: false, is_owner: false, teams: [teamId] } }
}
