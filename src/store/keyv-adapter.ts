import { KeyvBridgeAdapter } from 'keyv'
import { type Backend, scan } from './backend.ts'
import { StoreError } from './errors.ts'

/**
 * One namespace of a database for keyv 6. One for each Keyv: keyv writes its own namespace onto the store that it is given,
 * so two Keyvs over one store could read each other's records.
 */
export class KeyvAdapter extends KeyvBridgeAdapter {
  constructor(backend: Backend, namespace: string) {
    super({
      get: async (key) => (await backend.get(namespace, [key]))[0]?.value,
      set(key, value: unknown, ttl) {
        if (typeof value !== 'string') throw new StoreError('only text is stored')
        return backend.set(namespace, { key, value, expires: ttl && backend.now() + ttl })
      },
      delete: async (key) => (await backend.delete(namespace, [key])).length > 0,
      clear: () => backend.clear(namespace),
      async *iterator() {
        for await (const { key, value } of scan(backend, namespace)) yield [key, value]
      },
    })
  }
}
