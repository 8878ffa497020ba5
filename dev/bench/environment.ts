import { createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { createSandbox } from '../service/app.ts'
import type { Side } from './figures.ts'
import { type MeasuredProcess, startProcess } from './measured-process.ts'
import { SlackStub } from './slack-stub.ts'
import { botToken, enterprise, teamId } from './workspaces.ts'

const KEY = Buffer.alloc(32, 5)
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Everything around the two apps: a stub of Slack, the service with and without latency, a store of connected workspaces. */
export class Environment {
  readonly slack = new SlackStub()
  readonly #folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  readonly #storeUrl = `sqlite:${join(this.#folder, 'store.sqlite')}`
  readonly #account = createSandbox({ calls: 0 }).accounts.lively

  async start(workspaces: number): Promise<this> {
    await this.slack.start()
    const { key, secret } = this.#account
    const store = new Store({
      url: this.#storeUrl,
      encryptionKeys: [{ id: 'k1', key: createSecretKey(KEY) }],
      log: { warn: console.error },
    })
    for (let n = 0; n < workspaces; n += 1) {
      const tenant = tenantKey({ enterpriseId: enterprise, teamId: teamId(n) })
      await store.credentials.set({ key, secret, connectedBy: 'U1', connectedAt: 1 }, tenant)
    }
    await store.close()
    return this
  }

  startService(delayMs: number): Promise<MeasuredProcess> {
    return startProcess(program('cached-sandbox.ts'), { SERVICE_DELAY_MS: String(delayMs) })
  }

  /** @param options.installationStore whether the bare app looks up the token of each workspace */
  startSide(
    side: Side,
    service: MeasuredProcess,
    { installationStore = false }: { installationStore?: boolean } = {},
  ): Promise<MeasuredProcess> {
    const env = {
      SLACK_SIGNING_SECRET: this.slack.signingSecret,
      SLACK_BOT_TOKEN: botToken,
      SLACK_API_URL: this.slack.apiUrl,
      TELEPHONY_BASE_URL: `${service.url}/api/v1`,
    }
    if (side === 'bare') {
      return startProcess(program('bare-app.ts'), {
        ...env,
        SERVICE_KEY: this.#account.key,
        SERVICE_SECRET: this.#account.secret,
        INSTALLATION_STORE: installationStore ? 'on' : 'off',
      })
    }
    return startProcess(program('../../src/main.ts'), {
      ...env,
      STORE_URL: this.#storeUrl,
      FETCH_AHEAD: 'on',
      ENCRYPTION_KEYS: `k1:${KEY.toString('base64')}`,
    })
  }

  async close(): Promise<void> {
    await this.slack.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
