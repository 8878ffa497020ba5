import type { Actor, Channel, Message } from '../../../dev/slack/slack.ts'
import { dayMs, type Milliseconds, minuteMs } from '../../../src/util/units.ts'
import type { TestApp } from '../../support/app.ts'
import { Alerts } from './alerts.ts'

const isPost = /^(Missed call at|[\d,]+ missed calls since) /

const utc = { text: { type: 'plain_text', text: 'UTC' }, value: 'UTC' }

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
    const view = await this.alerts.add({ channel: channel.id, ...values }, by)
    await by.sees(view, 'Saved.')
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

  /** Returns the channel's messages about missed calls. */
  posts(channel: Channel): Message[] {
    return this.#everyoneSees(channel).filter(({ text }) => isPost.test(text))
  }

  /** Returns how many calls each of the channel's messages counts. */
  counts(channel: Channel): number[] {
    return this.posts(channel).map(({ text }) =>
      Number(/^([\d,]+) missed calls/.exec(text)?.[1]?.replaceAll(',', '') ?? 1),
    )
  }

  /** Returns how many calls the channel's messages count. */
  total(channel: Channel): number {
    return this.counts(channel).reduce((sum, count) => sum + count, 0)
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
    const [post] = this.posts(channel)
    if (!post) throw new Error('nothing was posted')
    return { channel, post }
  }

  /** Returns direct messages that aren't replies. */
  notices({ user }: Actor = this.#app.member): string[] {
    const calls = this.#app.slack
      .callsTo('chat.postMessage')
      .filter(({ args }) => args['channel'] === user.id)
    return calls.map(({ args }) => String(args['text']))
  }

  /** Number of requests for calls. */
  get looks(): number {
    return this.#app.sandbox.requests.count('incoming')
  }
}
