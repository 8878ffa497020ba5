import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type NamedQueues, openEngine } from './engines.ts'

export const inMs = (ms: number) => new Date(Date.now() + ms)
export const until = (probe: () => unknown, timeout = 8000) =>
  expect.poll(probe, { timeout, interval: 50 }).toBeTruthy()

/** Creates a database for the tests of a block, and closes their engines after each test. */
export function useEngine(startDatabase: () => Promise<{ url: string; stop(): Promise<void> }>) {
  let database: Awaited<ReturnType<typeof startDatabase>>
  const opened: Awaited<ReturnType<typeof openEngine>>[] = []

  beforeAll(async () => {
    database = await startDatabase()
  })
  afterAll(() => database.stop())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
  })

  return {
    opened,
    url: () => database.url,
    async open(): Promise<NamedQueues> {
      const engine = await openEngine(database.url)
      opened.push(engine)
      return engine.jobs
    },
  }
}
