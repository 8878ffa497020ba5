import { createSecretKey } from 'node:crypto'
import { Store as OwnStore } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { mapConcurrent } from '../../src/util/promises.ts'

export const enterprise = 'E0BENCH'
export const teamId = (n: number): string => `T${String(n).padStart(8, '0')}`

/** Whoever connected a workspace may see everything of it. */
export const connectorOf = (n: number): string => `U${teamId(n).slice(1)}`
/** Of a person's, a channel's or a conversation's id. */
export const teamOf = (id: string): number => Number(id.slice(1))

export const keyOf = (n: number): string => `key-${n}`
/** What stands in every record of a workspace, so that a message tells whose it shows. */
export const mark = (n: number): string => `W${String(n).padStart(6, '0')}W`
export const marksIn = (text: string): readonly string[] => [...new Set(text.match(/W\d{6}W/g) ?? [])]

/** Of each account of the load, in each direction: all, and those on the days of a range, whichever they are. */
export const ALL_CALLS = 4000
export const CALLS_IN_RANGE = 60

const encryptionKey = Buffer.alloc(32, 5)

interface WorkspacesOptions {
  readonly count: number
  /** Every workspace's; of the service in which each has an account of its own unless it is said. */
  readonly account?: { readonly key: string; readonly secret: string }
  readonly watched?: number
  readonly Store?: typeof OwnStore
}

export function openStore(url: string, Store = OwnStore): OwnStore {
  const log = { warn: console.error, error: console.error }
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(encryptionKey) }] as const
  return new Store({ url, encryptionKeys, log })
}

export async function connectWorkspaces(url: string, options: WorkspacesOptions): Promise<void> {
  const { count, account, watched = 0, Store } = options
  const store = openStore(url, Store)
  await mapConcurrent([...Array(count).keys()], 8, async (n) => {
    const tenant = { enterpriseId: enterprise, teamId: teamId(n) }
    const credentials = account ?? { key: keyOf(n), secret: 's' }
    const owner = connectorOf(n)
    await store.credentials.set({ ...credentials, connectedBy: owner, connectedAt: 1 }, tenantKey(tenant))
    if (n >= watched) return
    const alert = { id: `a${n}`, tenant, owner, channel: `C${teamId(n).slice(1)}`, since: Date.now() }
    await store.alerts.set(tenantKey(tenant), alert.id, { ...alert, lines: [] })
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
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_API_URL: slack.apiUrl,
  TELEPHONY_BASE_URL: `${serviceUrl}/api/v1`,
  STORE_URL: storeUrl,
  ENCRYPTION_KEYS: `k1:${encryptionKey.toString('base64')}`,
  LOG_LEVEL: 'info',
})
