import type { OlderVersion } from './older-rows.ts'

/** A workspace of which there is nothing but its credentials. */
const connected = (connectedAt: number) => ({
  credentials: { key: 'a key', secret: 'a secret', connectedBy: 'U1', connectedAt },
  workspaceSettings: undefined,
  channelSettings: [],
  tableSupport: undefined,
  access: undefined,
  connection: undefined,
  audit: [],
  schedules: [],
  posts: {},
  notices: {},
  installations: [undefined, undefined],
})

const settings = {
  workspaceSettings: { zone: 'Europe/Berlin' },
  channelSettings: [{ channel: 'C1', zone: 'America/New_York' }],
}

const access = {
  calls: { who: 'everyone', people: [] },
  // Had no rule of their own: whoever saw calls could listen.
  recordings: { who: 'everyone', people: [] },
  agents: { who: 'admins', people: [] },
  billing: { who: 'people', people: ['U2', 'U3'] },
  // None of these versions let anybody be named.
  exports: 'everyone',
  administrators: [],
}

const auditAt = (at: number) => [
  { at: at + 1, who: 'U1', what: 'zone', detail: 'America/New_York in <#C1>' },
  { at, who: 'U1', what: 'connect' },
]

function schedulesOf(tenant: OlderVersion['tenant'], due: number) {
  const common = { tenant, channel: 'C1', time: '09:00', owner: 'U1', due }
  return [
    { ...common, id: 's1', day: { kind: 'weekly', weekday: 1 } },
    { ...common, id: 's2', day: { kind: 'monthly', day: 'last' }, paused: {} },
    {
      ...common,
      id: 's3',
      day: { kind: 'billing-date' },
      paused: { why: 'the channel is archived' },
      billingDay: '2026-12-01',
    },
  ]
}

const job = (at: number, data: object) => ({ at, failed: 0, data })

function installationsOf(number: number, installedAt: number) {
  const common = {
    botToken: 'xoxb-a',
    botUserId: 'B1',
    scopes: ['commands', 'chat:write'],
    installer: 'U1',
    installedAt,
  }
  const rotating = { refreshToken: 'xoxe-1-a', expiresAt: installedAt + 43_200_000 }
  return [
    { ...common, teamId: `T${number}` },
    { ...common, ...rotating, enterpriseId: `E${number}` },
  ]
}

const hour = (number: number) => 1_795_233_600_000 + number * 3_600_000
const tenantOf4 = { teamId: 'T4' }
const tenantOf7 = { enterpriseId: 'E7', teamId: 'T7' }
const pausedNotice = { person: 'U1', text: 'Paused.' }
const welcomeNotice = { person: 'U1', text: 'Welcome.', withConnect: true }

/** What today's code needs of each of `olderVersions`, in their order. */
export const olderRecords: readonly object[] = [
  { ...connected(hour(1)), ...settings, tableSupport: { accepted: true } },
  {
    ...connected(hour(2)),
    ...settings,
    tableSupport: { accepted: false, refusedUntil: hour(2) },
    access,
    audit: auditAt(hour(2)),
  },
  {
    ...connected(hour(4)),
    schedules: schedulesOf({ enterpriseId: undefined, teamId: 'T4' }, hour(4)),
    posts: {
      [`/T4/s1/${hour(4)}/0`]: job(hour(4), { tenant: tenantOf4, id: 's1', due: hour(4), attempt: 0 }),
    },
    notices: { [`T4/s3/${hour(4)}/U1`]: job(hour(4), { tenant: tenantOf4, ...pausedNotice }) },
  },
  {
    ...connected(hour(5)),
    connection: { lastSuccess: hour(5) },
    installations: installationsOf(5, hour(5)),
    notices: {
      [`T5/s3/${hour(5)}/U1`]: job(hour(5), { tenant: { teamId: 'T5' }, ...pausedNotice }),
      [`welcome/${hour(5)}`]: job(hour(5), { tenant: { teamId: 'T5' }, ...welcomeNotice }),
    },
  },
  { ...connected(hour(6)), connection: { lastFailure: { at: hour(6), outcome: 'connection' } } },
  {
    ...connected(hour(7)),
    ...settings,
    tableSupport: { accepted: false, refusedUntil: hour(7) },
    access,
    audit: auditAt(hour(7)),
    connection: {
      lastSuccess: hour(7) - 1000,
      lastFailure: { at: hour(7), outcome: 'connection' },
    },
    schedules: schedulesOf(tenantOf7, hour(7)),
    posts: {
      [`E7/T7/s1/${hour(7)}/0`]: job(hour(7), { tenant: tenantOf7, id: 's1', due: hour(7), attempt: 0 }),
    },
    notices: {
      [`T7/s3/${hour(7)}/U1`]: job(hour(7), { tenant: tenantOf7, ...pausedNotice }),
      [`welcome/${hour(7)}`]: job(hour(7), { tenant: tenantOf7, ...welcomeNotice }),
    },
    installations: installationsOf(7, hour(7)),
  },
]
