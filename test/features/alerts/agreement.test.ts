import { describe, expect, it } from 'vitest'
import type { Actor, Channel, Message } from '../../../dev/slack/slack.ts'
import { isWaiting, type MissedCallRecord } from '../../../src/store/missed-calls.ts'
import { minuteMs } from '../../../src/util/units.ts'
import { getColumn, getRows } from '../../support/shown.ts'
import { direct, rowsOfFile } from '../export/exports.ts'
import { createSlackbot } from '../slackbot/slackbot.ts'
import { toOption } from './alerts.ts'
import { countCalls, everyDay, seeded, useWatched } from './watched.ts'

const { app, watched } = useWatched({ time: '06:00' })

/** A number that a text names; 0 without one. */
const numberIn = (text: string, pattern: RegExp): number =>
  Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? 0)

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

class RandomDay {
  readonly #random: (max: number) => number
  readonly #lines = watched.lines
  #channels: readonly Channel[] = []
  made = 0

  constructor(seed: number) {
    const random = seeded(seed)
    this.#random = (max: number) => Math.floor(random() * max)
  }

  get channels() {
    return this.#channels
  }

  /** Two alerts of one channel, and one of another, which share lines. */
  async begin(): Promise<void> {
    const [first = '', second = ''] = this.#lines
    const hours = { from: '05:00', to: '06:30', weekdays: everyDay }
    const one = await watched.add()
    const other = await watched.add({ lines: [toOption(second)] })
    const view = await watched.alerts.add({ channel: one.id, lines: [toOption(first)], ...hours })
    await app.member.sees(view, 'Saved.')
    this.#channels = [one, other]
  }

  async step(): Promise<void> {
    const steps = [
      () => this.#miss(1 + this.#random(4)),
      () => this.#miss(20 + this.#random(60)),
      () => watched.pass(minuteMs * (1 + this.#random(14))),
      () => this.#click('alert.take'),
      () => this.#click('alert.take-line.0'),
      () => this.#click('alert.take-line.1'),
      () => this.#click('alert.done'),
      () => this.#click('alert.menu', 'Release'),
      () => this.#click('alert.menu', 'Reopen'),
      () => {
        this.#add(1)
        return watched.kill(this.#random(6))
      },
    ]
    await steps[this.#random(steps.length)]?.()
  }

  #miss(count: number): Promise<void> {
    this.#add(count)
    return watched.pass(minuteMs)
  }

  #add(count: number): void {
    for (let n = 0; n < count; n += 1)
      watched.miss(1, { line: this.#lines[this.#random(this.#lines.length)] ?? '' })
    this.made += count
  }

  /** Clicks a button of any message, if it has it. */
  async #click(action: string, choice?: string): Promise<void> {
    const posts = this.#channels.flatMap((channel) => watched.posts(channel))
    const post = posts[this.#random(posts.length)]
    const text = JSON.stringify(post?.blocks ?? [])
    if (!post || !text.includes(`"${action}"`) || (choice && !text.includes(`"${choice}"`))) return
    const by: Actor = this.#random(2) === 0 ? app.member : app.admin
    const count = () => app.logs.filter((line) => line.includes('"interaction":"alert.')).length
    const before = count()
    await by.press(post, action, choice)
    await expect.poll(count).toBe(before + 1)
  }
}

function countRows(rows: readonly MissedCallRecord[]) {
  /** Taken and done calls, by person. */
  const taken: Record<string, number> = {}
  /** Calls that are taken and not done, by person. */
  const open: Record<string, number> = {}
  for (const call of rows) {
    const by = call.taken ?? call.done
    if (by) taken[by.name] = (taken[by.name] ?? 0) + 1
    if (call.taken && !call.done) open[call.taken.name] = (open[call.taken.name] ?? 0) + 1
  }
  const waiting = rows.filter(isWaiting).length
  return { missed: rows.length, waiting, done: rows.filter(({ done }) => done).length, taken, open }
}

/** Reads all pages of the list of open calls. */
async function readOpen(by: Actor): Promise<{ waiting: number; open: Record<string, number> }> {
  let list = await by.command('/calls open')
  const waiting = list.text.startsWith('A missed call has')
    ? 1
    : numberIn(list.text, /^([\d,]+) missed calls are waiting/)
  const open: Record<string, number> = {}
  let listed = 0
  for (;;) {
    for (const line of list.text.split('\n').slice(1)) {
      const [, name, count = ''] = /^(\w+) · (\d+) calls? on .+ · since /.exec(line) ?? []
      if (name) open[name] = (open[name] ?? 0) + Number(count)
      if (line.includes(' · waiting ')) listed += numberIn(line, /^(\d+) missed calls/) || 1
    }
    if (!JSON.stringify(list.blocks).includes('calls.open.page.next')) break
    list = await by.click(list, 'calls.open.page.next')
  }
  expect(listed).toBe(waiting)
  return { waiting, open }
}

async function readResults(): Promise<readonly string[]> {
  let list = await app.member.command('/calls missed today')
  const results = getColumn(list, 'Result')
  while (JSON.stringify(list.blocks).includes('calls.page.next')) {
    list = await app.member.click(list, 'calls.page.next')
    results.push(...getColumn(list, 'Result'))
  }
  return results
}

async function readFile(total: number) {
  const { member, slack } = app
  await member.command('/calls export missed today')
  await direct(slack, member, `Here are ${total} missed calls`)
  return rowsOfFile(slack, member)
}

/** Returns the count of a message, and of its rows of lines. */
function countInMessage(message: Message): number {
  const count = countCalls(message)
  const rows = message.text.split('\n').map((line) => numberIn(line, /^\*[^*]+\* · ([\d,]+) · \d\d:\d\d/))
  const inRows = sumOf(rows)
  if (inRows > 0) expect(inRows).toBe(count)
  return count
}

describe('messages, lists, Home, reports, files and Slackbot agree', () => {
  it.each([1, 2, 3])('about a day of random calls, clicks and kills (%i)', async (seed) => {
    const { member, admin } = app
    const day = new RandomDay(seed)
    await day.begin()
    for (let step = 0; step < 30; step += 1) await day.step()
    await watched.watch(2)
    const rows = await watched.alerts.store((store, tenant) => store.missedCalls.all(tenant))
    const counts = countRows(rows)
    expect(counts.missed).toBe(day.made)

    for (const channel of day.channels) {
      const shown = rows.filter(({ shownIn }) => shownIn.some((place) => place.channel === channel.id))
      const messages = [...watched.messages(channel).values()]
      expect(sumOf(messages.map(countInMessage))).toBe(shown.length)
    }

    for (const by of [member, admin]) {
      const { waiting, open } = await readOpen(by)
      expect([waiting, open]).toEqual([counts.waiting, counts.open])
      const home = JSON.stringify((await by.openHome()).blocks)
      expect(numberIn(home, /You have (\d+) calls? to finish/)).toBe(counts.open[by.user.name] ?? 0)
      if (counts.waiting > 1)
        expect(numberIn(home, /([\d,]+) (?:missed calls )?are waiting, the oldest/)).toBe(counts.waiting)
    }

    const takenCount = sumOf(Object.values(counts.taken))
    const figures = `${counts.missed} missed · ${takenCount} taken · ${counts.done} done · ${counts.waiting} waiting`
    const report = await member.command('/calls report today by:person')
    expect(report).toShow(figures)
    const people = Object.fromEntries(getRows(report).map(([name = '', taken]) => [name, Number(taken)]))
    expect(sumOf(getRows(report).map((row) => Number(row[4])))).toBe(counts.done)
    for (const [name, taken] of Object.entries(counts.taken)) expect(people[name]).toBe(taken)

    const results = await readResults()
    expect(results).toHaveLength(counts.missed)
    expect(results.filter((result) => result === 'Waiting')).toHaveLength(counts.waiting)
    expect(results.filter((result) => result.startsWith('Done by '))).toHaveLength(counts.done)

    const file = await readFile(counts.missed)
    expect(file.filter((row) => row['Taken by'] === '')).toHaveLength(counts.waiting)
    expect(file.filter((row) => row['Done at'] !== '')).toHaveLength(counts.done)

    const slackbot = await createSlackbot(app)
    const answer = await slackbot.call('list_calls', { open: true }, member.user)
    const waitingText =
      counts.waiting === 1 ? 'A missed call has' : `${counts.waiting} missed calls are waiting`
    if (counts.waiting > 0) expect(answer.text).toContain(waitingText)
    const reported = await slackbot.call('report_calls', { by: 'person', range: 'today' }, member.user)
    expect(reported.text).toContain(figures)
  })
})
