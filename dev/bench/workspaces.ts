import { createSecretKey } from 'node:crypto'
import { Store as OwnStore } from '../../src/store/store.ts'
import { type TenantKey, tenantKey } from '../../src/store/tenant.ts'
import { several } from '../../src/util/promises.ts'

export const botToken = 'xoxb-bench'
export const enterprise = 'E0BENCH'
export const teamId = (n: number): string => `T${String(n).padStart(8, '0')}`
export const tenantOf = (n: number) => ({ enterpriseId: enterprise, teamId: teamId(n) })

/** Whoever connected a workspace may see everything of it. */
export const connectorOf = (n: number): string => `U${teamId(n).slice(1)}`
export const channelOf = (n: number): string => `C${teamId(n).slice(1)}`
/** Of a person's, a channel's or a conversation's id. */
export const teamOf = (id: string): number => Number(id.slice(1))

/** What stands in every record of a workspace, so that a message tells whose it shows. */
export const mark = (n: number): string => `W${String(n).padStart(6, '0')}W`

/** The marks in a message. */
export const marksIn = (text: string): readonly string[] => [...new Set(text.match(/W\d{6}W/g) ?? [])]

/** Of each account of the load, in each direction: all, and those on the days of a range, whichever they are. */
export const ALL_CALLS = 4000
export const CALLS_IN_RANGE = 60

const encryptionKey = Buffer.alloc(32, 5)

/**
 * Fills a store with connected workspaces.
 * @param accountOf their keys to the service
 * @param options.Store another checkout's
 * @param options.fill more of each
 */
export async function connectWorkspaces(
  url: string,
  count: number,
  accountOf: (n: number) => { readonly key: string; readonly secret: string },
  {
    Store = OwnStore,
    fill = async () => {},
  }: {
    readonly Store?: typeof OwnStore
    readonly fill?: ((store: OwnStore, n: number, tenant: TenantKey) => Promise<void>) | undefined
  } = {},
): Promise<void> {
  const log = { warn: console.error, error: console.error }
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(encryptionKey) }] as const
  const store = new Store({ url, encryptionKeys, log })
  await several([...Array(count).keys()], 8, async (n) => {
    const tenant = tenantKey(tenantOf(n))
    await store.credentials.set({ ...accountOf(n), connectedBy: connectorOf(n), connectedAt: 1 }, tenant)
    await fill(store, n, tenant)
  })
  await store.close()
}

/** The environment of an app. @param storeUrl of a store that was filled so */
export const appEnv = (
  slack: { readonly signingSecret: string; readonly apiUrl: string },
  serviceUrl: string,
  storeUrl: string,
) => ({
  SLACK_SIGNING_SECRET: slack.signingSecret,
  SLACK_BOT_TOKEN: botToken,
  SLACK_API_URL: slack.apiUrl,
  TELEPHONY_BASE_URL: `${serviceUrl}/api/v1`,
  STORE_URL: storeUrl,
  ENCRYPTION_KEYS: `k1:${encryptionKey.toString('base64')}`,
  LOG_LEVEL: 'warn',
})
