import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useApp } from '../support/app.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'], shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())
const app = useApp({ connected: true })

const hashFiles = () =>
  ['', '-wal', '.lock'].map((suffix) =>
    createHash('sha256')
      .update(readFileSync(`${app.storePath}${suffix}`))
      .digest('hex'),
  )

it('an idle app leaves its SQLite files unchanged for ten minutes', async () => {
  expect(await app.member.command('/calls')).toShow('Page 1 of')
  await app.jobsDone()
  const before = hashFiles()
  for (let minute = 0; minute < 10; minute += 1) {
    app.clock.ahead += 60_000
    await vi.advanceTimersByTimeAsync(60_000)
    await app.jobsDone()
    expect(hashFiles()).toEqual(before)
  }
})
