import type { Channel, Slack, User } from './slack/slack.ts'

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

/** Who and what there is in the demo's workspace. */
export interface World {
  readonly workspace: string
  readonly personas: readonly Persona[]
  readonly places: readonly Place[]
}

export interface WorldOptions {
  /** On an organisation: people's `team_id` is the organisation's, and views say where the app is installed. */
  readonly isEnterprise: boolean
}

const organisation = 'E0DEMO'

export function createWorld(slack: Slack, { isEnterprise }: WorldOptions): World {
  const team = slack.workspace
  const belongs = isEnterprise
    ? {
        team_id: organisation,
        enterprise_user: {
          id: organisation,
          enterprise_id: organisation,
          enterprise_name: 'Larkfield Group',
          is_admin: false,
          is_owner: false,
          teams: [team.teamId],
        },
      }
    : {}
  if (isEnterprise) team.appInstalledTeamId = team.teamId
  const person = (name: string, realName: string, tz: string, more: Partial<User> = {}) =>
    slack.addPerson({ name, real_name: realName, tz, ...belongs, ...more })
  const place = (name: string, topic: string, zone?: string, more: Partial<Channel> = {}): Place => ({
    channel: slack.addChannel({ name, ...more }),
    topic,
    zone,
  })
  return {
    workspace: 'Larkfield Logistics',
    personas: [
      { user: person('ada', 'Ada Marsh', 'Europe/Berlin', { is_admin: true }), title: 'Admin' },
      { user: person('ben', 'Ben Okoro', 'America/New_York'), title: 'Member' },
      { user: person('gus', 'Gus Lind', 'Europe/London', { is_restricted: true }), title: 'Guest' },
    ],
    places: [
      place('support', 'Support team, on Berlin time', 'Europe/Berlin'),
      place('sales-us', 'Sales, on New York time', 'America/New_York'),
      place('finance', "Finance, on the workspace's time"),
      place('warehouse', 'Callboard has not been invited here', undefined, { isMember: false }),
    ],
  }
}
