import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import { readableText } from '../../../dev/slack/readable-text.ts'
import type { View } from '../../../dev/slack/slack.ts'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { findNumber } from '../../support/find-number.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'
import { sharePage } from '../../support/share-page.ts'
import { createCall } from './calls.ts'

const app = useApp({ connected: true })
const shortcut = 'calls.find-number'
const munich = '+498999998042'
const birmingham = '+441214960042'

/** Adds calls to the number, one per hour. */
function addCalls(number: string, count: number, { accounts } = app.sandbox): void {
  const newestMs = Math.floor(Date.now() / 1000) * 1000 - 2 * hourMs
  const times = Array.from({ length: count }, (_, index) => new Date(newestMs - index * hourMs))
  accounts.lively.addCalls(...times.map((at) => createCall(number, at)))
}

describe('the shortcut of an app that was installed by OAuth', () => {
  const installed = useApp(withOAuth)

  it('recognizes its own messages by its bot and by the app', async () => {
    const { team, admin } = await installTeam(installed.slack)
    for (const own of [{ user: team.botUserId }, { app_id: team.appId }]) {
      const modal = await findNumber(installed.slack, admin, { text: '(089) 99998-042', ...own })
      expect(modal).toShow("I couldn't find a phone number")
    }
  })
})

describe('the shortcut in the menu of a message', () => {
  it('finds the calls of the number in it, in a modal with pages', async () => {
    const { member, sandbox } = app
    addCalls(birmingham, 45)
    const modal = await findNumber(app.slack, member, `Did anybody call ${birmingham} back?`)
    expect(modal).toShow('45 calls to +44 121 496 0042', 'Page 1 of 3 · 1–20 of 45', 'Filter…', 'Export…')
    expect(modal).toShow('Result Answered · Direction Outgoing · Length 1:01')
    expect(actionsIn(modal)).not.toContain('calls.share')
    sandbox.requests.clear()
    const second = await member.open(modal, 'calls.page.next')
    expect(second.id).toBe(modal.id)
    expect(second).toShow('Page 2 of 3 · 21–40 of 45')
    expect(await member.open(second, 'calls.page.last')).toShow('Page 3 of 3 · 41–45 of 45')
    expect(sandbox.requests.count()).toBe(0)
    await member.sees(await member.open(second, 'calls.show.more-days'), 'Page 1 of ')
    expect(sandbox.requests.count()).toBeGreaterThan(0)
  })

  it("works in a thread, on another workspace's message, and on the app's own public messages", async () => {
    const { member, slack } = app
    addCalls(birmingham, 2)
    const inThread = { text: birmingham, thread_ts: slack.nextTs(), team: 'T0OTHER' }
    expect(await findNumber(app.slack, member, inThread)).toShow('2 calls')
    const shared = await sharePage(app, member, await member.command('/calls number:12149600'))
    expect(await findNumber(slack, member, shared)).toShow('calls to +44 121 496 0042', '2 calls')
  })

  it("doesn't complete digits in the app's own messages with the channel's country", async () => {
    const { member, slack } = app
    const { botId, botUserId } = slack.workspace
    const other = { text: '(089) 99998-042', user: 'U0OTHER', bot_id: 'B0OTHER', app_id: 'A0OTHER' }
    expect(await findNumber(slack, member, other)).toShow('calls to +49 89 99998042')
    for (const own of [{ user: botUserId }, { bot_id: botId }])
      expect(await findNumber(slack, member, { ...other, ...own })).toShow("I couldn't find a phone number")
  })

  it('asks which number is meant if there are several', async () => {
    addCalls(munich, 3)
    const text = `Call ${birmingham} or (089) 99998-042, not ${birmingham}.`
    const modal = await findNumber(app.slack, app.member, text)
    expect(modal).toShow('There are 2 phone numbers in this message. Which one?', '+44 121 496 0042')
    const opened = await app.member.open(modal, 'calls.show.1')
    expect(opened.id).toBe(modal.id)
    await app.member.sees(opened, '3 calls to +49 89 99998042')
  })

  it("adds the channel's country code to a number without one", async () => {
    const { member, admin } = app
    await member.command('/calls timezone Europe/London')
    expect(await findNumber(app.slack, member, 'ring 0121 496 0042')).toShow('calls to +44 121 496 0042')
    const none = await findNumber(app.slack, admin, 'see ticket 4711 of 2026-11-05')
    expect(none).toShow("I couldn't find a phone number here. Add a country code, such as +44.")
    await member.command('/calls timezone +05:30')
    expect(await findNumber(app.slack, member, 'ring 0121 496 0042')).toShow("I couldn't find a phone number")
  })

  it('offers the form if there is no number, and replaces it with the result', async () => {
    const { member } = app
    addCalls(birmingham, 1)
    const none = await findNumber(app.slack, member, 'Hello!')
    const form = await member.open(none, 'calls.find')
    expect(form.id).toBe(none.id)
    await member.submit(form, { direction: 'both', number: birmingham })
    const found = await member.sees(form, '1 call to +44 121 496 0042')
    // A modal's list can't be shared, no matter how it got there.
    const action = { action_id: 'command.again', value: '/calls' }
    const again = await app.slack.clickRaw(app.url, { view: none, user: member.user, action })
    const list = await again.waitForView()
    expect(list).toShow('incoming calls')
    for (const { blocks } of [found, list]) expect(JSON.stringify(blocks)).not.toContain('calls.share')
  })

  it('belongs to the workspace where it was chosen, or else to that of the message', async () => {
    const { member, slack, url } = app
    const message = { text: birmingham }
    const input = { callback_id: shortcut, message, user: member.user, fields: { team: null } }
    const named = await slack.shortcut(url, input)
    await member.sees(await named.waitForView(), 'calls to ')
    const unnamed = await slack.shortcut(url, { ...input, message: { ...message, team: undefined } })
    expect(await unnamed.waitForMessage()).toShow("can't be used any more")
    const fromOthers = { ...input, fields: {}, message: { ...message, team: 'T0OTHERS' } }
    await member.sees(await (await slack.shortcut(url, fromOthers)).waitForView(), 'calls to ')
  })
})

describe('slow reading', () => {
  const slow = useApp({
    connected: true,
    runtime: { readingTimes: { progressAfterMs: 200 }, slackTimes: { openModalWithinMs: 700 } },
  })

  it.each([
    ['', () => {}],
    [', even if Slack fails to show that', () => slow.slack.failNext('views.update', { status: 500 })],
  ])('is announced once in the modal, before the list%s', async (_, fail) => {
    const { member, slack, sandbox } = slow
    fail()
    addCalls('+390699990000', 1200, sandbox)
    addCalls(birmingham, 25, sandbox)
    sandbox.faults.always({ kind: 'delay', ms: 120 })
    await member.sees(await member.shortcut(shortcut, birmingham), 'Page 1 of 2 · 1–20 of 25')
    const calls = [...slack.callsTo('views.open'), ...slack.callsTo('views.update')]
    const views = calls.map(({ args }) => JSON.stringify(args['view']))
    expect(views.filter((view) => /Reading about [\d,]+ calls/.test(view))).toHaveLength(1)
  })
})

describe('reading that exceeds its time', () => {
  const hasty = useApp({ connected: true, runtime: { readingTimes: { readForMs: 1 } } })

  it("offers no answer for the thread, because it hasn't read all calls", async () => {
    const modal = await findNumber(hasty.slack, hasty.member, birmingham)
    expect(modal).toShow('I checked the latest ')
    expect(actionsIn(modal)).not.toContain('calls.answer')
  })
})

/** Returns the action ids of the modal. */
const actionsIn = ({ blocks }: View) => elementsIn(blocks).map(({ element }) => element.action_id)

describe('a reading that fails', () => {
  it('can be tried again if the service is unavailable', async () => {
    const { member, sandbox } = app
    addCalls(birmingham, 1)
    sandbox.faults.always({ kind: 'cut-connection' })
    const modal = await member.sees(await member.shortcut(shortcut, birmingham), "isn't responding")
    sandbox.faults.clear()
    await expect.poll(async () => readableText(await member.open(modal, 'calls.retry'))).toContain('1 call ')
  })

  it('offers to change a request that the service refused', async () => {
    const { member, sandbox } = app
    addCalls(birmingham, 1)
    sandbox.faults.next({ kind: 'status', status: 400 }, { times: 2 })
    const opened = await member.shortcut(shortcut, birmingham)
    const refused = await member.sees(opened, 'refused this request: calls to +44 121 496 0042')
    expect(actionsIn(refused)).not.toContain('calls.retry')
    const form = await member.open(refused, 'calls.filter')
    await member.submit(form, { status: 'answered' })
    await member.sees(form, '1 answered call to +44 121 496 0042')
  })
})

describe('the answer about a number', () => {
  it('says when it was last called, below the title', async () => {
    const { member } = app
    addCalls(birmingham, 2)
    const last =
      /Last called \w{3} \d+ \w{3} \d\d:\d\d, answered, 1:01\. 1 other call since \d+ \w{3}( \d{4})?\./
    expect((await member.command('/calls number:+44 121 496 0042')).text).toMatch(last)
    const { text } = await member.command('/calls 0121 496 0042 outgoing agent:1001')
    expect(text).toMatch(/Last called .* by Anna Smith, answered, 1:01\. 1 other outgoing call since/)
    // Lists with other filters may not have the last call of one number.
    for (const words of ['answered', 'longer:5s', 'last month', '2026-01-01..2026-01-02'])
      expect(await member.command(`/calls number:1214960042 ${words}`)).not.toShow('Last called')
    addCalls('+441214960043', 1)
    expect(await member.command('/calls number:12149600')).not.toShow('Last called')
  })

  /** Answers in the thread of a reply with the number. */
  async function answerInThread() {
    const { member, slack } = app
    const ts = slack.nextTs()
    const modal = await findNumber(slack, member, { text: birmingham, ts: slack.nextTs(), thread_ts: ts })
    expect(member.dialog(modal, 'calls.answer')).toContain('Answer in the thread?')
    expect(await member.open(modal, 'calls.answer')).toShow('Answered in the thread.')
    return { modal, posts: slack.messages().filter(({ threadTs }) => threadTs === ts) }
  }

  it('can be posted in the thread of the message, once and after a confirmation, even without a call', async () => {
    expect((await answerInThread()).posts[0]).toShow('No calls to +44 121 496 0042')
    addCalls(birmingham, 1)
    const { modal, posts } = await answerInThread()
    expect(modal).toShow('1 call to +44 121 496 0042', 'Last called ', ' No other call since ')
    expect(posts).toHaveLength(1)
    expect(posts[0]).toShow('1 call to +44 121 496 0042', 'Last called ', 'Shared by member with Callboard')
    expect(await app.admin.command('/billing audit')).toShow('an answer about a number')
  })

  it("isn't said to be posted if Slack refuses it", async () => {
    const { member, slack } = app
    const modal = await findNumber(slack, member, birmingham)
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'restricted_action' } })
    expect(await member.open(modal, 'calls.answer')).toShow('Slack lets only some people post')
  })

  it("isn't offered in a direct message", async () => {
    const { slack, member } = app
    const channel = slack.addChannel({ id: 'D0ANNA', name: 'directmessage', directWith: 'U0ANNA' })
    const modal = await findNumber(slack, slack.as(member.user, { channel }), birmingham)
    expect(actionsIn(modal)).toContain('calls.filter')
    expect(actionsIn(modal)).not.toContain('calls.answer')
  })

  it("isn't offered after a filter, because the modal has no channel then", async () => {
    const { slack, member } = app
    addCalls(birmingham, 1)
    const modal = await findNumber(slack, member, birmingham)
    expect(actionsIn(modal)).toContain('calls.answer')
    const form = await member.open(modal, 'calls.filter')
    await member.submit(form, { direction: 'outgoing' })
    const filtered = await member.sees(form, '1 outgoing call to +44 121 496 0042')
    expect(actionsIn(filtered)).not.toContain('calls.answer')
  })

  it("doesn't say when a number was last called if the days end before today", async () => {
    app.sandbox.accounts.lively.addCalls(createCall(birmingham, new Date(Date.now() - 30 * hourMs)))
    const until = await app.member.command('/calls +44 121 496 0042 until yesterday')
    expect(until).toShow('1 call to +44 121 496 0042')
    expect(until).not.toShow('Last called')
  })
})
