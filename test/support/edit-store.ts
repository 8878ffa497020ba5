import { Store } from '../../src/store/store.ts'
import type { TestApp } from './app.ts'

/** Restarts the app, and changes its records before it starts. */
export async function editStore(app: TestApp, edit: (store: Store) => Promise<void>): Promise<void> {
  const { storeUrl: url, encryptionKeys } = app.config
  await app.restart(async () => {
    const store = new Store({ url, encryptionKeys, log: { warn() {} } })
    await edit(store)
    await store.close()
  })
}
