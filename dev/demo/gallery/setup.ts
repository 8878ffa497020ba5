import {
  chapter,
  during,
  fail,
  failNext,
  pass,
  type Row,
  type Step,
  slackFails,
  status,
  type Work,
  works,
} from './recorder.ts'

const hour = 60

const failedTest = (name: string, code: number): Step[] => [
  fail(status(code, { 'retry-after': '120' })),
  (stage) => stage.connect(`Connect: ${name}`, '/calls connect'),
  works,
  pass(5),
]

const tokyo = '/calls timezone Asia/Tokyo'
const paris: Row = ['', '/calls timezone Europe/Paris']
const setWhereChannel = (is: string, fields: object, back: object): Step[] => [
  (stage) => void Object.assign(stage.channel('support'), fields),
  [`Time zone, set ${is}`, tokyo],
  (stage) => void Object.assign(stage.channel('support'), back),
  paris,
]
const setWhereSlack = (does: string, method: string, fault: Parameters<typeof slackFails>[1]): Step[] => [
  slackFails(method, fault),
  [`Time zone, set, and Slack ${does}`, tokyo],
  pass(1),
  paris,
]

const isOut =
  (deleted: boolean): Work =>
  (stage) => {
    stage.actor('ben').user.deleted = deleted
  }
const homeWhile = (is: string, fault: Parameters<typeof fail>[0]): Step[] => [
  works,
  pass(hour),
  (stage) => stage.connect(),
  pass(5),
  fail(fault),
  ['', '/calls outgoing'],
  ['', '/calls outgoing missed'],
  [`To an administrator, ${is}`, 'home'],
]

const whenSlack = (
  name: string,
  method: string,
  fault: Parameters<typeof slackFails>[1],
  line: string,
): Step[] => [pass(2), slackFails(method, fault), [name, line]]

const refused = (state: string, fields: object, back: object): Step[] => [
  (stage) => void Object.assign(stage.channel('finance'), fields),
  [`A channel that is refused: ${state}`, '/billing post #finance !', {}],
  pass(2),
  (stage) => void Object.assign(stage.channel('finance'), back),
]

export const setupChapters = [
  chapter('Connection and time zones', { isConnected: false }, [
    ['Connect', '/calls connect'],
    ...failedTest('rejected', 401),
    ...failedTest('not tested, the service refuses', 400),
    ...failedTest('not tested, the service asks to wait', 429),
    ...failedTest('not tested, the service is away', 503),
    ['_offer', '/calls'],
    (stage) => stage.connect('Connected, from a message', '_offer > setup.connect'),
    ['The message that it was opened from', '_offer ~ Connected.'],
    ['Replace key and secret', '/calls connect'],
    ['The menu of the connection on the home tab', 'home'],
    ['Disconnect? On the home tab', 'The menu of the connection on the home tab > Disconnect…'],
    ['Disconnect?', '/calls disconnect'],
    ['Disconnected', 'Disconnect? > setup.disconnect'],
    ['Disconnected, on the home tab', 'home > Disconnect… > setup.disconnect', (stage) => stage.connect()],
  ]),
  chapter('Connection and time zones', { isConnected: false }, [
    failNext({ kind: 'delay', ms: 2600 }, 'agents'),
    (stage) => stage.connect('Testing | Connected, by command', '/calls connect'),
  ]),
  chapter('Connection and time zones', {}, [
    ["Time zone, the workspace's", '/calls timezone'],
    ['Time zone, set', `ben: ${tokyo}`],
    ['Told in the channel: set', '#support set'],
    ["Time zone, the channel's own", '/calls timezone'],
    ["Time zone, back to the workspace's", 'ben: /calls timezone > Use default'],
    ['Told in the channel: back to the default', '#support back to'],
    ...setWhereChannel('without Callboard in the channel', { isMember: false }, { isMember: true }),
    ...setWhereChannel('in a channel that is shared', { isExtShared: true }, { isExtShared: false }),
    ...setWhereChannel('in a channel of two workspaces', { sharedWith: ['T0TEAM9'] }, { sharedWith: [] }),
    ...setWhereSlack('refuses to tell the channel', 'chat.postMessage', 'restricted_action'),
    ...setWhereSlack('confirms nothing', 'chat.postMessage', { cut: true }),
    ...setWhereSlack('takes no message now', 'chat.postMessage', status(429, { 'retry-after': '9' })),
    ...setWhereSlack('is away', 'conversations.info', { status: 500 }),
    ['Several near time zones', '/calls timezone America'],
    ['A misspelt time zone', '/calls timezone America/Indianna'],
    ['A time zone like no other', '/calls timezone Xyzzy'],
  ]),
  /** Without a time zone of the workspace. */
  chapter('Connection and time zones', { isConnected: false }, [
    ["Time zone, the person's", '/calls timezone'],
    ['Time zone, in a direct message', 'ben in direct: /calls timezone'],
    ['', tokyo],
    ["Time zone, back to each person's", 'ben: /calls timezone > Use default'],
    ['Time zone, none set', 'nia: /calls timezone', (stage) => stage.add('nia', 'Nia', 'Nowhere/None')],
  ]),
  chapter('Home tab', { isConnected: false }, [
    ['To a guest', 'gus: home'],
    ['To a member, not connected', 'ben: home'],
    ['To an administrator, not connected', 'home'],
    ['To an administrator, just connected', 'home', (stage) => stage.connect()],
    ['To a member', 'ben: home'],
    ['', '/billing settings', { billing: 'everyone' }],
    ['To a member who may see billing', 'ben: home'],
    ['', '/billing settings', { calls: 'admins', agents: 'admins', billing: 'admins', recordings: 'admins' }],
    ['To a member who may see nothing', 'ben: home'],
  ]),
  chapter('Home tab', {}, [
    ['', '/calls timezone Europe/Berlin'],
    ['', '/billing schedule', { where: 'channel', channel: 'C0FINANCE1', rhythm: 'billing-date' }],
    ['', 'ben: /calls schedule', { where: 'channel', channel: 'C0SUPPORT1', rhythm: 'weekly 1' }],
    ['', '/calls alert', {}],
    ['', 'ben: /calls alert', { channel: 'C0FINANCE1' }],
    ['To a member, with reports and alerts', 'ben: home', (stage) => stage.watch()],
    ['To an administrator, connected', 'home'],
    ['Delete? On the home tab', 'home > Delete…'],
    ['Missed today, from the home tab', 'home > command.missed-today'],
    ['', '@ada have stopped', isOut(true), pass(4 * 24 * hour + hour)],
    ['To an administrator, with what people left', 'home'],
    isOut(false),
    ...homeWhile('the phone service failing', status(503)),
    ...homeWhile('the phone service not responding', { kind: 'hang' }),
    ...homeWhile('the key rejected', status(401)),
    works,
    (stage) => stage.connect(),
    async ({ slack, workspaces }) => {
      const { user } = workspaces[0].people[0]
      for (let n = 0; n < 40; n += 1) {
        const channel = slack.addChannel({ name: `team-${n}` })
        await slack.as(user, { channel }).command('/calls timezone Europe/Berlin')
      }
    },
    ['To an administrator, many channels with time zones', 'home'],
    ['To an administrator, the key unreadable', 'home', (stage) => stage.loseKey()],
  ]),
  chapter('Home tab', { hasOAuth: true }, [
    async (stage) => {
      const team = await stage.installInOrganisation()
      await stage.connect('', 'nia: /calls connect')
      stage.keep('To a member, in an organisation', await stage.home('owen', team))
    },
  ]),
  chapter('Installation and its end', { hasOAuth: true, config: { supportUrl: 'mailto:help@example.com' } }, [
    async (stage) => {
      const mine = { team: stage.slack.workspace, user: stage.actor('ada').user }
      await stage.page('What it is, and what it keeps', '/')
      await stage.page('Cancelled', ...(await stage.consent({ ...mine, isDenied: true })))
      const back = await stage.consent(mine)
      await stage.page('Installed', ...back)
      await stage.run([['Welcome, by direct message', '@ada Thanks for installing']])
      await stage.page('Loaded again', ...back)
      await stage.page('Begun elsewhere', '/slack/oauth_redirect?code=1')
      const [url, cookie] = await stage.consent(mine)
      await stage.page('Failed', url.replace(/code=[^&]+/, 'code=forged'), cookie)
      const late = await stage.consent(mine)
      stage.pass(24 * hour)
      await stage.page('Expired', ...late)
      await stage.installInOrganisation('Installed in an organisation')
    },
    ['Welcome, in an organisation', '@nia in your organisation'],
    ['Forget everything?', '/callboard forget'],
    ['Forgotten', 'Forget everything? > lifecycle.forget'],
  ]),
  chapter('Installation and its end', {}, [
    ['Forget everything? Where one token is configured', '/callboard forget'],
  ]),
  chapter('What goes wrong', { isConnected: false }, [
    ['Not connected, to an admin', '/calls'],
    ['Not connected, to a member', 'ben: /calls'],
    ['Not for guests', 'gus: /calls'],
    ['Connected meanwhile', 'Not connected, to an admin > setup.connect', (stage) => stage.connect()],
    ['', '/calls'],
    ['Key and secret that can no longer be read, to an admin', '/calls', (stage) => stage.loseKey()],
    ['Key and secret that can no longer be read, to a member', 'ben: /calls'],
  ]),
  chapter('What goes wrong', {}, [
    ...during(status(401), ['Key and secret no longer accepted, to an admin', '/calls missed']),
    (stage) => stage.connect(),
    pass(hour),
    ...during(status(401), ['Key and secret no longer accepted, to a member', 'ben: /calls missed']),
    (stage) => stage.connect(),
    pass(hour),
    ...during(status(503), ['The service is away, for calls', '/calls missed']),
    ...during(status(503), ['The service is away, for agents', '/agents']),
    ...during(status(503), ['The service is away, for billing', '/billing']),
    ...during(status(429, { 'retry-after': '90' }), ['The service asks to wait', '/calls missed']),
    pass(hour),
    (stage) => stage.restart(),
    ...during(status(400), ['The service refuses, for calls', '/calls missed']),
    ...during(status(400), ['The service refuses, for agents', '/agents']),
    ['_list', '/agents hollis'],
    ['_details', '_list > agents.row=details', pass(5)],
    pass(5),
    ...during(status(503), ['In a modal: the service is away', '_details > agents.reveal']),
    (stage) => stage.slowly(1000),
    async (stage) => {
      const view = await stage.actor('ada').shortcut('calls.find-number', 'Call +44 20 7946 0042 back.')
      stage.keep('In a modal: one moment', view)
    },
    ['_list', '/calls missed', works],
    slackFails('response_url', { cut: true }),
    '_list > calls.share',
    async (stage) => {
      const find = () => stage.slack.messages().find(({ text }) => text.includes('confirm your share'))
      stage.keep('A share that may have arrived', await stage.until(find, 'the answer to a share'))
    },
  ]),
  chapter('What goes wrong', { config: { recordingsBaseUrl: 'https://recordings.example.com/' } }, [
    ['For administrators', 'ben: /calls connect'],
    ['Billing is not for everyone', 'ben: /billing'],
    (stage) => stage.add('nia', 'Nia Holt'),
    ['', '/billing settings', { administrators: ['U0NIA2', 'U0BEN1'] }],
    (stage) => stage.add('tom', 'Tom Reed'),
    ['For administrators, two of whom were named', 'tom: /calls connect'],
    ['', '/billing settings', { agents: 'admins' }],
    ['Agents are not for everyone', 'tom: /agents'],
    ['', '/billing settings', { calls: 'admins' }],
    ['Calls are not for everyone', 'tom: /calls'],
  ]),
  chapter('What goes wrong', {}, [
    ...whenSlack('Slack is away', 'users.info', { status: 500 }, '/calls missed'),
    ...whenSlack(
      'No direct messages from apps',
      'chat.postMessage',
      'messages_tab_disabled',
      '/calls export',
    ),
    ...whenSlack('A direct message is refused', 'chat.postMessage', 'restricted_action', '/calls export'),
    ...whenSlack('Token refused', 'users.info', 'token_revoked', '/calls missed'),
    async (stage) => {
      const by = stage.actor('ada')
      const message = await by.command('/calls')
      const action = { action_id: 'calls.page.next', value: '{' }
      const exchange = await stage.slack.clickRaw(stage.slack.appUrl, { message, user: by.user, action })
      stage.keep('A button of somebody else', await exchange.waitForMessage())
    },
  ]),
  chapter('What goes wrong', {}, [
    ['A channel that is refused: not-in', '/billing post #warehouse !', {}],
    pass(2),
    async (stage) => {
      const { id } = stage.slack.addChannel({ name: 'board', isPrivate: true, isMember: false })
      await stage.run([['A channel that is refused: unknown', `/billing post <#${id}|board> !`, {}], pass(2)])
    },
    ...refused('archived', { isArchived: true }, { isArchived: false }),
    ...refused('shared', { isExtShared: true }, { isExtShared: false }),
    ...refused('org-shared', { sharedWith: ['T0TEAM9'] }, { sharedWith: [] }),
  ]),
  chapter('What goes wrong', { hasOAuth: true }, [
    ['Not installed', '/calls'],
    ['_form', '/calls connect', (stage) => stage.install()],
    async (stage) => {
      const { slack, sandbox } = stage
      sandbox.faults.next({ kind: 'delay', ms: 1500 })
      const before = sandbox.requests.count()
      const submitted = stage.connect('Everything was deleted meanwhile', '_form')
      await stage.until(() => sandbox.requests.count() > before || undefined, 'the test')
      const fields = { event_time: Math.floor(stage.now / 1000) + 5 }
      await slack.event(slack.appUrl, { type: 'app_uninstalled' }, { team: slack.workspace, fields })
      await submitted
      await stage.installInOrganisation()
    },
    ['For administrators, in an organisation', 'owen: /calls connect'],
  ]),
]
