import type { Manifest } from '../manifest.ts'
import type { Sandbox } from '../service/app.ts'
import type { Channel, Slack, Team, User } from '../slack/slack.ts'

export interface DemoPerson {
  readonly user: User
  /** What they are in the workspace, such as `Admin`. */
  readonly title: string
}

export interface DemoChannel {
  readonly channel: Channel
  readonly topic: string
  /** What the demo sets the channel's zone to, once; undefined: the workspace's. */
  readonly zone: string | undefined
}

/** One of the demo's workspaces, with who and what there is in it. */
export interface DemoWorkspace {
  readonly team: Team
  readonly name: string
  /** Its phone account among the sandbox's. */
  readonly account: keyof Sandbox['accounts']
  readonly people: readonly [admin: DemoPerson, ...DemoPerson[]]
  readonly channels: readonly [DemoChannel, ...DemoChannel[]]
}

/** The one that the app is in from the start, and the one that it can be installed in. */
export type DemoWorkspaces = readonly [
  DemoWorkspace & {
    readonly people: readonly [admin: DemoPerson, member: DemoPerson, guest: DemoPerson]
  },
  DemoWorkspace,
]

/** What the page's parts share. */
export interface DemoParts {
  readonly slack: Slack
  readonly sandbox: Sandbox
  /** Of the app. */
  readonly appUrl: string
  /** Where a person's browser begins to install it. */
  readonly installUrl: string
  readonly manifest: Manifest
  readonly workspaces: DemoWorkspaces
}

const ORGANISATION = 'E0DEMO'

const membership = ({ teamId }: Team) => ({
  team_id: ORGANISATION,
  enterprise_user: {
    id: ORGANISATION,
    enterprise_id: ORGANISATION,
    enterprise_name: 'Larkfield Group',
    is_admin: false,
    is_owner: false,
    teams: [teamId],
  },
})

/** The demo's organisation, for `startSlack`. */
export const enterprise = { enterpriseId: ORGANISATION, enterpriseName: 'Larkfield Group' }

/** On an organisation people's `team_id` is the organisation's, and views say where the app is installed. */
export function createWorkspaces(slack: Slack, isEnterprise: boolean): DemoWorkspaces {
  const makersFor = (team: Team) => {
    if (isEnterprise) team.appInstalledTeamId = team.teamId
    const member = isEnterprise ? membership(team) : {}
    return {
      person: (name: string, realName: string, tz: string, more: Partial<User> = {}) =>
        slack.addPerson(
          {
            name,
            real_name: realName,
            profile: { real_name: realName, display_name: realName, team: team.teamId },
            tz,
            ...member,
            ...more,
          },
          team,
        ),
      channel: (name: string, topic: string, zone?: string, more: Partial<Channel> = {}): DemoChannel => ({
        channel: slack.addChannel({ name, ...more }, team),
        topic,
        zone,
      }),
    }
  }
  const larkfield = makersFor(slack.workspace)
  const first: DemoWorkspaces[0] = {
    team: slack.workspace,
    name: 'Larkfield Logistics',
    account: 'lively',
    people: [
      { user: larkfield.person('ada', 'Ada Marsh', 'Europe/Berlin', { is_admin: true }), title: 'Admin' },
      { user: larkfield.person('ben', 'Ben Okoro', 'America/New_York'), title: 'Member' },
      { user: larkfield.person('gus', 'Gus Lind', 'Europe/London', { is_restricted: true }), title: 'Guest' },
    ],
    channels: [
      larkfield.channel('support', 'The support team in Berlin', 'Europe/Berlin'),
      larkfield.channel('sales-us', 'The sales team in New York', 'America/New_York'),
      larkfield.channel('finance', 'Bills and budgets'),
      larkfield.channel('warehouse', 'Goods in and goods out', undefined, { isMember: false }),
    ],
  }
  const { team } = slack.addTeam({
    domain: 'two-rivers',
    name: 'Two Rivers Bakery',
    ...(isEnterprise ? enterprise : {}),
  })
  const bakery = makersFor(team)
  const second: DemoWorkspace = {
    team,
    name: 'Two Rivers Bakery',
    account: 'quiet',
    people: [
      { user: bakery.person('mia', 'Mia Rivers', 'Europe/London', { is_admin: true }), title: 'Admin' },
      { user: bakery.person('tom', 'Tom Avery', 'Europe/London'), title: 'Member' },
    ],
    channels: [
      bakery.channel('orders', 'Orders by telephone'),
      bakery.channel('bills', 'What is to be paid'),
    ],
  }
  return [first, second]
}

export function personIn(workspaces: readonly DemoWorkspace[], id: string) {
  return workspaces
    .flatMap((workspace) => workspace.people.map(({ user }) => ({ user, workspace })))
    .find(({ user }) => user.id === id)
}
