import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../dev/service/app.ts'
import { idleState } from '../../src/store/alerts.ts'
import { type ProcessScene, sum, until, withProcesses } from '../support/processes.ts'
import { unexpectedLines } from './app-process.ts'

const count = 10
const account = (sandbox: Sandbox) => sandbox.accounts.quiet

const countIn = (text: string) =>
  Number(/^(\d+) missed calls/.exec(text)?.[1] ?? (text.startsWith('Missed call') ? 1 : 0))

type Engine = 'PostgreSQL' | 'SQLite'

/** One account, and an alert for each of ten channels. */
const withScene = (
  run: (scene: ReturnType<typeof createScene>) => Promise<void>,
  engine: Engine = 'PostgreSQL',
) =>
  withProcesses(
    {
      engine,
      account: 'quiet',
      channels: count,
      subscribe: (store, tenant, n, own) => {
        const plan = { ...own, since: Date.now(), lines: [], state: idleState }
        return store.alerts.set(tenant, `a${n}`, { id: `a${n}`, ...plan })
      },
      env: { ALERT_EVERY_SECONDS: '30' },
    },
    (scene) => run(createScene(scene)),
  )

const createScene = (scene: ProcessScene) => ({
  ...scene,
  /** Returns the number of calls in each channel's messages. */
  told: () => scene.texts().map((texts) => sum(texts.map(countIn))),
  /** Returns the number of messages in the channels. */
  posts: () => sum(scene.texts().map(({ length }) => length)),
  /** Returns the number of polling jobs. */
  polls: () => scene.jobs("name = 'alert-polls' AND state < 'completed'"),
})

const all = (calls: number) => Array<number>(count).fill(calls)

it.concurrent(
  'two processes that start at once poll an account once, and each call is told once',
  { timeout: 120_000 },
  () =>
    withScene(async ({ sandbox, start, told, posts, notices, polls }) => {
      const apps = await Promise.all([start(), start()])
      account(sandbox).missCalls(3)
      await until(() => told().every((calls) => calls === 3))
      account(sandbox).missCalls(40)
      await until(() => told().every((calls) => calls === 43))
      expect(posts()).toBe(count)
      expect(notices()).toEqual([])
      // Shards without an alert have no job after their first tick.
      await until(async () => (await polls()) === 1)
      for (const app of apps) app.kill('SIGTERM')
      expect(await Promise.all(apps.map(({ exited }) => exited))).toEqual([0, 0])
      expect(apps.flatMap(({ output }) => unexpectedLines(output))).toEqual([])
    }),
)

describe.concurrent.each(['PostgreSQL', 'SQLite'] as const)('over %s', (engine) => {
  it.concurrent('a process killed before it posts: the next one posts every call', { timeout: 120_000 }, () =>
    withScene(async ({ slack, sandbox, start, told, posts, notices }) => {
      slack.failNext('conversations.info', { delayMs: 4000 })
      const first = await start()
      account(sandbox).missCalls(3)
      await until(() => slack.callsTo('conversations.info').length > 0)
      first.kill('SIGKILL')
      await first.exited
      await start()
      await until(() => told().every((calls) => calls === 3))
      expect(told()).toEqual(all(3))
      expect(posts()).toBe(count)
      expect(notices()).toEqual([])
    }, engine),
  )

  it.concurrent(
    'a process killed while a message is on its way: only that one is posted again',
    { timeout: 180_000 },
    () =>
      withScene(async ({ slack, sandbox, start, told, posts, notices }) => {
        slack.failNext('chat.postMessage', { delayMs: 1500 })
        const first = await start()
        account(sandbox).missCalls(3)
        await until(() => slack.callsTo('chat.postMessage').length > 0)
        first.kill('SIGKILL')
        await first.exited
        await start()
        // The first alert was posted twice, because its arrival wasn't recorded.
        await until(() => posts() === count + 1)
        expect(told().toSorted((a, b) => a - b)).toEqual([...all(3).slice(1), 6])
        expect(notices()).toEqual([])
      }, engine),
  )
})
