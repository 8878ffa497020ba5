import type { Log } from '../log.ts'
import type { EpochMs } from '../util/units.ts'
import { PostgresBackend } from './postgres.ts'
import { SqliteBackend } from './sqlite.ts'
import { Store } from './store.ts'
import { type EncryptionKey, Vault } from './vault.ts'

/**
 * @param options.url `sqlite:PATH` or `postgres://…`
 * @param options.encryptionKeys the first one encrypts, every one of them decrypts
 */
export function openStore(options: {
  url: string
  encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
  log: Pick<Log, 'warn' | 'error'>
  now?: () => EpochMs
}): Store {
  const { url, encryptionKeys, log, now = Date.now } = options
  const onIdleError = (error: Error) => log.warn({ err: error }, 'the database ended an idle connection')
  const backend = url.startsWith('sqlite:')
    ? new SqliteBackend(url.slice('sqlite:'.length), now)
    : new PostgresBackend({ url, now, onIdleError })
  return new Store({ backend, vault: new Vault(encryptionKeys), log })
}
