import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoutes } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { createServices, type Services } from '../../src/services.ts'
import type { Routes } from '../../src/slack/routing/routes.ts'

/** Creates the app's services over a new store for the duration of `use`. */
export async function withServices<T>(
  env: Readonly<Record<string, string>>,
  use: (services: Services) => T | Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-services-'))
  const config = readConfig({
    SLACK_SIGNING_SECRET: 'a-signing-secret',
    SLACK_BOT_TOKEN: 'xoxb-1',
    TELEPHONY_BASE_URL: 'http://127.0.0.1:9/api/v1',
    STORE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    INVOICE_OPERATION: 'on',
    ...env,
  })
  const services = await createServices(config, createLog('silent'))
  try {
    return await use(services)
  } finally {
    await services.jobs.stop()
    await services.dispatcher.destroy()
    await services.store.close()
    await rm(folder, { recursive: true })
  }
}

/** Returns all routes of the app, whose services are closed again. */
export const registeredRoutes = (): Promise<Routes> => withServices({}, createRoutes)
