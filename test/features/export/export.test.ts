import { describe, expect, it, vi } from 'vitest'
import type { Direction } from '../../../dev/service/types.ts'
import { rateLimited } from '../../../dev/slack/api/web-api.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { Exports } from '../../../src/features/export/exports.ts'
import { CallStateReader } from '../../../src/query/call-states.ts'
import { StoreError } from '../../../src/store/errors.ts'
import { TelephonyClient } from '../../../src/telephony/client.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { findClockChanges, toUtcOffset } from '../../../src/time/zones.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { findNumber } from '../../support/find-number.ts'
import { getActions, getButtons } from '../../support/shown.ts'
import { endAtOnce } from '../../support/slow-slack.ts'
import {
  direct,
  directMessages,
  expectCalls,
  getFiles,
  holdPages,
  rowsOfFile,
  slowly,
  spreadsheetRows,
  storedExports,
} from './exports.ts'

const app = useApp({ connected: true, config: { metricsToken: 'a token for tests' } })

const incoming = () => app.sandbox.accounts.lively.calls('incoming')
/** Waits for a direct message to the member. */
const waitFor = (text: string) => direct(app.slack, app.member, text)
const files = () => getFiles(app.slack, app.member)
const rows = () => rowsOfFile(app.slack, app.member)
/** Sends the member's `/calls export` with these words. */
const exportCalls = (words = '') => app.member.command(`/calls export ${words}`)
const cancel = async () => app.member.press(await waitFor('Exporting'), 'calls.export-cancel')
/** Starts an export of the member, and holds its first page back. */
const hold = (words = '', direction?: Direction) =>
  holdPages(app.sandbox, () => exportCalls(words), direction)
const again = async (message: Message) => {
  await app.member.press(message, 'calls.export-again')
  await waitFor('Here are')
  expect(app.slack.message(message.ts)).toEqual(message)
}
const expectOneFile = async () => {
  await waitFor('Here are')
  expect(files()).toHaveLength(1)
}
const expectNothingLeft = async () => {
  await app.jobsDone()
  expect(storedExports(app)).toEqual([])
  expect(files()).toEqual([])
}
const limit = async (area: 'calls' | 'exports') => {
  const modal = await app.admin.open('/billing settings')
  await app.admin.submit(modal, { [area]: 'admins' })
}

describe('the file of an export', () => {
  it('contains every call of the query, and only the person gets it', async () => {
    const { member, admin } = app
    const missed = incoming().filter(({ answered }) => !answered)
    Object.assign(missed[0]!, { seconds: 30 })
    const answer = await exportCalls('missed')
    expect(answer).toShow('Exporting missed calls.', 'in a direct message from Callboard')
    expect(answer.onlyFor).toBe(member.user.id)
    const message = await waitFor(`Here are ${missed.length} missed calls`)
    expect(message).toShow('Times are in Europe/Berlin (UTC+0')
    expect(getActions(message)).toEqual([])
    expectCalls(rows(), missed)
    expect(files()).toMatchObject([
      { title: expect.stringMatching(/^missed-calls-until-\d+-[a-z]{3}-\d{4}\.csv$/) },
    ])
    expect(await admin.command('/billing audit')).toShow(`exported ${missed.length} missed calls`)
    await expect.poll(() => storedExports(app)).toEqual([])
  })

  it.each(['incoming', 'outgoing'] as const)(
    'agrees with the ledger over a change of clocks, to the second and the cent: %s',
    async (direction) => {
      const { member, sandbox, slack } = app
      await member.command('/calls timezone Europe/Berlin')
      const { at: change, before: first, after: last } = nextChange()
      const [from, to] = [-7, 7].map((days) => dayAfter(change, days))
      app.clock.ahead = change.getTime() + 20 * dayMs - Date.now()
      await exportCalls(`${direction} ${from}..${to}`)
      expect(await waitFor('Here are')).toShow(`Europe/Berlin (UTC${first}, then UTC${last})`)
      const since = Date.parse(`${from}T00:00:00${first}`)
      const before = Date.parse(`${to}T00:00:00${last}`) + dayMs
      const calls = sandbox.accounts.lively
        .calls(direction)
        .filter(({ at }) => at.getTime() >= since && at.getTime() < before)
      expectCalls(rows(), calls)
      const names = new Map(sandbox.accounts.lively.agents.map(({ id, name }) => [id, name]))
      for (const { id, agentId, answered } of calls) {
        const name = answered && direction === 'incoming' ? (names.get(agentId) ?? '') : ''
        expect(rows().find(({ ID }) => ID === id)).toMatchObject({ 'Answered by': name })
      }
      const offsets = new Set<string>()
      const cells = spreadsheetRows(slack, member)
      for (const [at, { Time: wall = '', 'Time (UTC)': utc = '' }] of rows().entries()) {
        const instant = Date.parse(`${utc.replace(' ', 'T')}Z`)
        const offset = instant < change.getTime() ? first : last
        offsets.add(offset)
        expect(cells[at]).toMatchObject({ Time: new Date(`${wall}Z`), 'Time (UTC)': new Date(`${utc}Z`) })
        expect(Date.parse(`${wall.replace(' ', 'T')}${offset}`)).toBe(instant)
      }
      expect([...offsets].sort()).toEqual(['+01:00', '+02:00'])
    },
  )
})

describe('the calls of a number', () => {
  it('are exported in both directions, by default of the last 30 days', async () => {
    const { member, sandbox } = app
    await member.command('/calls timezone UTC')
    const [call] = sandbox.accounts.lively.calls('outgoing')
    const digits = call!.number.replaceAll(/\D/g, '').slice(0, 4)
    const since = Date.parse(new Date(Date.now() - 29 * dayMs).toISOString().slice(0, 10))
    const calls = (['incoming', 'outgoing'] as const)
      .flatMap((direction) => sandbox.accounts.lively.calls(direction))
      .filter(({ at, number }) => at.getTime() >= since && number.replaceAll(/\D/g, '').includes(digits))
    expect(await exportCalls(`number:${digits}`)).toShow(`Exporting calls to numbers with ${digits}, `)
    await waitFor(`Here are ${calls.length} calls`)
    expect(await app.admin.command('/billing audit')).toShow(`exported ${calls.length} calls to numbers`)
    expectCalls(rows(), calls)
    const directions = rows().map(({ Direction }) => Direction)
    expect(directions).toEqual(directions.toSorted())
    expect(files().at(-1)?.title).toMatch(/^calls-\d/)
  })

  it("aren't exported twice at a time if the number was found in a message", async () => {
    const { member, sandbox, slack } = app
    const modal = await findNumber(slack, member, 'Call +49 30 23125042')
    const release = await hold('number:493023125042')
    sandbox.faults.next({ kind: 'delay', ms: 0 }, { times: 2 })
    expect(await member.open(modal, 'calls.export-list')).toShow('Already exporting')
    release()
    await waitFor('Here are')
  })

  it('may be none, in which case no file is sent', async () => {
    await exportCalls('outgoing number:00000000000')
    await waitFor('Nothing to export. No outgoing calls')
    await expectNothingLeft()
  })
})

describe('starting an export', () => {
  it("under a list, with that list's filters, below the list", async () => {
    const { member, sandbox, slack } = app
    const hollis = sandbox.accounts.lively.agents.find(({ name }) => name === 'Hollis Grant')!
    Object.assign(hollis, { name: 'Hollis <!here>' })
    const list = await member.command('/calls outgoing agent:hollis')
    const second = await member.click(list, 'calls.page.next')
    const answer = await member.click(second, 'calls.export-list')
    expect(answer).toShow('Exporting outgoing calls for Hollis &lt;!here&gt;')
    expect(slack.message(list.ts)).toEqual(second)
    await waitFor('Here are 40 outgoing calls for Hollis &lt;!here&gt;')
    const calls = sandbox.accounts.lively.calls('outgoing').filter(({ agentId }) => agentId === hollis.id)
    expectCalls(rows(), calls)
  })

  it('accepts the words of /calls, with the same suggestions', async () => {
    const { member } = app
    const slip = await exportCalls('mised agent:zzz')
    expect(slip).toShow('I didn\'t understand "mised')
    expect(getButtons(slip)[0]).toMatchObject({ value: '/calls export missed agent:zzz' })
    expect(await exportCalls('agent:zzz')).toShow('No agent matches')
    const none = await member.command('/callboard calls export missed 2019-01-01')
    expect(none).toShow('Nothing to export. No missed calls on 1 Jan 2019.')
    const choice = await exportCalls('outgoing agent:anna')
    expect(choice).toShow('3 agents match')
    const exporting = await member.click(choice, 'calls.export.1')
    expect(exporting).toShow('Exporting ')
    expect(exporting.ts).toBe(choice.ts)
    await expectOneFile()
  })

  it('asks for fewer days beyond 200,000 calls, before anything is read', async () => {
    const { member, sandbox, slack } = app
    sandbox.requests.clear()
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '200001' } })
    const answer = await exportCalls()
    expect(answer).toShow('An export reads up to 200,000 calls; this range has 200,001.')
    expect(sandbox.requests.count()).toBe(1)
    expect(directMessages(slack, member)).toEqual([])
    expect(await member.open(answer, 'calls.filter')).toShow('Find calls')
    sandbox.faults.clear()
    sandbox.faults.next({ kind: 'set', envelope: { total_record: '200000' } })
    expect(await exportCalls()).toShow('Exporting incoming calls')
    await waitFor('Here are')
  })

  it("doesn't run the same export of a person twice at a time, except in another time zone", async () => {
    const { member, admin, sandbox, slack } = app
    const list = await member.click(await member.command('/agents hollis'), 'agents.calls')
    const release = await hold('agent:hollis')
    const count = { kind: 'delay', ms: 0 } as const
    sandbox.faults.next(count)
    expect(await exportCalls('page:2 agent:Hollis')).toShow('Already exporting', 'Progress is in')
    sandbox.faults.next(count)
    expect(await member.click(list, 'calls.export-list')).toShow('Already exporting')
    sandbox.faults.next(count)
    expect(await admin.command('/calls export agent:hollis')).toShow('Exporting ')
    await member.command('/calls timezone Asia/Tokyo')
    sandbox.faults.next(count)
    expect(await exportCalls('agent:hollis')).toShow('Exporting ')
    release()
    await expect.poll(() => files().length).toBe(2)
    await direct(slack, admin, 'Here are')
  })

  it('creates one file for ten identical commands at once, and waits a minute for a process that was killed', async () => {
    const { member, slack, stored } = app
    slack.failNext('chat.postMessage', { delayMs: 300 })
    const commands = Array.from({ length: 10 }, () => exportCalls('outgoing'))
    await expect.poll(() => stored.all('claim:export').length).toBe(1)
    const claims = stored.all('claim:export')
    const answers = await Promise.all(commands)
    expect(answers.filter(({ text }) => text.includes('Already exporting'))).toHaveLength(9)
    await expectOneFile()
    expect(directMessages(slack, member)).toHaveLength(2)
    stored.write(claims)
    expect(await exportCalls('outgoing')).toShow('Already exporting')
    app.clock.ahead = minuteMs
    expect(await exportCalls('outgoing')).toShow('Exporting')
  })

  it('explains that Slack refused the direct message', async () => {
    const { member, slack } = app
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'messages_tab_disabled' } })
    expect(await exportCalls()).toShow("Slack didn't let Callboard do this (messages_tab_disabled)")
    slack.failNext('chat.postMessage', { status: 500 })
    const apology = await exportCalls()
    expect(apology).toShow("Slack didn't respond in time")
    expect(storedExports(app)).toEqual([])
    await member.click(apology, 'calls.export-again')
    await waitFor('Here are')
  })
})

describe('permission', () => {
  it('is for people who see calls, or only for administrators if they choose so', async () => {
    const { admin, member, slack } = app
    const list = await member.command('/calls outgoing')
    await limit('exports')
    expect(await admin.command('/billing audit')).toShow('limited exports to administrators')
    const refused = "You can't export calls in this workspace."
    expect(await exportCalls()).toShow(refused)
    expect(await member.click(list, 'calls.export-list')).toShow(refused)
    expect(slack.message(list.ts)).toEqual(list)
    expect(await member.command('/calls')).toShow('incoming calls')
    expect(directMessages(slack, member)).toEqual([])
    expect(await admin.command('/calls export')).toShow('Exporting')
    await direct(slack, admin, 'Here are')
  })

  it.each([
    ['calls are for admins now', () => limit('calls'), "You don't have access to calls"],
    ['exports are for administrators now', () => limit('exports'), "You can't export calls"],
    [
      'the person is a guest now',
      () => Object.assign(app.member.user, { is_restricted: true }),
      'full members',
    ],
  ])('is checked again before the file is sent: %s', async (_, takeAway, words) => {
    const release = await hold()
    await takeAway()
    release()
    const failed = await waitFor('Export failed: incoming calls. Nothing was sent.')
    expect(failed).toShow(words)
    expect(getActions(failed)).toEqual([])
    expect(app.slack.files).toEqual([])
    app.member.user.is_restricted = false
  })

  it('is checked before an export that waited reads calls', async () => {
    const releases = [await hold('outgoing missed', 'outgoing'), await hold('outgoing', 'outgoing')]
    await exportCalls()
    await limit('exports')
    const before = app.sandbox.requests.count('incoming')
    for (const release of releases) release()
    await waitFor('Export failed: incoming calls. Nothing was sent.')
    expect(app.sandbox.requests.count('incoming')).toBe(before)
  })
})

describe('while it runs', () => {
  it('updates its progress', async () => {
    const { sandbox, slack } = app
    const total = incoming().length
    const release = await hold()
    await waitFor(`0 of ${total} calls read`)
    release()
    slowly(sandbox, 150)
    const readCounts = () =>
      slack
        .callsTo('chat.update')
        .map(({ args }) => /incoming calls\. (\d+) of \d+ calls read\.$/.exec(String(args['text']))?.[1])
    await expect.poll(() => Number(readCounts().at(-1))).toBeGreaterThan(0)
    sandbox.faults.clear()
    await waitFor('Here are')
  })

  it('runs two exports of a workspace at a time; others wait', async () => {
    const { admin, sandbox, slack } = app
    const releases = [await hold('outgoing missed', 'outgoing'), await hold('outgoing', 'outgoing')]
    sandbox.requests.clear()
    await admin.command('/calls export answered')
    await exportCalls('incoming')
    const waiting = await direct(slack, admin, 'Exporting')
    await admin.press(waiting, 'calls.export-cancel')
    await direct(slack, admin, 'Export cancelled: answered incoming calls.')
    for (const { expires } of app.stored.all('exports'))
      expect(expires).toBeGreaterThan(Date.now() + 2 * dayMs)
    // The service was only asked how many calls there are.
    expect(sandbox.requests.count('incoming')).toBe(2)
    for (const release of releases) release()
    await waitFor(`Here are ${incoming().length} incoming calls`)
    await expect.poll(() => files().length).toBe(3)
    expect(getFiles(slack, admin)).toEqual([])
    await expect.poll(() => storedExports(app)).toEqual([])
  })

  it.each([
    ['Export cancelled: ', () => cancel()],
    // Leaves time for the file and the final update, which have to wait for the late one.
    ['Here are ', () => exportCalls('help')],
  ])('ends with "%s…", even if an earlier update arrives late', async (shown, end) => {
    const { member, slack } = app
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext('chat.update', { until })
    const release = await hold()
    await expect.poll(() => slack.callsTo('chat.update').length).toBe(1)
    release()
    await expect.poll(() => slack.callsTo('upload').length).toBe(1)
    await end()
    resolve()
    await app.jobsDone()
    expect(directMessages(slack, member)[0]).toShow(shown, ' incoming calls.')
  })
})

describe('Cancel', () => {
  it('ends the export without leftovers', async () => {
    const { member, sandbox, slack } = app
    const release = await hold()
    await cancel()
    await waitFor('Export cancelled: incoming calls. Nothing was sent')
    await expectNothingLeft()
    release()
    const requests = sandbox.requests.count()
    await member.command('/calls')
    expect(sandbox.requests.count()).toBe(requests + 1)
    expect(directMessages(slack, member).map(getActions)).toEqual([[]])
  })

  it.each([
    ['Slack says who the person is', 'users.info', {}],
    ['Slack says where to upload', 'files.getUploadURLExternal', {}],
    ['Slack has it wait', 'files.getUploadURLExternal', rateLimited(60)],
    ['the upload hangs', 'upload', { hang: true }],
  ])('ends the export while %s', async (_, method, fault) => {
    const { member, slack } = app
    const release = await hold()
    const before = slack.callsTo(method).length
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext(method, { until, ...fault })
    release()
    await expect.poll(() => slack.callsTo(method).length).toBe(before + 1)
    await cancel()
    resolve()
    await expectNothingLeft()
    expect(directMessages(slack, member)[0]).toShow('Export cancelled: ', ' incoming calls. Nothing was sent')
    expect(app.logs.join('')).not.toContain('a job failed')
  })

  it('is for the person who exports, and says when it is too late', async () => {
    const { member, admin, slack } = app
    const release = await hold()
    const message = await waitFor('Exporting')
    const other = await admin.command('/callboard')
    const { value } = getButtons(message)[0]!
    const forged = await slack.clickRaw(app.url, {
      message: other,
      user: admin.user,
      action: { action_id: 'calls.export-cancel', value },
    })
    expect(await forged.waitForMessage()).toShow('This export has already ended.')
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext('files.completeUploadExternal', { until })
    release()
    await expect.poll(() => slack.callsTo('files.completeUploadExternal').length).toBe(1)
    expect(await member.click(message, 'calls.export-cancel')).toShow('This export has already ended.')
    // The progress isn't shown any more, so this is the final update.
    slack.rateLimitNext('chat.update', 0)
    resolve()
    await expectOneFile()
  })
})

describe('failures', () => {
  it.each(['exports', 'job:exports'])(
    '%s refuses a row after the announcement: the message says so, and the same export can be started again',
    async (rows) => {
      const allow = app.stored.refuse(rows)
      expect(await exportCalls()).toShow('something went wrong', 'Try again')
      const failed = await waitFor('Export failed: incoming calls. Nothing was sent.')
      allow()
      await again(failed)
    },
  )

  it.each([
    ['before the job is stored', () => app.stored.delete('job:exports')],
    ['while the job runs', () => {}],
  ])('the process is restarted %s: the export starts again, and one file arrives', async (_, between) => {
    const release = await hold()
    await app.restart(between)
    release()
    await expectOneFile()
    expectCalls(rows(), incoming())
    // A job that ends with the process is no error.
    expect(app.logs.join('')).not.toContain('"level":50')
  })

  it('the process is restarted without its encryption key: the message says so', async () => {
    const release = await hold()
    await app.restart(() => app.stored.setValue('credentials', "'v1.k2.AAAA'"))
    release()
    expect(await waitFor('Export failed: incoming calls.')).toShow("API key and secret can't be read")
    await expectNothingLeft()
  })

  it.each([
    ['getUploadURLExternal', 'missing_scope'],
    ['completeUploadExternal', 'storage_limit_reached'],
  ])('files.%s: Slack refuses the file (%s)', async (name, error) => {
    const { slack } = app
    const method = `files.${name}`
    slack.failNext(method, { body: { ok: false, error } })
    await exportCalls()
    const failed = await waitFor(`Export failed: incoming calls. Nothing was sent.`)
    expect(failed).toShow(`Slack didn't let Callboard do this (${error}).`)
    expect(slack.callsTo(method)).toHaveLength(1)
    expect(files()).toEqual([])
    expect(await app.admin.command('/billing audit')).not.toShow('exported')
  })

  it('the upload or the sharing fails temporarily: it is tried again, and arrives once, though the audit log fails', async () => {
    const { slack } = app
    const release = await hold()
    app.stored.refuse('audit-log')
    slack.failNext('users.info', { status: 500 })
    slack.failNext('files.getUploadURLExternal', { status: 500 })
    slack.failNext('upload', { cut: true })
    slack.rateLimitNext('files.completeUploadExternal', 0)
    release()
    await expectOneFile()
    expectCalls(rows(), incoming())
    await app.logged('audit entry of an export not stored')
  })

  it.each([
    ['asks for a long wait', [61]],
    ['limits the rate four times', [0, 0, 0, 0]],
  ])('Slack %s: the export ends, and can be tried again', async (_, waits) => {
    for (const seconds of waits) app.slack.rateLimitNext('files.getUploadURLExternal', seconds)
    await exportCalls()
    await again(await waitFor('Export failed: incoming calls. Nothing was sent.'))
  })

  it("Slack doesn't update the message: the export goes on without it", async () => {
    const { slack } = app
    slack.rateLimitNext('chat.update', 60)
    const refused = { body: { ok: false, error: 'cant_update_message' } }
    for (let n = 0; n < 100; n += 1) slack.failNext('chat.update', refused)
    await exportCalls()
    await expect.poll(() => files().length).toBe(1)
    await app.jobsDone()
    expect(app.logs.join('')).not.toContain('a job failed')
  })

  it('the database fails while calls are read: they are read again, and one file arrives', async () => {
    const failure = new StoreError('the database is away')
    const release = await hold()
    using checking = vi.spyOn(Exports.prototype, 'get').mockRejectedValueOnce(failure)
    await app.logged('export not checked')
    expect(checking).toHaveBeenCalled()
    using reading = vi.spyOn(CallStateReader.prototype, 'read').mockRejectedValueOnce(failure)
    release()
    await expectOneFile()
    expectCalls(rows(), incoming())
    expect(await app.readMetrics()).toContain('callboard_exports_total{outcome="interrupted"} 1\n')
    expect(reading).toHaveBeenCalled()
  })

  it('reading takes an hour: there is no file', async () => {
    endAtOnce(hourMs)
    await exportCalls()
    const failed = await waitFor("That's too much for one file. Choose fewer days")
    expect(getActions(failed)).toEqual([])
    expect(files()).toEqual([])
  })

  it("the service doesn't say how many calls there are: up to 200,000 are read", async () => {
    using reading = vi.spyOn(TelephonyClient.prototype, 'readCalls')
    app.sandbox.faults.always({ kind: 'set', envelope: { total_record: '' } })
    await exportCalls()
    await waitFor('Here are')
    expect(app.slack.callsTo('chat.postMessage')[0]?.args['text']).toContain(' 0 calls read')
    expect(reading.mock.lastCall?.[2]?.limit).toBe(200_000)
  })

  it("Slack doesn't confirm the file: it isn't sent twice", async () => {
    const { admin, slack } = app
    slack.failNext('files.completeUploadExternal', { status: 500, isDone: true })
    await exportCalls()
    const message = await waitFor("Slack didn't confirm that the file arrived")
    expect(files()).toHaveLength(1)
    expect(await admin.command('/billing audit')).toShow('incoming calls, not confirmed by Slack')
    await again(message)
  })

  it('the service is down: the message says so, and a retry keeps the time zone', async () => {
    const { member, sandbox } = app
    await member.command('/calls timezone Asia/Tokyo')
    const release = await hold()
    release()
    sandbox.faults.always({ kind: 'status', status: 429, headers: { 'retry-after': '120' } })
    const failed = await waitFor('Export failed: incoming calls. Nothing was sent.')
    expect(failed).toShow('The phone service asks Callboard to wait.')
    sandbox.faults.clear()
    sandbox.faults.next({ kind: 'status', status: 400 })
    expect(await exportCalls('missed')).toShow('refused this request: missed calls.')
    await again(failed)
    await waitFor('Times are in Asia/Tokyo')
    expectCalls(rows(), incoming())
  })

  it('the workspace is deleted: nothing is sent, and nothing stays stored', async () => {
    const { admin } = app
    const release = await hold()
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    await waitFor('Export cancelled')
    release()
    await expectNothingLeft()
  })
})

it('is counted by result, with the number of calls', async () => {
  const { slack } = app
  await exportCalls()
  await waitFor('Here are')
  slack.failNext('files.getUploadURLExternal', { body: { ok: false, error: 'file_uploads_disabled' } })
  await exportCalls('outgoing')
  await waitFor('Export failed')
  const metrics = await app.readMetrics()
  expect(metrics).toContain('callboard_exports_total{outcome="sent"} 1\n')
  expect(metrics).toContain('callboard_exports_total{outcome="slack-refused"} 1\n')
  const read = incoming().length + app.sandbox.accounts.lively.calls('outgoing').length
  expect(metrics).toContain(`callboard_export_records_total ${read}\n`)
})

/** The next time that the clocks of Berlin go forward or back. */
function nextChange() {
  const inAYear = new Date(Date.now() + 366 * dayMs)
  const { at, before, after } = findClockChanges(parseZone('Europe/Berlin')!, new Date(), inAYear)[0]!
  return { at: new Date(at), before: toUtcOffset(before), after: toUtcOffset(after) }
}

const dayAfter = (instant: Date, days: number) =>
  new Date(instant.getTime() + days * dayMs).toISOString().slice(0, 10)
