import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, EncryptionKey } from '../../src/config/config.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { installationKey } from '../../src/store/installations.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import type { DemoWorkspace } from './workspaces.ts'

type Secrets = Pick<Config, 'storeUrl' | 'encryptionKeys'>

const open = ({ storeUrl: url, encryptionKeys }: Secrets) =>
  new Store({ url, encryptionKeys, log: { warn() {} } })

export const storePathIn = (folder: string): string => join(folder, 'callboard.sqlite')

/** @throws Error where another process runs a demo in the folder */
export async function assertUnused(folder: string): Promise<void> {
  const driver = new SqliteDriver(storePathIn(folder))
  try {
    driver.lock()
  } catch (cause) {
    const words = 'The demo is running already. Use that one, or end it with Ctrl-C and start it again.'
    throw new Error(words, { cause })
  } finally {
    await driver.close()
  }
}

/** Made once and kept: a second start reads what the first one encrypted. */
export function encryptionKeyIn(folder: string): EncryptionKey {
  const path = join(folder, 'encryption-key')
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600 })
  return { id: 'demo', key: createSecretKey(Buffer.from(readFileSync(path, 'utf8'), 'base64')) }
}

/**
 * What was so before the demo began: the app is installed in the first workspace, and in the second where it was at the end
 * of an earlier demo; each channel has the zone of its team, unless somebody has set one.
 */
export async function prepareStore(
  config: Secrets,
  workspaces: readonly DemoWorkspace[],
  scopes: readonly string[],
): Promise<void> {
  const store = open(config)
  for (const [n, { team, people, channels }] of workspaces.entries()) {
    const { enterpriseId, teamId, botToken, botUserId } = team
    const key = installationKey({ teamId, enterpriseId })
    const before = await store.installations.get(key)
    if (n > 0 && !before) continue
    const installer = people[0].user.id
    const made = { scopes: [...scopes], installer, installedAt: before?.installedAt ?? Date.now() }
    await store.installations.set({ enterpriseId, teamId, botToken, botUserId, ...made }, key)
    team.isInstalled = true
    const tenant = tenantKey({ enterpriseId, teamId })
    for (const { channel, zone } of channels) {
      const isSet = (await store.channelSettings.get(tenant, channel.id)) !== undefined
      if (zone !== undefined && !isSet) await store.channelSettings.set({ zone }, tenant, channel.id)
    }
  }
  await store.close()
}
