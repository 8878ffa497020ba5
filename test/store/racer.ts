import { createSecretKey } from 'node:crypto'
import { Store } from '../../src/store/store.ts'

// A process of the race: opens the store, makes claims when told to, and reports the result.

const url = process.argv[2] ?? ''
const encryptionKeys = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }] as const
const log = { warn: () => {}, error: () => {} }
let store: Store | undefined

process.on('message', async (word) => {
  if (word === 'open') {
    store = new Store({ url, encryptionKeys, log })
    await store.ready()
    process.send?.('open')
    return
  }
  const claims = Array.from({ length: 300 }, (_, n) => store?.claim('race', `${n}`, 60_000))
  process.send?.((await Promise.all(claims)).filter(Boolean).length)
})
process.send?.('here')
