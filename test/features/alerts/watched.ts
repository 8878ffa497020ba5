import { beforeEach, expect } from 'vitest'
import type { Actor, Channel, Message } from '../../../dev/slack/slack.ts'
import { dayMs, type Milliseconds, minuteMs } from '../../../src/util/units.ts'
import { type AppOptions, type TestApp, useApp } from '../../support/app.ts'
import { Alerts } from './alerts.ts'

const isPost = /^(Missed call at|[\d,]+ missed calls since) /

const utc = { text: { type: 'plain_text', text: 'UTC' }, value: 'UTC' }

export const everyDay = ['1', '2', '3', '4', '5', '6', '7']

/** Returns a generator of numbers from 0 to 1. The same seed gives the same numbers, so that failures can be reproduced. */
export function seeded(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A failure of Slack's. */
export const refused = (error: string) => ({ body: { ok: false, error } })

/** Provides an app for each test, connected to an account without calls. @param time in UTC; midnight would change the days of a poll */
export function useWatched({ time, ...options }: AppOptions & { readonly time?: string } = {}) {
  const app = useApp(options)
  const watched = new Watched(app)
  beforeEach(async () => {
    if (time !== undefined) watched.setTime(time)
    await watched.connect()
  })
  return { app, watched }
}

/** An app whose account has no calls today except those that a test adds. */
export class Watched {
  readonly #app: TestApp
  readonly alerts: Alerts
  #channels = 0

  constructor(app: TestApp) {
    this.#app = app
    this.alerts = new Alerts(app)
  }

  get account() {
    return this.#app.sandbox.accounts.quiet
  }

  get lines(): readonly string[] {
    return this.account.billing.addOn.numbers.map(({ number }) => number)
  }

  get now(): number {
    return Date.now() + this.#app.clock.ahead
  }

  /** Connects the workspace, and sets its time zone to UTC. */
  async connect(): Promise<void> {
    const { admin } = this.#app
    const { key, secret } = this.account
    const modal = await admin.submit(await admin.open('/calls connect'), { key, secret, zone: utc })
    await admin.sees(modal, 'Connected')
  }

  /** Sets the clock to the next time that it is `HH:MM` in UTC, a day from now at the earliest. */
  setTime(time: string): void {
    const tomorrow = new Date(this.now + dayMs).toISOString().slice(0, 10)
    this.#app.clock.ahead = Date.parse(`${tomorrow}T${time}:00Z`) - Date.now()
  }

  /** Sets up an alert for a new channel. */
  async add(values: Parameters<Alerts['add']>[0] = {}, by: Actor = this.#app.member): Promise<Channel> {
    this.#channels += 1
    const channel = this.#app.slack.addChannel({ name: `front-desk-${this.#channels}` })
    await by.sees(await this.alerts.add({ channel: channel.id, ...values }, by), 'Saved.')
    await this.#app.jobsDone()
    return channel
  }

  miss(count: number, more: { readonly line?: string; readonly agentId?: string } = {}) {
    return this.account.missCalls(count, more)
  }

  /** Adds missed calls, and waits for the next poll. */
  async missed(...calls: Parameters<Watched['miss']>) {
    const missed = this.miss(...calls)
    await this.pass(minuteMs)
    return missed
  }

  /** Moves the clock, and waits until due jobs are done. */
  async pass(ms: Milliseconds): Promise<void> {
    this.#app.clock.ahead += ms
    await this.#app.jobsDone()
  }

  /** Moves the clock by minutes, with a poll in each. */
  async watch(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 1) await this.pass(minuteMs)
  }

  /** Does something while a poll waits for Slack's response. */
  async whileSlackHangs(method: string, work: () => Promise<unknown>, fault = {}): Promise<void> {
    const { slack, clock } = this.#app
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext(method, { until, ...fault })
    const before = slack.callsTo(method).length
    clock.ahead += minuteMs
    await expect.poll(() => slack.callsTo(method).length).toBe(before + 1)
    await work()
    resolve()
    await this.#app.jobsDone()
  }

  /** Ends the process in the next poll, after a number of writes, and starts it again. */
  async kill(writes: number, ms: Milliseconds = minuteMs): Promise<void> {
    const app = this.#app
    const logged = app.logs.length
    const allow = app.stored.refuseAfter(writes)
    app.clock.ahead += ms
    // Unless enough writes are allowed, the end of the job can't be stored either.
    const isOver = () => app.logs.slice(logged).some((line) => line.includes('"level":50'))
    await expect.poll(() => isOver() || app.isIdle(), { timeout: 10_000 }).toBe(true)
    await app.restart(allow)
    await this.watch(4)
  }

  /** Returns the channel's messages about missed calls. */
  posts(channel: Channel): Message[] {
    return this.#everyoneSees(channel).filter(({ text }) => isPost.test(text))
  }

  /** Returns the channel's only message about missed calls. */
  post(channel: Channel): Message {
    const [post, ...others] = this.posts(channel)
    if (!post || others.length > 0) throw new Error(`there are ${others.length + (post ? 1 : 0)} messages`)
    return post
  }

  /** Returns how many calls each of the channel's messages counts. */
  counts(channel: Channel): number[] {
    return this.posts(channel).map(countCalls)
  }

  /** Returns how many calls the channel's messages count. */
  total(channel: Channel): number {
    return this.counts(channel).reduce((sum, count) => sum + count, 0)
  }

  /** Returns the latest copy of each of the channel's messages: one that was sent again has the same id. */
  messages(channel: Channel): ReadonlyMap<string, Message> {
    const idOf = ({ blocks }: Message) => /"id\\":\\"([^"\\]+)/.exec(JSON.stringify(blocks))?.[1] ?? ''
    return new Map(this.posts(channel).map((post) => [idOf(post), post]))
  }

  /** Returns the channel's other messages. */
  told(channel: Channel): Message[] {
    return this.#everyoneSees(channel).filter(({ text }) => !isPost.test(text))
  }

  #everyoneSees(channel: Channel): Message[] {
    return this.#app.slack.messages({ channel }).filter(({ onlyFor }) => onlyFor === undefined)
  }

  /** Sets up an alert, and returns its message about some missed calls of one line. */
  async posted(count = 1): Promise<{ channel: Channel; post: Message }> {
    const channel = await this.add()
    const [line = ''] = this.lines
    await this.missed(count, { line })
    return { channel, post: this.post(channel) }
  }

  /** Posts 3 calls on the first line, and 2 on the second. */
  async postBurst([first = '', second = ''] = this.lines): Promise<{ channel: Channel; post: Message }> {
    const channel = await this.add()
    this.miss(3, { line: first })
    await this.missed(2, { line: second })
    return { channel, post: this.post(channel) }
  }

  /** Takes all calls of a message. */
  async take(post: Message, by = this.#app.member): Promise<Message> {
    await by.press(post, 'alert.take')
    return by.sees(post, `Taken by *${by.user.name}*`)
  }

  /** Finishes all calls of a message. */
  async finish(post: Message, by = this.#app.member): Promise<Message> {
    await by.press(post, 'alert.done')
    return by.sees(post, `Done by *${by.user.name}*`)
  }

  /** Returns direct messages that aren't replies. */
  notices({ user }: Actor = this.#app.member): string[] {
    return sentTexts(this.#app, user)
  }

  /** Number of requests for calls. */
  get looks(): number {
    return this.#app.sandbox.requests.count('incoming')
  }
}

/** Returns the texts of all requests to post there, whether or not they succeeded. */
export function sentTexts({ slack }: TestApp, { id }: { readonly id: string }): string[] {
  const calls = slack.callsTo('chat.postMessage').filter(({ args }) => args['channel'] === id)
  return calls.map(({ args }) => String(args['text']))
}

/** Returns how many calls a message counts. */
export const countCalls = ({ text }: Message): number =>
  Number(/^([\d,]+) missed calls/.exec(text)?.[1]?.replaceAll(',', '') ?? 1)
