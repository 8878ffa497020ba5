import type { Chapter, Recorder } from './recorder.ts'
import { dayMs, hourMs, minuteMs, refusal } from './stage.ts'

/** How the service fails a test of a key and secret. */
const failures = {
  rejected: { kind: 'status', status: 401 },
  'not tested, the service refuses': { kind: 'status', status: 400 },
  'not tested, the service asks to wait': { kind: 'status', status: 429, headers: { 'retry-after': '120' } },
  'not tested, the service is away': { kind: 'status', status: 503 },
} as const

/** Schedules of both kinds, paused, and the account disconnected. */
async function leavePaused(stage: Recorder): Promise<void> {
  const { ada, finance } = stage
  await ada.submit(await ada.open('/billing schedule'), { channel: finance.id, day: 'monthly 1' })
  const values = { channel: finance.id, when: 'always', day: 'monthly 1' }
  await ada.submit(await ada.submit(await ada.open('/calls schedule'), values))
  await ada.click(await stage.say('', '/billing schedules'), 'billing.schedule.pause')
  await ada.click(await stage.say('', '/calls schedules'), 'calls.schedule.pause')
  await ada.click(await stage.say('', '/calls disconnect'), 'setup.disconnect')
}

export const connection: Chapter = {
  feature: 'Connection and time zones',
  isConnected: false,
  async play(stage) {
    const { sandbox, ada, lively } = stage
    const { key, secret } = lively
    const pair = { key, secret }
    await stage.open('Connect', '/calls connect')
    for (const [name, fault] of Object.entries(failures)) {
      sandbox.faults.always(fault)
      await stage.submit(`Connect: ${name}`, await ada.open('/calls connect'), pair)
      sandbox.faults.clear()
      stage.pass(5 * minuteMs)
    }
    const offer = await stage.say('', '/calls')
    await stage.submit('Connected, from a message', await ada.open(offer, 'setup.connect'), pair)
    await stage.sees('The message that it was opened from', offer, 'Connected.')
    await stage.open('Replace key and secret', '/calls connect')
    const home = await stage.home('The menu of the connection on the home tab')
    await stage.open('Disconnect? On the home tab', [home, 'Disconnect…'])
    const question = await stage.say('Disconnect?', '/calls disconnect')
    await leavePaused(stage)
    stage.pass(minuteMs)
    const again = await stage.say('', '/calls')
    await stage.submit('Connected again, with paused schedules', await ada.open(again, 'setup.connect'), pair)
    await stage.sees('The same, with paused schedules', again, 'still paused')
    await stage.press('Disconnected', [question, 'setup.disconnect'])
    await stage.connect()
    const asked = await ada.open(await ada.openHome(), 'setup.connection', 'Disconnect…')
    await stage.open('Disconnected, on the home tab', [asked, 'setup.disconnect'])
  },
}

export const firstConnection: Chapter = {
  feature: 'Connection and time zones',
  isConnected: false,
  async play(stage) {
    const { sandbox, ada, lively } = stage
    const { key, secret } = lively
    sandbox.faults.next({ kind: 'delay', ms: 2600 }, { operation: 'agents' })
    await stage.submitSlowly(['Testing', 'Connected, by command'], await ada.open('/calls connect'), {
      key,
      secret,
    })
  },
}

export const zones: Chapter = {
  feature: 'Connection and time zones',
  async play(stage) {
    const { slack, ada, ben, support } = stage
    const tokyo = '/calls timezone Asia/Tokyo'
    await stage.say("Time zone, the workspace's", '/calls timezone')
    const set = await stage.say('Time zone, set', tokyo, ben)
    await stage.posted('Told in the channel: set', support, 'set')
    await stage.say("Time zone, the channel's own", '/calls timezone')
    await stage.press('Time zone, undone', [set, 'setup.zone.undo'], ben)
    await stage.posted('Told in the channel: undone', support, 'back to')
    const second = await ben.command(tokyo)
    await stage.press(
      "Time zone, back to the workspace's",
      [await ben.command('/calls timezone'), 'Use default'],
      ben,
    )
    await stage.posted("Told in the channel: back to the workspace's", support, 'back to')
    await stage.press('Time zone, changed by somebody else since', [second, 'setup.zone.undo'], ben)
    for (const [name, fields, back] of [
      ['without Callboard in the channel', { isMember: false }, { isMember: true }],
      ['in a channel that is shared', { isExtShared: true }, { isExtShared: false }],
      ['in a channel of two workspaces', { sharedWith: ['T0TEAM9'] }, { sharedWith: [] }],
    ] as const) {
      Object.assign(support, fields)
      await stage.say(`Time zone, set ${name}`, tokyo)
      Object.assign(support, back)
      await stage.say('', '/calls timezone Europe/Paris')
    }
    for (const [name, method, fault] of [
      ['and Slack refuses to tell the channel', 'chat.postMessage', refusal('restricted_action')],
      ['and Slack confirms nothing', 'chat.postMessage', { cut: true }],
      [
        'and Slack takes no message now',
        'chat.postMessage',
        { status: 429, headers: { 'retry-after': '9' } },
      ],
      ['and Slack is away', 'conversations.info', { status: 500 }],
    ] as const) {
      slack.failNext(method, fault)
      await stage.say(`Time zone, set, ${name}`, tokyo)
      stage.pass(minuteMs)
      await stage.say('', '/calls timezone Europe/Paris')
    }
    await stage.sayAll({
      'Half a time zone': '/calls timezone Berlin',
      'A misspelt time zone': '/calls timezone America/Indianna',
      'A time zone like no other': '/calls timezone Xyzzy',
    })
    await ada.submit(await ada.open('/calls alert'), { hours: 'chosen' }).then((form) => ada.submit(form))
    await ada.submit(await ada.open('/billing schedule'), { channel: support.id, day: 'monthly 1' })
    await stage.say('Time zone, of a channel with alerts and schedules', tokyo)
    await stage.say('Time zone, where posts are scheduled', '/calls timezone Europe/Paris', ben)
  },
}

/** Without a time zone of the workspace. */
export const ownZones: Chapter = {
  feature: 'Connection and time zones',
  isConnected: false,
  async play(stage) {
    const { slack, ben, support } = stage
    await stage.say("Time zone, the person's", '/calls timezone')
    await stage.say('Time zone, in a direct message', '/calls timezone', await stage.directOf(ben))
    await stage.say('', '/calls timezone Asia/Tokyo')
    await stage.press(
      "Time zone, back to each person's",
      [await ben.command('/calls timezone'), 'Use default'],
      ben,
    )
    await stage.posted("Told in the channel: back to each person's", support, 'own')
    const nobody = slack.addPerson({ name: 'nia', real_name: 'Nia', tz: 'Nowhere/None' })
    await stage.say('Time zone, none set', '/calls timezone', slack.as(nobody, { channel: support }))
  },
}

export const homeOfMembers: Chapter = {
  feature: 'Home tab',
  isConnected: false,
  async play(stage) {
    const { ada, ben, gus } = stage
    await stage.home('To a guest', gus)
    await stage.home('To a member, not connected', ben)
    await stage.home('To an administrator, not connected')
    await stage.connect()
    await stage.home('To an administrator, just connected')
    await stage.home('To a member', ben)
    await stage.send(await ada.open('/billing settings'), { billing: 'everyone' })
    await stage.home('To a member who may see billing', ben)
    const all = { calls: 'admins', agents: 'admins', billing: 'admins', recordings: 'admins' }
    await stage.send(await ada.open('/billing settings'), all)
    await stage.home('To a member who may see nothing', ben)
  },
}

export const homeOfAdmins: Chapter = {
  feature: 'Home tab',
  async play(stage) {
    const { sandbox, slack, ada, ben, support, finance } = stage
    await stage.say('', '/calls timezone Europe/Berlin')
    await stage.send(await ada.open('/billing schedule'), { channel: finance.id, day: 'billing-date' })
    const report = { channel: support.id, when: 'always', day: 'weekly 1' }
    await ben.submit(await ben.submit(await ben.open('/calls schedule'), report))
    await stage.send(await ada.open('/calls alert'))
    await stage.send(await ben.open('/calls alert'), { channel: finance.id }, ben)
    await stage.looked()
    await stage.home('To a member, where reports and alerts are planned', ben)
    await stage.home('To an administrator, connected')
    ben.user.deleted = true
    stage.pass(4 * dayMs + hourMs)
    await stage.posted('', ada, 'are paused')
    await stage.home('To an administrator, with what people left')
    ben.user.deleted = false
    for (const [name, fault] of [
      ['the phone service failing', { kind: 'status', status: 503 }],
      ['the phone service not responding', { kind: 'hang' }],
      ['the key rejected', { kind: 'status', status: 401 }],
    ] as const) {
      sandbox.faults.clear()
      stage.pass(hourMs)
      await stage.connect()
      stage.pass(5 * minuteMs)
      sandbox.faults.always(fault)
      await stage.say('', '/calls outgoing')
      await stage.say('', '/calls outgoing missed')
      await stage.home(`To an administrator, ${name}`)
    }
    sandbox.faults.clear()
    await stage.connect()
    for (let n = 0; n < 40; n += 1)
      await stage.in(slack.addChannel({ name: `team-${n}` })).command('/calls timezone Europe/Berlin')
    await stage.home('To an administrator, many channels with time zones')
    await stage.loseKey()
    await stage.home('To an administrator, the key unreadable')
  },
}

export const homeInOrganisation: Chapter = {
  feature: 'Home tab',
  hasOAuth: true,
  async play(stage) {
    const { slack, lively } = stage
    const { team, people } = slack.addTeam({ enterpriseId: 'E0DEMO', enterpriseName: 'Larkfield Group' })
    const installer = slack.as(people.member)
    await stage.install(team, installer, true)
    await stage.connect(lively, installer)
    await stage.home('To a member, in an organisation', slack.as(people.owner), team)
  },
}

export const installation: Chapter = {
  feature: 'Installation and its end',
  hasOAuth: true,
  isConnected: false,
  config: { supportUrl: 'mailto:help@example.com' },
  async play(stage) {
    const { slack, ada } = stage
    const mine = { team: slack.workspace, user: ada.user }
    await stage.page('What it is, and what it keeps', '/')
    await stage.page('Where it begins', '/slack/install')
    await stage.page('Cancelled', ...(await stage.consent({ ...mine, isDenied: true })))
    const back = await stage.consent(mine)
    await stage.page('Installed', ...back)
    await stage.posted('Welcome, by direct message', ada, 'Thanks for installing')
    await stage.page('Loaded again', ...back)
    await stage.page('Begun elsewhere', '/slack/oauth_redirect?code=1')
    const [url, cookie] = await stage.consent(mine)
    await stage.page('Failed', url.replace(/code=[^&]+/, 'code=forged'), cookie)
    const late = await stage.consent(mine)
    stage.pass(dayMs)
    await stage.page('Expired', ...late)
    const { team, people } = slack.addTeam({ enterpriseId: 'E0DEMO', enterpriseName: 'Larkfield Group' })
    const installer = slack.as(people.member)
    await stage.page(
      'Installed in an organisation',
      ...(await stage.consent({ team, user: installer.user, isOrganisation: true })),
    )
    await stage.posted('Welcome, in an organisation', installer, 'in your organisation')
    const question = await stage.say('Forget everything?', '/callboard forget')
    await stage.press('Forgotten', [question, 'lifecycle.forget'])
  },
}

export const withOneToken: Chapter = {
  feature: 'Installation and its end',
  play: (stage) => stage.say('Forget everything? Where one token is configured', '/callboard forget'),
}
