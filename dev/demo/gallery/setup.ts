import { chapter } from './stage.ts'

const HOUR = 60

export const setupChapters = [
  chapter('Connection and time zones', { account: 'none' }, async (stage) => {
    const { ada } = stage
    const offer = await stage.take('Not connected', ada.command('/calls'))
    await stage.take('Help, not connected', ada.command('/calls help'))
    await stage.take('Connect', ada.open(offer, 'setup.connect'))
    await stage.during(401, async () => void (await stage.take('Rejected', stage.connect())))
    await stage.take('Connected', stage.connect())
    await stage.take('Time zone set', ada.command('/calls timezone Europe/London'))
    await stage.take('An ambiguous time zone', ada.command('/calls timezone Australia'))
    const question = await stage.take('Disconnect?', ada.open('/calls disconnect'))
    await ada.press(question, 'setup.disconnect')
    await stage.take('Disconnected', ada.sees(question, 'Disconnected'))
    await stage.take('Home, not connected', ada.openHome())
  }),
  chapter('Home tab', {}, async (stage) => {
    const { ada, ben } = stage
    await stage.take('Just connected', ada.openHome())
    await ada.command('/calls timezone Europe/Berlin')
    const schedule = { where: 'channel', channel: stage.channel('finance').id, rhythm: 'billing-date' }
    await stage.fillIn(ada, '/billing schedule', schedule)
    await stage.fillIn(ben, '/calls schedule', {
      where: 'channel',
      channel: stage.channel('support').id,
      rhythm: 'weekly 1',
    })
    await stage.fillIn(ada, '/calls alert')
    await stage.fillIn(ben, '/calls alert', { channel: stage.channel('finance').id })
    await stage.watch()
    await stage.take('To a member', ben.openHome())
    ben.user.deleted = true
    stage.pass(4 * 24 * HOUR + HOUR)
    await stage.posted(ada, 'have stopped')
    await stage.take('With what people left', ada.openHome())
  }),
  chapter(
    'Installation and its end',
    { hasOAuth: true, config: { supportUrl: 'mailto:help@example.com' } },
    async (stage) => {
      const { ada, slack } = stage
      await stage.take('Not installed', ada.command('/calls'))
      const mine = { team: slack.workspace, user: ada.user }
      await stage.page('What it is', '/')
      await stage.page('What it keeps', '/privacy')
      const back = await stage.consent(mine)
      await stage.page('Installed', ...back)
      await stage.take('Welcome', stage.posted(ada, 'Thanks for installing'))
      const [url, cookie] = await stage.consent(mine)
      await stage.page('Failed', url.replace(/code=[^&]+/, 'code=forged'), cookie)
      const question = await stage.take('Delete everything?', ada.command('/callboard forget'))
      await stage.take('Deleted', ada.click(question, 'lifecycle.forget'))
    },
  ),
  chapter('What goes wrong', {}, async (stage) => {
    const { ada, ben } = stage
    await stage.during(503, () => stage.take('The service fails, for calls', ada.command('/calls missed')))
    await stage.during(503, () => stage.take('The service fails, for agents', ada.command('/agents')))
    stage.pass(HOUR)
    const agents = await ada.command('/agents hollis')
    const details = await ada.open(agents, 'agents.details')
    stage.pass(5)
    await stage.during(503, async () => {
      await ada.press(details, 'agents.reveal')
      await stage.take('The service fails, in a modal', ada.sees(details, "isn't responding"))
    })
    await stage.during(401, () => stage.take('The key is rejected', ada.command('/calls missed')))
    await stage.connect()
    stage.pass(HOUR)
    await stage.fillIn(ada, '/billing settings', { calls: 'admins', agents: 'admins' })
    await stage.take('Calls are for administrators', ben.command('/calls'))
  }),
]
