import { type Backend, scan } from './backend.ts'
import { UndecryptableError } from './errors.ts'
import type { Vault } from './vault.ts'

/** How a run through encrypted rows went. */
export interface Reencryption {
  readonly rewritten: number
  /** How many can't be read, by the id of the key that they are under: `?` where they name none. */
  readonly undecryptable: ReadonlyMap<string, number>
}

/** Encrypts anew what is not under the vault's first key. Rows that can't be read are left as they are, and counted. @throws {StoreError} */
export async function reencryptRows(
  backend: Backend,
  namespace: string,
  vault: Vault,
): Promise<Reencryption> {
  const undecryptable = new Map<string, number>()
  let rewritten = 0
  for await (const { key, value } of scan(backend, namespace)) {
    const place = { namespace, key }
    try {
      const text = vault.decrypt(value, place)
      if (vault.isCurrent(value)) continue
      // Not where it was changed or deleted since it was read.
      if (await backend.replace(namespace, key, value, vault.encrypt(text, place))) rewritten += 1
    } catch (error) {
      if (!(error instanceof UndecryptableError)) throw error
      const id = error.keyId ?? '?'
      undecryptable.set(id, (undecryptable.get(id) ?? 0) + 1)
    }
  }
  return { rewritten, undecryptable }
}
