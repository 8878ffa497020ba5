import { expect } from 'vitest'
import type { Actor, Channel, Message } from '../../../dev/slack/slack.ts'
import type { TestApp } from '../../support/app.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** The admin's schedules of an app, and what comes of them. */
export class Schedules {
  readonly #app: TestApp

  constructor(app: TestApp) {
    this.#app = app
  }

  /** Schedules posts to #finance, whose zone is UTC. */
  async add(values: { day?: string; time?: string } = { day: 'weekly 1' }): Promise<Channel> {
    const { admin, slack } = this.#app
    // Nobody tells the channel of its time zone while the app isn't there.
    const finance = slack.addChannel({ name: 'finance', isMember: false })
    await slack.as(admin.user, { channel: finance }).command('/calls timezone UTC')
    finance.isMember = true
    const modal = await admin.open('/billing schedule')
    expect(await admin.submit(modal, { channel: finance.id, ...values })).toShow('Saved')
    return finance
  }

  list(by: Actor = this.#app.admin): Promise<Message> {
    return by.command('/billing schedules')
  }

  click(list: Message, action: string, by: Actor = this.#app.admin): Promise<Message> {
    return by.click(list, `billing.schedule.${action}`)
  }

  /** By the menu of the one schedule. */
  delete(list: Message, by: Actor = this.#app.admin): Promise<Message> {
    return by.click(list, 'billing.schedule.delete', 'Delete schedule…')
  }

  audit(): Promise<Message> {
    return this.#app.admin.command('/billing audit')
  }

  /** When the one schedule is due next, after now. */
  async due(): Promise<number> {
    const found = /Next: (\d+ \w+)( \d{4})?, (\d\d:\d\d)/.exec(JSON.stringify(await this.list()))
    const [, day = '', year = new Date(Date.now() + this.#app.clock.ahead).getUTCFullYear(), time = ''] =
      found ?? []
    const due = Date.parse(`${day} ${year} ${time} GMT+0000`)
    expect(due).toBeGreaterThan(Date.now())
    return due
  }

  /** Sets the clock to an instant that is not over, and waits until what is due by then is done. */
  async at(instant: number): Promise<void> {
    this.#app.clock.ahead = Math.max(0, instant - Date.now())
    await this.#app.jobsDone()
  }

  /** Has what is due next done. */
  async pass(): Promise<void> {
    await this.at((await this.due()) + 1000)
  }

  /** What everyone there sees, but for who set its time zone. */
  posts(channel: Channel): Message[] {
    const isPost = ({ onlyFor, text }: Message) => onlyFor === undefined && !text.includes(' set <#')
    return this.#app.slack.messages({ channel }).filter(isPost)
  }

  /** What the app wrote to somebody who did not ask. */
  notices({ user }: Actor = this.#app.admin): string[] {
    const calls = this.#app.slack
      .callsTo('chat.postMessage')
      .filter(({ args }) => args['channel'] === user.id)
    return calls.map(({ args }) => String(args['text']))
  }
}
