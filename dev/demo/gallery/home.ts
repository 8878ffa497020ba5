import type { AdminPart } from '../../../src/features/home/admin-view.ts'
import { type AccountState, homeView } from '../../../src/features/home/view.ts'
import type { Managers } from '../../../src/slack/access/errors.ts'
import { type AccessRecord, type AccessRule, type Area, areas } from '../../../src/store/workspaces.ts'
import type { RequestOutcome } from '../../../src/telephony/errors.ts'
import { entries } from './billing.ts'
import type { FeatureSample } from './sample.ts'
import { several } from './schedules.ts'
import { ada, ben, inHours, now, support, team, zone } from './setting.ts'

const everyone: AccessRule = { who: 'everyone', people: [] }
const rules: AccessRecord = {
  calls: everyone,
  recordings: everyone,
  agents: everyone,
  billing: { who: 'people', people: [ada] },
  exports: 'everyone',
  administrators: [],
}
const notConnected: AdminPart = {
  viewer: ada,
  connection: undefined,
  rules,
  channelZones: [],
  otherChannels: 0,
  schedules: [],
  audit: [],
}
const connectedAt = inHours(-200).getTime()
const justConnected: AdminPart = {
  ...notConnected,
  connection: { connectedAt: inHours(-0.05).getTime(), record: undefined },
  audit: entries.slice(-1).map((entry) => ({ ...entry, at: inHours(-0.05).getTime() })),
}
const connected: AdminPart = {
  ...notConnected,
  connection: { connectedAt, record: { lastSuccess: inHours(-0.1).getTime() } },
  rules: { ...rules, billing: { who: 'people', people: [ada, ben] } },
  channelZones: [{ channel: support, zone }],
  schedules: several,
  audit: entries,
}
const failing = (outcome: RequestOutcome, status?: number): AdminPart => ({
  ...connected,
  connection: {
    connectedAt,
    record: {
      lastSuccess: inHours(-26).getTime(),
      lastFailure: { at: inHours(-0.1).getTime(), outcome, status },
    },
  },
})

const bySlack: Managers = { hasSlackRoles: true, people: [ada] }
const byInstaller: Managers = { hasSlackRoles: false, people: [ada] }

interface Shown {
  readonly isMember?: boolean
  readonly account?: AccountState
  readonly may?: readonly Area[]
  readonly managers?: Managers
}

function home(name: string, admin?: AdminPart, shown: Shown = {}): FeatureSample {
  const { isMember = true, account = 'connected', may = areas, managers = bySlack } = shown
  return {
    name,
    kind: 'home',
    body: homeView({ team, zone, now, isMember, managers, account, areas: may, admin }),
  }
}

const member = (name: string, shown: Shown) => home(name, undefined, shown)
const calls: readonly Area[] = ['calls', 'recordings', 'agents']

export const homeTab: readonly FeatureSample[] = [
  member('To a guest', { isMember: false }),
  member('To a member', { may: calls }),
  member('To a member who may see billing', {}),
  member('To a member who may see nothing', { may: [] }),
  member('To a member, not connected', { account: 'not-connected' }),
  member('To a member, in an organisation', { may: calls, managers: byInstaller }),
  home('To an administrator, not connected', notConnected, { account: 'not-connected' }),
  home('To an administrator, just connected', justConnected),
  home('To an administrator, connected', connected),
  home('To an administrator, the phone service failing', failing('status', 503)),
  home('To an administrator, the phone service not responding', failing('timeout')),
  home('To an administrator, the key rejected', failing('credentials-rejected', 401)),
  home(
    'To an administrator, the key unreadable',
    { ...connected, connection: undefined },
    { account: 'unreadable' },
  ),
  home('To an administrator, many channels with time zones', { ...connected, otherChannels: 37 }),
]
