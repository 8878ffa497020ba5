import { KeyvBridgeAdapter } from 'keyv'
import { type Backend, scan } from './backend.ts'
import { StoreError } from './errors.ts'

/** What a value is in the database, by the key of its row. keyv's own hook for encryption does not know the key. */
export interface Codec {
  encode(text: string, key: string): string
  /** @throws {UndecryptableError} */
  decode(text: string, key: string): string
}

/** For what is kept in the clear. */
export const plain: Codec = { encode: (text) => text, decode: (text) => text }

/**
 * One namespace of a database for keyv 6. One for each Keyv: keyv writes its own namespace onto the store that it is given,
 * so two Keyvs over one store could read each other's records.
 */
export class KeyvAdapter extends KeyvBridgeAdapter {
  constructor(backend: Backend, namespace: string, codec = plain) {
    super({
      async get(key) {
        const [row] = await backend.get(namespace, [key])
        return row && codec.decode(row.value, key)
      },
      set(key, value: unknown, ttl) {
        if (typeof value !== 'string') throw new StoreError('only text is stored')
        return backend.set(namespace, {
          key,
          value: codec.encode(value, key),
          expires: ttl && backend.now() + ttl,
        })
      },
      delete: async (key) => (await backend.delete(namespace, [key])).length > 0,
      clear: () => backend.clear(namespace),
      async *iterator() {
        for await (const { key, value } of scan(backend, namespace)) yield [key, codec.decode(value, key)]
      },
    })
  }
}
