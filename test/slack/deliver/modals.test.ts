import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const failed = { body: { ok: false, error: 'internal_error' } }

describe('while Slack is slow', () => {
  const app = useApp({ runtime: { slackTimes: { openModalWithinMs: 70 } } })

  it.each([
    ['the form', 'admin', 'API secret'],
    ['a refusal', 'member', 'Only administrators can do that'],
  ] as const)(
    'a waiting modal opens before the trigger expires, and then shows %s',
    async (_, who, shown) => {
      app.slack.failNext('users.info', { delayMs: 400 })
      const command = await app[who].type('/calls connect')
      expect(await command.waitForView()).toShow('One moment…')
      expect(await command.waitForView(2)).toShow(shown)
      expect(command.messages).toEqual([])
    },
  )

  it('says nothing to someone who closed the modal while it loaded', async () => {
    app.slack.failNext('users.info', { delayMs: 400 })
    app.slack.failNext('views.update', { body: { ok: false, error: 'not_found' } })
    const command = await app.admin.type('/calls connect')
    await app.logged('a modal was closed before its answer')
    expect(command.messages).toEqual([])
  })

  it('says below what failed if Slack refuses the answer of a waiting modal', async () => {
    app.slack.failNext('users.info', { delayMs: 400 })
    app.slack.failNext('views.update', { body: { ok: false, error: 'invalid_arguments' } })
    const command = await app.admin.type('/calls connect')
    expect(await command.waitForMessage()).toShow('(invalid_arguments)')
  })

  it('two clicks on the Home tab each replace their own waiting modal', async () => {
    const { admin, slack } = app
    const home = await admin.openHome()
    for (const delayMs of [600, 300]) slack.failNext('users.info', { delayMs })
    const first = await admin.press(home, 'setup.connect')
    const second = await admin.press(home, 'setup.connect')
    for (const click of [first, second]) expect(await click.waitForView(2)).toShow('API secret')
  })
})

describe('while Slack fails', () => {
  const app = useApp({ connected: true })

  it('a click in a modal is answered even if Slack failed to show the answer to an earlier one', async () => {
    const { admin, slack } = app
    const form = await admin.open('/callboard access')
    slack.failNext('views.update', failed)
    await admin.press(form, 'billing.settings.who.calls', 'people')
    await app.logged('"interaction":"billing.settings.who.","outcome":"slack-unavailable"')
    expect(await admin.open(form, 'billing.settings.who.calls', 'people')).toShow('Selected people')
  })

  it('a form that cannot open is offered again below the command', async () => {
    app.slack.failNext('views.open', { body: { ok: false, error: 'expired_trigger_id' } })
    expect(await app.admin.command('/calls connect')).toShow('Try again')
  })

  it.each([
    ['a button', '/calls', 'calls.filter', undefined, 'Find calls'],
    ['a menu entry', '/agents', 'agents.details', 'Anna Smith', 'SIP login'],
    ['an entry about a schedule', '/calls schedules', 'calls.schedule.menu', 'Edit…', 'Repeat'],
  ])(
    'a form that cannot open leaves the list, and is offered again below it: %s',
    async (_, command, action, choose, shown) => {
      const { member, slack } = app
      await member.submit(await member.open('/calls schedule'), { where: 'direct' })
      const list = await member.command(command)
      slack.failNext('views.open', failed)
      const { posts } = await member.press(list, action, choose)
      await app.logged(`"interaction":"${action}","outcome":"slack-unavailable"`)
      expect(posts.map(({ body }) => body.replace_original)).toEqual([false])
      expect(slack.messages().find(({ ts }) => ts === list.ts)).toEqual(list)
      expect(await member.open(posts[0]!.message!, action, choose)).toShow(shown)
    },
  )

  it('a form that cannot open apologizes below the message whose shortcut was chosen', async () => {
    const { member, slack, url } = app
    slack.failNext('views.open', failed)
    const message = { text: 'Call +44 20 7946 0042' }
    const input = { callback_id: 'calls.find-number', message, user: member.user }
    const { posts } = await slack.shortcut(url, input)
    await app.logged('"interaction":"shortcut calls.find-number","outcome":"slack-unavailable"')
    expect(posts.map(({ body }) => body.text)).toEqual([expect.stringContaining('Try again in a moment')])
  })
})
