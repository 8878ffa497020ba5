import { expect } from 'vitest'
import type { Actor, Channel, Message, View } from '../../../dev/slack/slack.ts'
import { dayMs } from '../../../src/util/units.ts'
import type { TestApp } from '../../support/app.ts'
import { sentTexts } from '../alerts/watched.ts'

/** Weekly, due in three days, so that the order is the same at any time of any weekday. */
export const weekly = { rhythm: `weekly ${new Date(Date.now() + 3 * dayMs).getUTCDay() || 7}` }

/** The differences between the kinds of schedules that users see. */
export const kinds = {
  billing: {
    command: '/billing',
    actions: 'billing.schedule',
    area: 'billing',
    namespace: 'schedules',
    posts: 'billing posts',
    /** Text of every post. */
    shows: 'Business Plus',
    /** Operation of the service that a post requests. */
    operation: 'billing',
    /** Button below the notice about a missed post. */
    showButton: 'command.show',
    posted: 'posted the bill',
  },
  report: {
    command: '/calls',
    actions: 'calls.schedule',
    area: 'calls',
    namespace: 'report-schedules',
    posts: 'call reports',
    shows: ' · As of ',
    operation: 'incoming',
    showButton: 'command.report',
    posted: 'posted the call report',
  },
} as const
export type Kind = (typeof kinds)[keyof typeof kinds]
export const eachKind = Object.entries(kinds)

/** Sets up the admin's schedules of one kind, and reads their posts. */
export class Schedules {
  readonly kind: Kind
  readonly #app: TestApp

  constructor(app: TestApp, kind: Kind = kinds.billing) {
    this.#app = app
    this.kind = kind
  }

  /** Submits the form. */
  save(modal: View, values: Parameters<Actor['submit']>[1] = {}, by: Actor = this.#app.admin) {
    return by.submit(modal, values)
  }

  /** Schedules posts to #finance, whose zone is UTC. */
  async add(values: Parameters<Actor['submit']>[1] = weekly): Promise<Channel> {
    const finance = this.#app.slack.addChannel({ name: 'finance' })
    await this.setZone(finance, 'UTC')
    const modal = await this.#app.admin.open(`${this.kind.command} schedule`)
    expect(await this.save(modal, { where: 'channel', channel: finance.id, ...values })).toShow('Saved')
    return finance
  }

  /** Schedules posts to #finance, and returns when the first one is due. */
  async addDue(values?: Parameters<Actor['submit']>[1]): Promise<{ finance: Channel; due: number }> {
    const finance = await this.add(values)
    return { finance, due: await this.due() }
  }

  /** Sets the channel's time zone as an admin. */
  setZone(channel: Channel, zone: string): Promise<Message> {
    return this.#app.slack.as(this.#app.admin.user, { channel }).command(`/calls timezone ${zone}`)
  }

  /** Waits for the latest direct message. */
  notice(): Promise<Message> {
    const { slack } = this.#app
    return slack.waitFor(() => slack.messages().findLast(({ channel }) => channel.startsWith('D')))
  }

  list(by: Actor = this.#app.admin): Promise<Message> {
    return by.command(`${this.kind.command} schedules`)
  }

  /** Chooses an option in the menu of the schedule. */
  click(list: Message, entry: string, by: Actor = this.#app.admin): Promise<Message> {
    return by.click(list, `${this.kind.actions}.menu`, entry)
  }

  edit(list: Message, by: Actor = this.#app.admin): Promise<View> {
    return by.open(list, `${this.kind.actions}.menu`, 'Edit…')
  }

  async delete(list: Message | View, by: Actor = this.#app.admin): Promise<View> {
    return by.submit(await by.open(list, `${this.kind.actions}.menu`, 'Delete…'))
  }

  audit(): Promise<Message> {
    return this.#app.admin.command('/billing audit')
  }

  /** Returns the first schedule's next due time. */
  async due(): Promise<number> {
    const [row] = this.#app.stored.all(this.kind.namespace)
    const due: number = JSON.parse(row!.value).due.at
    expect(due).toBeGreaterThan(Date.now())
    return due
  }

  /** Sets the clock to a future instant, and waits until due work is done. */
  async at(instant: number): Promise<void> {
    if (this.kind === kinds.report) this.#addCall(instant - dayMs)
    this.#app.clock.ahead = Math.max(0, instant - Date.now())
    await this.#app.jobsDone()
  }

  /** Reports without calls aren't posted, and the sandbox has no calls in future years. */
  #addCall(at: number): void {
    const { lively } = this.#app.sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: `before ${at}`, at: new Date(at) })
  }

  /** Moves the clock to the next due time, and waits until due work is done. */
  async pass(): Promise<void> {
    await this.at((await this.due()) + 1000)
  }

  /** Makes the store reject changes of due times. @returns a function that ends this */
  refusePlans(): () => void {
    const isPlan = "NEW.value ->> '$.due' <> OLD.value ->> '$.due'"
    return this.#app.stored.refuse('%schedules', ['UPDATE'], isPlan)
  }

  /** Returns the messages that everyone in the channel sees. */
  posts(channel: Channel): Message[] {
    return this.#app.slack.messages({ channel }).filter(({ onlyFor }) => onlyFor === undefined)
  }

  /** Returns direct messages that aren't replies. */
  notices({ user }: Actor = this.#app.admin): string[] {
    return sentTexts(this.#app, user)
  }
}
