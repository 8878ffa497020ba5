import type { Sandbox } from '../service/app.ts'
import type { Channel, Slack, Team, User } from '../slack/slack.ts'
import { teamZone } from './demo-clock.ts'

interface DemoPerson {
  readonly user: User
  /** Role in the workspace and place: `Admin in Berlin`. */
  readonly title: string
}

interface DemoChannel {
  readonly channel: Channel
  readonly topic: string
  /** Initial time zone of the channel; by default the workspace's. */
  readonly zone: string | undefined
}

/** A workspace with its people and channels. */
export interface DemoWorkspace {
  readonly team: Team
  readonly name: string
  /** The workspace's phone account in the sandbox. */
  readonly account: keyof Sandbox['accounts']
  readonly people: readonly [admin: DemoPerson, ...DemoPerson[]]
  readonly channels: readonly [DemoChannel, ...DemoChannel[]]
}

/** The app is installed in the first workspace; people can install it in the second. */
export type DemoWorkspaces = readonly [
  DemoWorkspace & { readonly people: readonly [admin: DemoPerson, member: DemoPerson, guest: DemoPerson] },
  DemoWorkspace,
]

/** Slack's record of the first workspace. */
export const firstTeam = { domain: 'larkfield', name: 'Larkfield Logistics' }

export function createWorkspaces(slack: Slack): DemoWorkspaces {
  const person = (
    of: Team,
    title: string,
    name: string,
    tz: string,
    more: Partial<User> = {},
  ): DemoPerson => {
    const profile = { real_name: name, display_name: name, team: of.teamId }
    const fields = { name: name.split(' ')[0]?.toLowerCase() ?? '', real_name: name, profile, tz }
    return { title, user: slack.addPerson({ ...fields, ...more }, of) }
  }
  const channel = (of: Team, name: string, topic: string, zone?: string, isMember = true): DemoChannel => ({
    channel: slack.addChannel({ name, isMember }, of),
    topic,
    zone,
  })
  const own = slack.workspace
  const first: DemoWorkspaces[0] = {
    team: own,
    name: firstTeam.name,
    account: 'lively',
    people: [
      person(own, 'Admin in Berlin', 'Ada Marsh', teamZone, { is_admin: true }),
      person(own, 'Member in New York', 'Ben Okoro', 'America/New_York'),
      person(own, 'Guest in London', 'Gus Lind', 'Europe/London', { is_restricted: true }),
    ],
    channels: [
      channel(own, 'support', 'The support team in Berlin', teamZone),
      channel(own, 'sales-us', 'The sales team in New York', 'America/New_York'),
      channel(own, 'finance', 'Bills and budgets'),
      channel(own, 'warehouse', 'Goods in and goods out', undefined, false),
    ],
  }
  const { team } = slack.addTeam({ domain: 'two-rivers', name: 'Two Rivers Bakery' })
  return [
    first,
    {
      team,
      name: 'Two Rivers Bakery',
      account: 'quiet',
      people: [
        person(team, 'Admin in London', 'Mia Rivers', 'Europe/London', { is_admin: true }),
        person(team, 'Member in London', 'Tom Avery', 'Europe/London'),
      ],
      channels: [
        channel(team, 'orders', 'Orders by telephone'),
        channel(team, 'bills', 'What is to be paid'),
      ],
    },
  ]
}

export function personIn(workspaces: readonly DemoWorkspace[], id: string) {
  return workspaces
    .flatMap((workspace) => workspace.people.map(({ user }) => ({ user, workspace })))
    .find(({ user }) => user.id === id)
}
