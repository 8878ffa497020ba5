import type { Chapter, Recorder } from './recorder.ts'
import { away, hourMs, minuteMs, refusal } from './stage.ts'

const unauthorised = { kind: 'status', status: 401 } as const
const refused = { kind: 'status', status: 400 } as const

/** Access to an area for administrators alone. */
async function close({ ada }: Recorder, area: string): Promise<void> {
  await ada.submit(await ada.open('/billing settings'), { [area]: 'admins' })
}

export const withoutAccount: Chapter = {
  feature: 'What goes wrong',
  isConnected: false,
  async play(stage) {
    const { ben, gus } = stage
    const offer = await stage.say('Not connected, to an admin', '/calls')
    await stage.say('Not connected, to a member', '/calls', ben)
    await stage.say('Not for guests', '/calls', gus)
    await stage.connect()
    await stage.press('Connected meanwhile', [offer, 'setup.connect'])
    await stage.say('', '/calls')
    await stage.loseKey()
    await stage.say('Key and secret that can no longer be read, to an admin', '/calls')
    await stage.say('Key and secret that can no longer be read, to a member', '/calls', ben)
  },
}

export const service: Chapter = {
  feature: 'What goes wrong',
  async play(stage) {
    const { slack, sandbox, ada, ben } = stage
    const fail = async (
      fault: Parameters<Recorder['during']>[0],
      lines: Readonly<Record<string, string>>,
      by = ada,
    ) => {
      for (const [name, line] of Object.entries(lines))
        await stage.during(fault, () => stage.say(name, line, by))
    }
    await fail(unauthorised, { 'Key and secret no longer accepted, to an admin': '/calls missed' })
    await stage.connect()
    stage.pass(hourMs)
    await fail(unauthorised, { 'Key and secret no longer accepted, to a member': '/calls missed' }, ben)
    await stage.connect()
    stage.pass(hourMs)
    await fail(away, {
      'The service is away, for calls': '/calls missed',
      'The service is away, for agents': '/agents',
      'The service is away, for billing': '/billing',
    })
    await fail(
      { kind: 'status', status: 429, headers: { 'retry-after': '90' } },
      { 'The service asks to wait': '/calls missed' },
    )
    stage.pass(hourMs)
    await stage.restart()
    await fail(refused, {
      'The service refuses, for calls': '/calls missed',
      'The service refuses, for agents': '/agents',
    })
    sandbox.faults.next({ kind: 'delay', ms: 1500 }, { operation: 'incoming', times: 4 })
    const many = Array.from({ length: 30 }, (_, n) => ada.command(`/calls page:${n + 1}`))
    const waiting = (await Promise.all(many)).find(({ text }) => text.includes('Too many requests'))
    if (waiting) stage.take('Too many waiting', waiting)
    const list = await stage.say('', '/agents hollis')
    stage.pass(5 * minuteMs)
    const details = await ada.open(list, 'agents.row', 'details')
    stage.pass(5 * minuteMs)
    await stage.during(away, () => stage.open('In a modal: the service is away', [details, 'agents.reveal']))
    stage.slowly(1000)
    const number = '+44 20 7946 0042'
    stage.take('In a modal: one moment', await ada.shortcut('calls.find-number', `Call ${number} back.`))
    sandbox.faults.clear()
    const shared = await stage.say('', '/calls missed')
    slack.failNext('response_url', { cut: true })
    await ada.press(shared, 'calls.share')
    const find = () => slack.messages().find(({ text }) => text.startsWith('Your share'))
    stage.take('A share that may have arrived', await stage.until(find, 'the answer to a share'))
  },
}

export const access: Chapter = {
  feature: 'What goes wrong',
  config: { recordingsBaseUrl: 'https://recordings.example.com/' },
  async play(stage) {
    const { slack, ada, ben } = stage
    await stage.say('For administrators', '/calls connect', ben)
    await stage.say('Billing is not for everyone', '/billing', ben)
    const nia = slack.addPerson({ name: 'nia', real_name: 'Nia Holt' })
    await stage.send(await ada.open('/billing settings'), {
      administrators: [nia.id, stage.workspaces[0].people[1].user.id],
    })
    const tom = stage.in(stage.support, slack.addPerson({ name: 'tom', real_name: 'Tom Reed' }))
    await stage.say('For administrators, two of whom were named', '/calls connect', tom)
    await close(stage, 'agents')
    await stage.say('Agents are not for everyone', '/agents', tom)
    await close(stage, 'calls')
    await stage.say('Calls are not for everyone', '/calls', tom)
  },
}

export const slackFails: Chapter = {
  feature: 'What goes wrong',
  async play(stage) {
    const { slack, ada } = stage
    const fail = async (
      name: string,
      method: string,
      fault: Parameters<typeof slack.failNext>[1],
      line: string,
    ) => {
      stage.pass(2 * minuteMs)
      slack.failNext(method, fault)
      await stage.say(name, line)
    }
    await fail('Slack is away', 'users.info', { status: 500 }, '/calls missed')
    await fail(
      'No direct messages from apps',
      'chat.postMessage',
      refusal('messages_tab_disabled'),
      '/calls export',
    )
    await fail(
      'A direct message is refused',
      'chat.postMessage',
      refusal('restricted_action'),
      '/calls export',
    )
    await fail('Token refused', 'users.info', refusal('token_revoked'), '/calls missed')
    const message = await stage.say('', '/calls')
    const action = { action_id: 'calls.page.next', value: '{' }
    const exchange = await slack.clickRaw(slack.appUrl, { message, user: ada.user, action })
    stage.take('A button of somebody else', await exchange.waitForMessage())
  },
}

export const channels: Chapter = {
  feature: 'What goes wrong',
  async play(stage) {
    const { slack, warehouse, finance, ada } = stage
    const refuse = async (state: string, channel = finance) => {
      await stage.say(`A channel that is refused: ${state}`, `/billing post <#${channel.id}|${channel.name}>`)
      stage.pass(2 * minuteMs)
    }
    await refuse('not-in', warehouse)
    await refuse('unknown', slack.addChannel({ name: 'board', isPrivate: true, isMember: false }))
    for (const [state, fields, back] of [
      ['archived', { isArchived: true }, { isArchived: false }],
      ['shared', { isExtShared: true }, { isExtShared: false }],
      ['org-shared', { sharedWith: ['T0TEAM9'] }, { sharedWith: [] }],
    ] as const) {
      Object.assign(finance, fields)
      await refuse(state)
      Object.assign(finance, back)
    }
    await stage.say('A channel that is refused: direct', '/billing post', await stage.directOf(ada))
  },
}

export const installed: Chapter = {
  feature: 'What goes wrong',
  hasOAuth: true,
  isConnected: false,
  async play(stage) {
    const { slack, sandbox, ada, lively } = stage
    await stage.say('Not installed', '/calls')
    await stage.install(slack.workspace, ada)
    const form = await ada.open('/calls connect')
    sandbox.faults.next({ kind: 'delay', ms: 1500 })
    const { key, secret } = lively
    const submitted = ada.submit(form, { key, secret })
    await stage.until(() => (sandbox.requests.count() > 0 ? true : undefined), 'the test')
    const event_time = Math.floor(stage.now / 1000) + 5
    await slack.event(
      slack.appUrl,
      { type: 'app_uninstalled' },
      { team: slack.workspace, fields: { event_time } },
    )
    await stage.settled('Everything was deleted meanwhile', await submitted)
    const { team, people } = slack.addTeam({ enterpriseId: 'E0DEMO', enterpriseName: 'Larkfield Group' })
    await stage.install(team, slack.as(people.member), true)
    await stage.say('For administrators, in an organisation', '/calls connect', slack.as(people.owner))
  },
}
