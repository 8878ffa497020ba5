import { createSecretKey } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { startPostgres } from '../postgres.ts'
import { createSandbox } from '../service/app.ts'
import { type MeasuredProcess, startProcess } from './measured-process.ts'
import { SlackStub } from './slack-stub.ts'
import { botToken, enterprise, teamId } from './workspaces.ts'

const KEY = Buffer.alloc(32, 5)
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface AppOptions {
  readonly fetchAhead?: boolean
  readonly store?: 'sqlite' | 'postgres'
}

export interface BareOptions {
  /** Whether it looks up the token of each workspace. */
  readonly installationStore?: boolean
}

/** Everything around the two apps: a stub of Slack, the service with and without latency, stores of connected workspaces. */
export class Environment {
  readonly slack = new SlackStub()
  readonly #folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  readonly #account = createSandbox({ calls: 0 }).accounts.lively
  readonly #storeUrls = { sqlite: `sqlite:${join(this.#folder, 'store.sqlite')}`, postgres: '' }
  /** Each app has a copy of the SQLite file: it is for one process. */
  #copies = 0
  #postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  /** By how many bytes the app's message is longer than the bare app's own. */
  #missingBytes = 0

  /** @param workspaces how many are connected: in PostgreSQL as many as the loads use */
  async start(workspaces: number): Promise<this> {
    await this.slack.start()
    this.#postgres = await startPostgres()
    this.#storeUrls.postgres = this.#postgres.url
    await this.#connect(this.#storeUrls.sqlite, workspaces)
    await this.#connect(this.#storeUrls.postgres, Math.min(workspaces, 100))
    return this
  }

  /** Every workspace's. */
  get serviceKey(): string {
    return this.#account.key
  }

  async #connect(url: string, workspaces: number): Promise<void> {
    const { key, secret } = this.#account
    const encryptionKeys = [{ id: 'k1', key: createSecretKey(KEY) }] as const
    const log = { warn: console.error, error: console.error }
    const store = new Store({ url, encryptionKeys, log })
    for (let n = 0; n < workspaces; n += 1) {
      const tenant = tenantKey({ enterpriseId: enterprise, teamId: teamId(n) })
      await store.credentials.set({ key, secret, connectedBy: 'U1', connectedAt: 1 }, tenant)
    }
    await store.close()
  }

  /** From then on the bare app's message has as many bytes as the app's, so that both carry the same. */
  async alignMessages(service: MeasuredProcess): Promise<{ readonly bytes: number; readonly added: number }> {
    const lengthOf = async (one: MeasuredProcess) => {
      const { text } = await this.slack.send(one.url, { kind: 'click', team: 0, page: 2 })
      await one.stop()
      return Buffer.byteLength(text)
    }
    const bytes = await lengthOf(await this.startApp(service))
    this.#missingBytes = Math.max(0, bytes - (await lengthOf(await this.startBare(service))))
    return { bytes, added: this.#missingBytes }
  }

  /** @param delayMs how long each of its responses takes @param calls about how many it has */
  startService(delayMs: number, calls = 9000): Promise<MeasuredProcess> {
    return startProcess(program('cached-sandbox.ts'), {
      SERVICE_DELAY_MS: String(delayMs),
      SERVICE_CALLS: String(calls),
    })
  }

  startBare(service: MeasuredProcess, { installationStore = false }: BareOptions = {}) {
    return startProcess(program('bare-app.ts'), {
      ...this.#env(service),
      SERVICE_KEY: this.#account.key,
      SERVICE_SECRET: this.#account.secret,
      INSTALLATION_STORE: installationStore ? 'on' : 'off',
      FILLER_BYTES: String(this.#missingBytes),
    })
  }

  /** @param options.checkout the folder of another one, with its dependencies */
  startApp(service: MeasuredProcess, { checkout, ...options }: AppOptions & { checkout?: string } = {}) {
    const main = checkout === undefined ? program('../../src/main.ts') : join(checkout, 'src/main.ts')
    return this.#startApp(main, service, options)
  }

  /** The app, which can be told to scan the first workspace's calls. */
  startScanningApp(service: MeasuredProcess, options: AppOptions = {}) {
    return this.#startApp(program('scanning-app.ts'), service, options)
  }

  /** The watcher of the first workspaces, of which each is an account of its own, and their requests alone. */
  startLookingApp(service: MeasuredProcess, { teams, ...options }: AppOptions & { teams: number }) {
    return this.#startApp(program('looking-app.ts'), service, options, { LOOKED_AT: String(teams) })
  }

  #startApp(
    main: string,
    service: MeasuredProcess,
    { fetchAhead = false, store = 'sqlite' }: AppOptions,
    more: Readonly<Record<string, string>> = {},
  ): Promise<MeasuredProcess> {
    return startProcess(main, {
      ...this.#env(service),
      STORE_URL: store === 'sqlite' ? this.#copyOfSqlite() : this.#storeUrls.postgres,
      FETCH_AHEAD: fetchAhead ? 'on' : 'off',
      ENCRYPTION_KEYS: `k1:${KEY.toString('base64')}`,
      ...more,
    })
  }

  #copyOfSqlite(): string {
    const copy = `${this.#storeUrls.sqlite}.${++this.#copies}`
    copyFileSync(this.#storeUrls.sqlite.slice('sqlite:'.length), copy.slice('sqlite:'.length))
    return copy
  }

  async close(): Promise<void> {
    await this.slack.close()
    await this.#postgres?.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #env(service: MeasuredProcess) {
    return {
      SLACK_SIGNING_SECRET: this.slack.signingSecret,
      SLACK_BOT_TOKEN: botToken,
      SLACK_API_URL: this.slack.apiUrl,
      TELEPHONY_BASE_URL: `${service.url}/api/v1`,
    }
  }
}
