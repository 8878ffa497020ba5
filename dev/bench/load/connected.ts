import { createSecretKey } from 'node:crypto'
import { Store } from '../../../src/store/store.ts'
import { type TenantKey, tenantKey } from '../../../src/store/tenant.ts'
import { several } from '../../../src/util/several.ts'
import type { SlackStub } from '../slack-stub.ts'
import { botToken, enterprise, teamId } from '../workspaces.ts'

const key = Buffer.alloc(32, 5)

/** Whoever connected a workspace may see everything of it. */
export const connectorOf = (n: number): string => `U${teamId(n).slice(1)}`

/** A store full of connected workspaces, each an account of its own. @param fill more of each */
export async function connectAll(
  storeUrl: string,
  workspaces: number,
  fill: (store: Store, n: number, tenant: TenantKey) => Promise<void> = async () => {},
): Promise<void> {
  const log = { warn: console.error, error: console.error }
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(key) }] as const
  const store = new Store({ url: storeUrl, encryptionKeys, log })
  await several([...Array(workspaces).keys()], 8, async (n) => {
    const tenant = tenantKey({ enterpriseId: enterprise, teamId: teamId(n) })
    const connectedBy = connectorOf(n)
    await store.credentials.set({ key: `key-${n}`, secret: 's', connectedBy, connectedAt: 1 }, tenant)
    await fill(store, n, tenant)
  })
  await store.close()
}

/** The environment of an app over such a store. */
export const appEnv = (
  slack: SlackStub,
  serviceUrl: string,
  storeUrl: string,
): Readonly<Record<string, string>> => ({
  SLACK_SIGNING_SECRET: slack.signingSecret,
  SLACK_BOT_TOKEN: botToken,
  SLACK_API_URL: slack.apiUrl,
  TELEPHONY_BASE_URL: `${serviceUrl}/api/v1`,
  STORE_URL: storeUrl,
  ENCRYPTION_KEYS: `k1:${key.toString('base64')}`,
  LOG_LEVEL: 'warn',
})
