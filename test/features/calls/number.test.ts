import { beforeEach, describe, expect, it } from 'vitest'
import type { SandboxCall } from '../../../dev/service/types.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { written } from '../../support/numbers.ts'
import { getActions, getButtons, getColumn, getHead, getRows } from '../../support/shown.ts'
import { createCall, formatLength, nameLines } from './calls.ts'

const app = useApp({ connected: true })

/** No call in the sandbox has this number. */
const number = '+390699990042'

/** Adds calls of the number, one per hour, up to some hours ago. */
function addCalls(
  count: number,
  changes: Partial<SandboxCall> = {},
  hoursAgo = 2,
  { accounts } = app.sandbox,
): readonly SandboxCall[] {
  const newestMs = Math.floor(Date.now() / 1000) * 1000 - hoursAgo * hourMs
  const calls = Array.from({ length: count }, (_, index) =>
    createCall(number, new Date(newestMs - index * hourMs), { seconds: 60 + index, ...changes }),
  )
  accounts.lively.addCalls(...calls)
  return calls
}

const asked = () => app.sandbox.requests.count()

/** Some 70 pages in 30 days; the number has 30 calls. */
function addMany(sandbox = app.sandbox): void {
  addCalls(1200, { direction: 'incoming', number: '+4930231250000' }, 0.1, sandbox)
  for (let n = 0; n < 12; n += 1) addCalls(50, {}, 3 + n * 50, sandbox)
}

beforeEach(() => app.sandbox.requests.clear())

describe('/calls number:', () => {
  it('finds the calls of both directions, newest first, in the last 30 days, and offers more', async () => {
    const { member, sandbox } = app
    addCalls(1, { direction: 'incoming', answered: false }, 30)
    addCalls(2, {}, 48)
    addCalls(1, {}, 60 * 24)
    const message = await member.command('/calls number:3906999900')
    expect(message.onlyFor).toBe(member.user.id)
    expect(message).toShow('3 calls to numbers with 3906999900 in the last 30 days')
    expect(getHead(message).slice(0, 3)).toEqual(['Time', 'Result', 'Direction'])
    expect(getColumn(message, 'Direction')).toEqual(['Incoming', 'Outgoing', 'Outgoing'])
    expect(getColumn(message, 'Result')).toEqual(['Missed', 'Answered', 'Answered'])
    expect(new Set(getColumn(message, 'Number'))).toEqual(new Set([written(number)]))
    expect(getActions(message)).not.toContain('calls.direction')
    expect(getHead(await member.command('/calls outgoing number:3906999900'))).not.toContain('Direction')
    sandbox.requests.clear()
    const more = await member.click(message, 'calls.show.more-days')
    expect(more).toShow('4 calls')
    const [first] = sandbox.requests.entries('incoming')
    expect(first?.params['from']).toMatch(/^\d\d-\d\d-\d{4}$/)
    const button = getButtons(more).find(({ action_id }) => action_id === 'calls.show.more-days')
    expect(button).toMatchObject({ text: { text: 'Last 366 days' } })
  })

  it.each([
    'number:+39 06 9999 0042',
    'number:"+39 (06) 9999-0042" last 7 days',
    'last 7 days number:0039 06 9999 0042 answered',
    'number:99990042 outgoing',
    'number: 06/9999.0042 page:1',
    'answered number:‪+39 06 9999‑0042‬ agent:1001',
  ])('reads %s', async (words) => {
    addCalls(2)
    expect(getColumn(await app.member.command(`/calls ${words}`), 'Length')).toEqual(['1:00', '1:01'])
  })

  it('caches its calls for paging, which another process reads again', async () => {
    const { member } = app
    const calls = addCalls(45)
    const first = await member.command('/calls number:9999')
    expect(first).toShow('Page 1 of 3 · 1–20 of 45')
    const read = asked()
    expect(read).toBeGreaterThan(4)
    const second = await member.click(first, 'calls.page.next')
    expect(asked()).toBe(read)
    await app.restart()
    const third = await member.click(second, 'calls.page.next')
    expect(asked()).toBe(2 * read)
    const shown = [first, second, third].flatMap((message) => getColumn(message, 'Length'))
    expect(shown).toEqual(calls.map(formatLength))
    await member.command('/calls number:9999 incoming')
    expect(await member.click(third, 'calls.page.previous')).toShow('21–40 of 45')
  })

  it('reads again after ten minutes and for every command', async () => {
    const { member, clock } = app
    // Six o'clock UTC, because the end of a day within these ten minutes would cause another read.
    clock.ahead = 30 * hourMs - (Date.now() % (24 * hourMs))
    addCalls(21)
    const first = await member.command('/calls number:9999')
    const read = asked()
    addCalls(1, {}, 1)
    expect(await member.click(first, 'calls.page.next')).toShow('Page 2 of 2 · 21 of 21')
    expect(asked()).toBe(read)
    const refreshed = await member.command('/calls number:9999')
    expect(refreshed).toShow('1–20 of 22')
    const again = asked()
    const isReadAfter = async (minutes: number) => {
      clock.ahead += minutes * minuteMs
      await member.click(refreshed, 'calls.page.next')
      return asked() > again
    }
    expect([await isReadAfter(9.9), await isReadAfter(0.2)]).toEqual([false, true])
  })

  it('says that there is none, and where it searched', async () => {
    const message = await app.member.command('/calls number:00000000')
    expect(message).toShow('No calls to numbers with 00000000 among ', ' calls in the last 30 days.')
    expect(message).not.toShow('Searched')
    expect(getActions(message)).toEqual(['calls.show.more-days', 'calls.filter'])
  })

  it('can be chosen as a line in the filters, which offer named and seen numbers', async () => {
    const { member, sandbox } = app
    const numbers = sandbox.accounts.lively.billing.addOn.numbers.map((one) => one.number)
    // More calls than are read to find lines.
    for (const hoursAgo of [1, 2]) addCalls(600, { direction: 'incoming' }, hoursAgo)
    await nameLines(app, { '+493023125042': 'Sales Berlin' })
    const modal = await member.open(await member.command('/calls last 7 days'), 'calls.filter')
    const offered = await member.suggest(modal, 'calls.line', '')
    const others = [...numbers, number].filter((one) => one !== '+493023125042').map(written)
    const texts = offered.map(({ text }) => text.text)
    expect(texts).toEqual(['Sales Berlin · +49 30 23125042', ...others.toSorted()])
    const found = async (typed: string) =>
      (await member.suggest(modal, 'calls.line', typed)).map(({ value }) => value)
    expect(await found('berl')).toEqual(['+493023125042'])
    expect(await found('7946 0042')).toEqual(['+442079460042'])
    expect(await found('nowhere')).toEqual([])
  })

  it('is kept as a line when the list is filtered again, and needs incoming calls', async () => {
    const { member } = app
    const list = await member.command('/calls last 7 days')
    const modal = await member.open(list, 'calls.filter')
    const [line = ''] = await member.suggest(modal, 'calls.line', '23125042')
    const choose = { direction: 'incoming', 'calls.line': line }
    const outgoing = await member.submit(modal, { ...choose, direction: 'outgoing' })
    expect(outgoing.errors).toEqual({ direction: "Choose Incoming: outgoing calls aren't tied to a line." })
    const both = await member.submit(modal, { ...choose, number: '9999' })
    expect(both.errors).toEqual({ number: 'Choose a line or enter a number, not both.' })
    await member.submit(modal, { ...choose, number: null })
    const ofLine = await member.sees(list, 'to +49 30 23125042')
    await member.submit(await member.open(ofLine, 'calls.filter'), { status: 'missed' })
    expect(await member.sees(ofLine, 'missed call')).toShow(' to +49 30 23125042 ')
  })

  it('is a field of the filters, with both directions', async () => {
    const { member } = app
    addCalls(3)
    const list = await member.command('/calls')
    const modal = await member.open(list, 'calls.filter')
    const wrong = await member.submit(modal, { direction: 'both' })
    expect(wrong.errors).toEqual({ direction: expect.stringContaining('enter a number') })
    const short = await member.submit(modal, { number: '12 3' })
    expect(short.errors).toMatchObject({ number: expect.any(String) })
    await member.submit(modal, { direction: 'both', number: '+39 06 9999' })
    const found = await member.sees(list, 'calls to numbers with 39069999')
    expect(getRows(found)).toHaveLength(3)
    await member.submit(await member.open(found, 'calls.filter'), { direction: 'outgoing' })
    await member.sees(found, 'outgoing calls to numbers with 39069999')
  })
})

describe('slow reading', () => {
  const slow = useApp({
    connected: true,
    runtime: { readingTimes: { progressAfterMs: 200 }, slackTimes: { openModalWithinMs: 700 } },
  })

  beforeEach(() => {
    addMany(slow.sandbox)
    slow.sandbox.faults.always({ kind: 'delay', ms: 40 })
  })

  it('is announced once, before the result', async () => {
    const command = await slow.member.type('/calls number:9999')
    const [notice, answer] = await command.waitForMessages(2)
    expect(notice?.text).toMatch(/^Reading about 1,\d{3} calls\. This takes about \d\d? seconds?\.$/)
    expect(notice?.via).toBe('ack')
    expect(answer).toShow('calls to numbers with 9999', '1–20 of 600')
    expect(command.messages).toHaveLength(2)
    expect(command.posts).toHaveLength(1)
  })

  it("isn't announced if there is nothing to read", async () => {
    slow.sandbox.faults.clear()
    slow.sandbox.faults.always({ kind: 'delay', ms: 250 })
    const command = await slow.member.type('/calls number:9999 2020-01-01')
    expect(await command.waitForMessage()).toShow('No calls to numbers with 9999 among 0 calls')
  })

  it('is announced in place of the clicked message, before the result', async () => {
    const short = await slow.member.command('/calls number:9999 today outgoing')
    const query = JSON.stringify({ direction: 'both', number: '9999', page: 1 })
    const action = { action_id: 'calls.show.wider', value: query }
    const clicked = await slow.slack.clickRaw(slow.url, { message: short, user: slow.member.user, action })
    const [notice, answer] = await clicked.waitForMessages(2)
    expect(notice).toShow('Reading about 1,')
    expect([notice?.ts, answer?.ts]).toEqual([short.ts, short.ts])
    expect(answer).toShow('1–20 of 600')
  })

  it('is announced below a message that stays, such as a shared list', async () => {
    const { member, slack } = slow
    const [, list] = await (await member.type('/calls number:9999')).waitForMessages(2)
    await slow.restart()
    const sharing = await member.press(list!, 'calls.share')
    const notice = await sharing.waitForMessage()
    expect(notice).toShow('Reading about ')
    expect(notice?.onlyFor).toBe(member.user.id)
    const shared = await slack.waitFor(() => slack.messages().find(({ onlyFor }) => onlyFor === undefined))
    expect(shared).toShow('Shared by')
    expect(slack.message(list!.ts)).toEqual(list)
  })
})

describe('a search that exceeds its time', () => {
  const hasty = useApp({
    connected: true,
    runtime: { readingTimes: { readForMs: 2000, progressAfterMs: 200 } },
  })

  it('shows the calls found in time and how many were read, and offers an export', async () => {
    const { member, sandbox } = hasty
    addMany(hasty.sandbox)
    sandbox.faults.always({ kind: 'delay', ms: 250 })
    const command = await member.type('/calls number:9999')
    const [notice, answer] = await command.waitForMessages(2)
    expect(notice).toShow('This takes about 2 seconds.')
    expect(answer).toShow('Calls to numbers with 9999', 'I checked the latest ', ' calls in 2 seconds.')
    // Earlier calls aren't counted.
    expect(answer).not.toShow('Last called', 'the latest 0 ')
    const button = getButtons(answer!).find(({ action_id }) => action_id === 'command.export')
    expect(button?.value).toMatch(/^\/calls export \d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d number:9999$/)
    expect(getRows(answer!).length).toBeGreaterThan(0)
    // Another page needs no further requests.
    const read = sandbox.requests.count()
    await member.click(answer!, 'calls.page.next')
    expect(sandbox.requests.count()).toBe(read)
  })
})

describe('a search that fails halfway', () => {
  it.each([
    [503, "The phone service isn't responding"],
    [401, 'no longer accepts'],
  ])('with status %i is explained, and can be tried again if the service failed', async (status, words) => {
    const { member, sandbox } = app
    addMany()
    sandbox.faults.always({ kind: 'delay', ms: 50 })
    const typing = member.type('/calls number:9999')
    await expect.poll(asked).toBeGreaterThan(12)
    sandbox.faults.always({ kind: 'status', status })
    const command = await typing
    const findAnswer = () => command.messages.find(({ text }) => text.includes(words))
    const answer = await app.slack.waitFor(findAnswer, 12_000)
    sandbox.faults.clear()
    if (status === 503)
      await expect.poll(async () => getRows(await member.click(answer, 'calls.retry')).length).toBe(20)
  })
})
