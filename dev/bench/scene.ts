import { createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../src/store/open.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { createSandbox } from '../service/app.ts'
import { type Measured, start } from './processes.ts'
import { botToken, enterprise, type SlackStandIn, startSlack, teamId } from './slack.ts'

/** Everything around the two apps: a stand-in for Slack, the service with and without latency, a store of connected workspaces. */
export interface Scene {
  readonly slack: SlackStandIn
  startApp(service: Measured, options?: { fetchAhead: 'on' | 'off' }): Promise<Measured>
  startBare(service: Measured, options?: { installationStore: boolean }): Promise<Measured>
  startService(delayMs: number): Promise<Measured>
  close(): Promise<void>
}

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export async function setScene({ workspaces }: { workspaces: number }): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  const storeUrl = `sqlite:${join(folder, 'store.sqlite')}`
  const key = Buffer.alloc(32, 5)
  const slack = await startSlack()
  const { lively } = createSandbox({ calls: 0 }).accounts
  const credentials = { key: lively.key, secret: lively.secret, connectedBy: 'U1', connectedAt: 1 }
  const log = { warn: console.error, error: console.error }
  const store = openStore({ url: storeUrl, encryptionKeys: [{ id: 'k1', key: createSecretKey(key) }], log })
  for (let n = 0; n < workspaces; n += 1) {
    await store.credentials.set(credentials, tenantKey({ enterpriseId: enterprise, teamId: teamId(n) }))
  }
  await store.close()

  const env = (service: Measured) => ({
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: slack.apiUrl,
    TELEPHONY_BASE_URL: `${service.url}/api/v1`,
  })
  return {
    slack,
    startService: (delayMs) => start(program('service.ts'), { SERVICE_DELAY_MS: String(delayMs) }),
    startApp: (service, options) =>
      start(program('../../src/main.ts'), {
        ...env(service),
        STORE_URL: storeUrl,
        FETCH_AHEAD: options?.fetchAhead ?? 'on',
        ENCRYPTION_KEYS: `k1:${key.toString('base64')}`,
      }),
    startBare: (service, options) =>
      start(program('bare.ts'), {
        ...env(service),
        SERVICE_KEY: lively.key,
        SERVICE_SECRET: lively.secret,
        INSTALLATION_STORE: options?.installationStore ? 'on' : 'off',
      }),
    async close() {
      await slack.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
