import type { Channel, Slack, Team, User } from '../slack/slack.ts'

export interface Persona {
  readonly user: User
  readonly title: string
}

export interface Place {
  readonly channel: Channel
  readonly topic: string
  /** What the demo sets the channel's zone to, once; undefined: the workspace's. */
  readonly zone: string | undefined
}

/** Who and what there is in one of the demo's workspaces. */
export interface World {
  readonly team: Team
  readonly workspace: string
  readonly personas: readonly [Persona, ...Persona[]]
  readonly places: readonly [Place, ...Place[]]
}

export interface WorldOptions {
  /** On an organisation: people's `team_id` is the organisation's, and views say where the app is installed. */
  readonly isEnterprise: boolean
}

const organisation = 'E0DEMO'

const belongsTo = ({ teamId }: Team) => ({
  team_id: organisation,
  enterprise_user: {
    id: organisation,
    enterprise_id: organisation,
    enterprise_name: 'Larkfield Group',
    is_admin: false,
    is_owner: false,
    teams: [teamId],
  },
})

/** Two workspaces: one that the app is in from the start, and one that it can be installed in. */
export function createWorlds(slack: Slack, { isEnterprise }: WorldOptions): readonly [World, World] {
  const makersFor = (team: Team) => {
    if (isEnterprise) team.appInstalledTeamId = team.teamId
    const belongs = isEnterprise ? belongsTo(team) : {}
    return {
      person: (name: string, realName: string, tz: string, more: Partial<User> = {}) =>
        slack.addPerson({ name, real_name: realName, tz, ...belongs, ...more }, team),
      place: (name: string, topic: string, zone?: string, more: Partial<Channel> = {}): Place => ({
        channel: slack.addChannel({ name, ...more }, team),
        topic,
        zone,
      }),
    }
  }
  const larkfield = makersFor(slack.workspace)
  const first: World = {
    team: slack.workspace,
    workspace: 'Larkfield Logistics',
    personas: [
      { user: larkfield.person('ada', 'Ada Marsh', 'Europe/Berlin', { is_admin: true }), title: 'Admin' },
      { user: larkfield.person('ben', 'Ben Okoro', 'America/New_York'), title: 'Member' },
      { user: larkfield.person('gus', 'Gus Lind', 'Europe/London', { is_restricted: true }), title: 'Guest' },
    ],
    places: [
      larkfield.place('support', 'Support team, on Berlin time', 'Europe/Berlin'),
      larkfield.place('sales-us', 'Sales, on New York time', 'America/New_York'),
      larkfield.place('finance', "Finance, on the workspace's time"),
      larkfield.place('warehouse', 'Callboard has not been invited here', undefined, { isMember: false }),
    ],
  }
  const { team } = slack.addTeam({
    domain: 'hollis-dental',
    name: 'Hollis Dental',
    ...(isEnterprise ? enterprise : {}),
  })
  const hollis = makersFor(team)
  const second: World = {
    team,
    workspace: 'Hollis Dental',
    personas: [
      { user: hollis.person('mia', 'Mia Hollis', 'Australia/Sydney', { is_admin: true }), title: 'Admin' },
      { user: hollis.person('tom', 'Tom Reyes', 'Australia/Sydney'), title: 'Member' },
    ],
    places: [
      hollis.place('front-desk', 'The practice in Sydney'),
      hollis.place('billing-posts', 'What is to be paid'),
    ],
  }
  return [first, second]
}

/** What the stand-in calls the demo's organisation. */
export const enterprise = { enterpriseId: organisation, enterpriseName: 'Larkfield Group' }
