import { createSecretKey } from 'node:crypto'
import type { Actor, Message, View } from '../../../dev/slack/slack.ts'
import type { AlertRecord } from '../../../src/store/alerts.ts'
import { type MissedCallRecord, toMissedCallId } from '../../../src/store/missed-calls.ts'
import { Store } from '../../../src/store/store.ts'
import { type TenantKey, tenantKey } from '../../../src/store/tenant.ts'
import type { TestApp } from '../../support/app.ts'

type Values = Parameters<Actor['submit']>[1]

/** An option as an external menu returns it. */
export const toOption = (value: string) => ({ text: { type: 'plain_text', text: value }, value })

/** Sets up an app's alerts like a person. */
export class Alerts {
  readonly #app: TestApp
  #missed = 0

  constructor(app: TestApp) {
    this.#app = app
  }

  /** Saves an alert for #general, unless the values say otherwise. */
  async add(values: Values = {}, by: Actor = this.#app.member) {
    return by.submit(await by.open('/calls alert'), values)
  }

  list(by: Actor = this.#app.member): Promise<Message> {
    return by.command('/calls alerts')
  }

  /** Chooses an option in the menu of the first alert. */
  click(list: Message, entry: string, by: Actor = this.#app.member): Promise<Message> {
    return by.click(list, 'calls.alert.menu', entry)
  }

  edit(list: Message, by: Actor = this.#app.member): Promise<View> {
    return by.open(list, 'calls.alert.menu', 'Edit…')
  }

  /** Changes the first alert. */
  async change(values: Values = {}, by: Actor = this.#app.member): Promise<View> {
    return by.submit(await this.edit(await this.list(by), by), values)
  }

  /** Returns the text of the confirmed modal. */
  async delete(list: Message, by: Actor = this.#app.member): Promise<View> {
    return by.submit(await by.open(list, 'calls.alert.menu', 'Delete…'))
  }

  audit(): Promise<Message> {
    return this.#app.admin.command('/billing audit')
  }

  /** Returns the stored records. */
  kept(): Promise<readonly AlertRecord[]> {
    return this.store((store, tenant) => store.alerts.all(tenant))
  }

  /** Runs `work` with the app's store. */
  async store<T>(work: (store: Store, tenant: TenantKey) => Promise<T>): Promise<T> {
    const { config, slack } = this.#app
    const key = { id: 'k9', key: createSecretKey(Buffer.alloc(32, 9)) }
    const store = new Store({ url: config.storeUrl, encryptionKeys: [key], log: { warn: () => {} } })
    try {
      return await work(store, tenantKey({ teamId: slack.workspace.teamId }))
    } finally {
      await store.close()
    }
  }

  /** Stores a missed call that an alert posted at that time. */
  async missed(at: number, more: Partial<MissedCallRecord> = {}): Promise<void> {
    this.#missed += 1
    const call = { id: `missed-${this.#missed}`, at, line: '+493055501000' }
    const shownIn = [{ message: 'A1', channel: this.#app.slack.general.id, at }]
    await this.store((store, tenant) =>
      store.missedCalls.set(tenant, toMissedCallId(call), { ...call, shownIn, ...more }),
    )
  }
}
