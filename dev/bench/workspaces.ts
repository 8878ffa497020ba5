import { createSecretKey } from 'node:crypto'
import { idleState } from '../../src/store/alerts.ts'
import { Store as OwnStore } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { mapConcurrent } from '../../src/util/promises.ts'

export const enterprise = 'E0BENCH'
export const teamId = (n: number): string => `T${String(n).padStart(8, '0')}`

/** Person who connected the workspace and may see everything. */
export const connectorId = (n: number): string => `U${teamId(n).slice(1)}`
/** Workspace number in the id of a person, channel or conversation. */
export const parseTeam = (id: string): number => Number(id.slice(1))

export const accountKey = (n: number): string => `key-${n}`
/** Text in every record of a workspace, so that a message shows whose data it contains. */
export const mark = (n: number): string => `W${String(n).padStart(6, '0')}W`
export const marksIn = (text: string): readonly string[] => [...new Set(text.match(/W\d{6}W/g) ?? [])]

/** Calls of each account in each direction: in total, and in any range of days. */
export const ALL_CALLS = 4000
export const CALLS_IN_RANGE = 60

const encryptionKey = Buffer.alloc(32, 5)

interface WorkspacesOptions {
  readonly count: number
  /** One account for all workspaces; by default each has its own. */
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
    const workspace = { enterpriseId: enterprise, teamId: teamId(n) }
    const credentials = account ?? { key: accountKey(n), secret: 's' }
    const owner = connectorId(n)
    await store.credentials.set({ ...credentials, connectedBy: owner, connectedAt: 1 }, tenantKey(workspace))
    if (n >= watched) return
    const alert = { id: `a${n}`, workspace, owner, channel: `C${teamId(n).slice(1)}`, since: Date.now() }
    await store.alerts.set(tenantKey(workspace), alert.id, { ...alert, lines: [], state: idleState })
  })
  await store.close()
}

/** Environment of an app. @param storeUrl of a store filled by `connectWorkspaces` */
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
