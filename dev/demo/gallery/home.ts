import type { AdminPart } from '../../../src/features/home/admin-view.ts'
import type { HomeAlert, HomeSchedule, PlannedPart } from '../../../src/features/home/planned-view.ts'
import { type AccountState, homeView } from '../../../src/features/home/view.ts'
import type { Managers } from '../../../src/slack/access/errors.ts'
import { type AccessRecord, type AccessRule, type Area, areas } from '../../../src/store/workspaces.ts'
import type { RequestOutcome } from '../../../src/telephony/errors.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import { entries } from './billing.ts'
import { reportSchedulesOfTeam } from './report-schedules.ts'
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

const lines = new LineNames([])
const nothingPlanned: PlannedPart = {
  kinds: ['billing', 'report'],
  mayAlert: true,
  schedules: [],
  alerts: [],
  lines,
  isAdmin: true,
}
const kept = (owner = ada): HomeAlert => ({
  alert: {
    id: 'A1',
    tenant: team,
    channel: support,
    owner,
    since: inHours(-30).getTime(),
    lines: [],
    agents: [],
    isPaused: false,
  },
  zone,
  lookedAt: inHours(-0.01).getTime(),
  postedAt: inHours(-2).getTime(),
  trouble: undefined,
  isOwnerOut: false,
})
const silent: HomeAlert = {
  ...kept(),
  trouble: { since: inHours(-0.5).getTime(), why: "The phone service isn't responding." },
}
const paused: HomeAlert = { ...kept(), alert: { ...kept().alert, isPaused: true, pausedBy: ben } }
const muted: HomeAlert = {
  ...kept(),
  alert: { ...kept().alert, mutedUntil: inHours(0.8).getTime(), mutedBy: ben },
}
const bothKinds: readonly HomeSchedule[] = [
  ...several.map((one) => ({ ...one, kind: 'billing' as const, isOwnerOut: false })),
  ...reportSchedulesOfTeam.map((one) => ({ ...one, kind: 'report' as const, isOwnerOut: false })),
]
const planned: PlannedPart = {
  ...nothingPlanned,
  schedules: bothKinds,
  alerts: [kept(), silent, paused, muted],
}
const orphaned: PlannedPart = {
  ...planned,
  schedules: bothKinds.map((one) => ({ ...one, isOwnerOut: one.schedule.owner === ben })),
  alerts: [{ ...kept(ben), isOwnerOut: true }],
}

interface Shown {
  readonly planned?: PlannedPart
  readonly isMember?: boolean
  readonly account?: AccountState
  readonly may?: readonly Area[]
  readonly managers?: Managers
}

function home(name: string, admin?: AdminPart, shown: Shown = {}): FeatureSample {
  const { isMember = true, account = 'connected', may = areas, managers = bySlack, planned: own } = shown
  return {
    name,
    kind: 'home',
    body: homeView({ team, zone, now, isMember, managers, account, areas: may, planned: own, admin }),
  }
}

const member = (name: string, shown: Shown) => home(name, undefined, shown)
const calls: readonly Area[] = ['calls', 'recordings', 'agents']

export const homeTab: readonly FeatureSample[] = [
  member('To a guest', { isMember: false }),
  member('To a member', { may: calls }),
  member('To a member who may see billing', {}),
  member('To a member, where reports and alerts are planned', {
    may: calls,
    planned: {
      ...planned,
      kinds: ['report'],
      schedules: bothKinds.filter(({ kind }) => kind === 'report'),
      isAdmin: false,
    },
  }),
  member('To a member who may see nothing', { may: [] }),
  member('To a member, not connected', { account: 'not-connected' }),
  member('To a member, in an organisation', { may: calls, managers: byInstaller }),
  home('To an administrator, not connected', notConnected, { account: 'not-connected' }),
  home('To an administrator, just connected', justConnected, { planned: nothingPlanned }),
  home('To an administrator, connected', connected, { planned }),
  home('To an administrator, with what people left', connected, { planned: orphaned }),
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
