import type { Actor, Channel, Message } from '../../../dev/slack/slack.ts'
import type { TestApp } from '../../support/app.ts'
import { Alerts } from './alerts.ts'

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

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
    const tomorrow = new Date(this.now + day * 1000).toISOString().slice(0, 10)
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

  /** Moves the clock, and waits until due jobs are done. */
  async pass(seconds: number): Promise<void> {
    this.#app.clock.ahead += seconds * 1000
    await this.#app.jobsDone()
  }

  /** Moves the clock by minutes, with a poll in each. */
  async watch(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 1) await this.pass(minute)
  }

  /** Returns the messages that everyone in the channel sees. */
  posts(channel: Channel): Message[] {
    return this.#app.slack.messages({ channel }).filter(({ onlyFor }) => onlyFor === undefined)
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
