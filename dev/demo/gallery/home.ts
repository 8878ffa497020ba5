import { type AdminPart, homeView } from '../../../src/features/home/view.ts'
import { scheduleLine } from '../../../src/scheduler/schedule-text.ts'
import type { Managers } from '../../../src/slack/access/errors.ts'
import { entries } from './billing.ts'
import type { FeatureSample } from './sample.ts'
import { several } from './schedules.ts'
import { ada, ben, inHours, now, support, team, zone } from './setting.ts'

const notConnected: AdminPart = {
  connectedBy: undefined,
  connection: undefined,
  channelZones: [],
  otherChannels: 0,
  schedules: [],
  audit: [],
}
const connected: AdminPart = {
  connectedBy: ada,
  connection: { lastSuccess: inHours(-0.1).getTime() },
  channelZones: [{ channel: support, zone }],
  otherChannels: 0,
  schedules: several.map((one) => scheduleLine(one, now)),
  audit: entries,
}
const failing: AdminPart = {
  ...connected,
  connection: {
    lastSuccess: inHours(-26).getTime(),
    lastFailure: { at: inHours(-0.1).getTime(), outcome: 'timeout' },
  },
}

const bySlack: Managers = { hasSlackRoles: true, people: [ada, ben] }
const byInstaller: Managers = { hasSlackRoles: false, people: [ada] }

const home = (
  name: string,
  isMember: boolean,
  admin?: AdminPart,
  managers: Managers = bySlack,
): FeatureSample => ({ name, kind: 'home', body: homeView({ team, zone, now, isMember, managers, admin }) })

export const homeTab: readonly FeatureSample[] = [
  home('To a guest', false),
  home('To a member', true),
  home('To a member, in an organisation', true, undefined, byInstaller),
  home('To an admin, not connected', true, notConnected),
  home('To an admin, just connected', true, { ...notConnected, connectedBy: ada }),
  home('To an admin, connected', true, connected),
  home('To an admin, the service failing', true, failing),
  home('To an admin, many channels with zones', true, { ...connected, otherChannels: 37 }),
]
