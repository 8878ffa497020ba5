import { join } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { installationKey } from '../../src/store/workspaces.ts'
import type { DemoWorkspace } from './workspaces.ts'

export const storePathIn = (folder: string): string => join(folder, 'callboard.sqlite')

/** @throws Error if another process runs a demo in the folder */
export async function assertUnused(folder: string): Promise<void> {
  const driver = new SqliteDriver(storePathIn(folder))
  try {
    driver.lock()
  } catch (cause) {
    throw new Error('The demo is already running. Use that one, or stop it with Ctrl-C first.', { cause })
  } finally {
    await driver.close()
  }
}

/** Installs the app in a workspace and sets the time zones of its channels, before the app opens the store. */
export async function prepareStore(
  { storeUrl: url, encryptionKeys }: Pick<Config, 'storeUrl' | 'encryptionKeys'>,
  { team, people, channels }: DemoWorkspace,
  scopes: readonly string[],
): Promise<void> {
  const store = new Store({ url, encryptionKeys, log: { warn() {} } })
  const { enterpriseId, teamId, botToken, botUserId } = team
  const installation = { scopes: [...scopes], installer: people[0].user.id, installedAt: Date.now() }
  await store.installations.set(
    { enterpriseId, teamId, botToken, botUserId, ...installation },
    installationKey({ teamId, enterpriseId }),
  )
  team.isInstalled = true
  const tenant = tenantKey({ enterpriseId, teamId })
  for (const { channel, zone } of channels)
    if (zone !== undefined) await store.channelSettings.set({ zone }, tenant, channel.id)
  await store.close()
}
