import { createSecretKey } from 'node:crypto'
import { Store } from '../../src/store/store.ts'

// Opens the store and claims 300 keys, each on a message, at the same time as other processes.

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
