import { expect, it, onTestFinished, vi } from 'vitest'
import { Schedules } from '../../features/subscriptions/schedules.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

it('queries the store once a second at most for /readyz, which anyone may request', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const readiness = async () => (await fetch(`${app.url}/readyz`)).status
  expect(await readiness()).toBe(200)
  app.stored.dropTable()
  vi.advanceTimersByTime(999)
  expect(await readiness()).toBe(200)
  vi.advanceTimersByTime(1)
  expect(await readiness()).toBe(503)
})

it("shows an error with the log's reference if the store fails, for a command and a click", async () => {
  // Everything else that a command needs is cached.
  const schedules = new Schedules(app)
  await schedules.add()
  const list = await schedules.list()
  app.stored.dropTable()
  for (const apology of [await schedules.list(), await schedules.click(list, 'Mute for an hour')]) {
    expect(apology).toShow('something went wrong in Callboard')
    const reference = /[0-9a-f]{8}/.exec(apology.text)?.[0]
    const isLogged = (line: string) => line.includes(`"req":"${reference}"`) && line.includes('no such table')
    expect(app.logs.some(isLogged)).toBe(true)
  }
})
