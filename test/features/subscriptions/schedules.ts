import { expect } from 'vitest'
import type { Actor, Channel, Message, View } from '../../../dev/slack/slack.ts'
import type { TestApp } from '../../support/app.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Weekly, next in three days: due in the same order at any time of day on any weekday. */
export const weekly = { rhythm: `weekly ${new Date(Date.now() + 3 * dayMs).getUTCDay() || 7}` }

/** The differences between the kinds of schedules that users see. */
export const kinds = {
  billing: {
    command: '/billing',
    actions: 'billing.schedule',
    area: 'billing',
    posts: 'billing posts',
    post: 'billing post',
    /** Text in every post. */
    shows: 'Business Plus',
    /** Operation of the service that the post needs. */
    operation: 'billing',
    /** Button that makes up for a post, and the title that it opens. */
    makeUp: ['command.post', 'Post billing'],
    posted: 'post billing',
  },
  report: {
    command: '/calls',
    actions: 'calls.schedule',
    area: 'calls',
    posts: 'call reports',
    post: 'call report',
    shows: 'Call report: ',
    operation: 'incoming',
    makeUp: ['command.report', 'Call report: '],
    posted: 'post report',
  },
} as const
export type Kind = (typeof kinds)[keyof typeof kinds]
export const eachKind = Object.entries(kinds)

/** The admin's schedules of an app, of one kind, and what comes of them. */
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
    const { admin, slack } = this.#app
    // Without the app in the channel, no message announces the time zone.
    const finance = slack.addChannel({ name: 'finance', isMember: false })
    await slack.as(admin.user, { channel: finance }).command('/calls timezone UTC')
    finance.isMember = true
    const modal = await admin.open(`${this.kind.command} schedule`)
    const all = { where: 'channel', channel: finance.id, ...values }
    expect(await this.save(modal, all)).toShow('Saved')
    return finance
  }

  list(by: Actor = this.#app.admin): Promise<Message> {
    return by.command(`${this.kind.command} schedules`)
  }

  /** Chooses an entry of the menu of the one schedule. */
  click(list: Message, entry: string, by: Actor = this.#app.admin): Promise<Message> {
    return by.click(list, `${this.kind.actions}.menu`, entry)
  }

  edit(list: Message, by: Actor = this.#app.admin): Promise<View> {
    return by.open(list, `${this.kind.actions}.menu`, 'Edit…')
  }

  /** Returns what the modal shows after it was confirmed. */
  async delete(list: Message, by: Actor = this.#app.admin) {
    return by.submit(await by.open(list, `${this.kind.actions}.menu`, 'Delete…'))
  }

  audit(): Promise<Message> {
    return this.#app.admin.command('/billing audit')
  }

  /** When the one schedule is due next, after now. */
  async due(): Promise<number> {
    const found = /Next: (\d+ \w+)( \d{4})?, (\d\d:\d\d)/.exec(JSON.stringify(await this.list()))
    const now = Date.now() + this.#app.clock.ahead
    const [, day = '', year, time = ''] = found ?? []
    const inYear = (one: string | number) => Date.parse(`${day} ${one} ${time} GMT+0000`)
    const thisYear = new Date(now).getUTCFullYear()
    // Without a year, the next year may have begun in the channel's time zone.
    const due = inYear(year ?? (inYear(thisYear) < now ? thisYear + 1 : thisYear))
    expect(due).toBeGreaterThan(Date.now())
    return due
  }

  /** Sets the clock to a future instant, and waits until due work is done. */
  async at(instant: number): Promise<void> {
    if (this.kind === kinds.report) this.#addCall(instant - dayMs)
    this.#app.clock.ahead = Math.max(0, instant - Date.now())
    await this.#app.jobsDone()
  }

  /** A report without a call isn't posted, and the sandbox has no calls in the years to come. */
  #addCall(at: number): void {
    const { lively } = this.#app.sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: `before ${at}`, at: new Date(at) })
  }

  /** Has what is due next done. */
  async pass(): Promise<void> {
    await this.at((await this.due()) + 1000)
  }

  /** Has the store refuse to plan another time for schedules. @returns what ends that */
  refusePlans(): () => void {
    const isPlan = "NEW.value ->> '$.due' <> OLD.value ->> '$.due'"
    return this.#app.stored.refuse('%schedules', ['UPDATE'], isPlan)
  }

  /** Returns the messages that everyone in the channel sees, without those about its time zone. */
  posts(channel: Channel): Message[] {
    const isPost = ({ onlyFor, text }: Message) => onlyFor === undefined && !text.includes(' set <#')
    return this.#app.slack.messages({ channel }).filter(isPost)
  }

  /** Returns direct messages that aren't replies. */
  notices({ user }: Actor = this.#app.admin): string[] {
    const calls = this.#app.slack
      .callsTo('chat.postMessage')
      .filter(({ args }) => args['channel'] === user.id)
    return calls.map(({ args }) => String(args['text']))
  }
}
