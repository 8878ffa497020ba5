import { expect, it } from 'vitest'
import { ScheduleRows } from '../../src/features/subscriptions/schedule.ts'
import { utcDay } from '../../src/time/days.ts'
import { type ProcessScene, sum, until, withProcesses } from '../support/processes.ts'
import { type AppProcess, unexpectedLines } from './app-process.ts'

const count = 50
/** Two jobs of the workspace in each of the two processes. */
const underWay = 4
/** More requests than a process sends at a time for an account, so that both processes are waiting. */
const atOnce = 4

interface Scene extends Pick<ProcessScene, 'slack' | 'sandbox' | 'notices' | 'start'> {
  readonly apps: readonly AppProcess[]
  /** Returns the number of posts in each channel. */
  posts(): number[]
  /** Waits until no job is running, waiting for a retry, or due. */
  jobsDone(): Promise<unknown>
}

const unfinished = `
  name IN ('billing-posts', 'notices')
  AND (state IN ('active', 'retry') OR state = 'created' AND start_after <= now())`

/** Two processes, or one over SQLite, with fifty schedules that are due at the same time. */
function withScene(
  prepare: (scene: ProcessScene) => void,
  run: (scene: Scene) => Promise<void>,
  engine: 'PostgreSQL' | 'SQLite' = 'PostgreSQL',
) {
  let at: number | undefined
  return withProcesses(
    {
      engine,
      account: 'lively',
      channels: count,
      subscribe: (store, tenant, n, own) => {
        at ??= Date.now() + 5000
        const due = { day: utcDay(new Date(at)), at }
        const schedule = { id: `s${n}`, ...own, rhythm: 'weekly 1', time: '09:00', due } as const
        return new ScheduleRows(store.database, 'schedules').set(tenant, schedule.id, schedule)
      },
    },
    async (scene) => {
      prepare(scene)
      const apps = await Promise.all(engine === 'SQLite' ? [scene.start()] : [scene.start(), scene.start()])
      await run({
        ...scene,
        apps,
        posts: () => scene.texts().map(({ length }) => length),
        jobsDone: () => until(async () => (await scene.jobs(unfinished)) === 0),
      })
    },
  )
}

const once = Array<number>(count).fill(1)

it.concurrent('two processes over one PostgreSQL post each of fifty once', { timeout: 240_000 }, () =>
  withScene(
    () => {},
    async ({ apps, posts, notices, jobsDone }) => {
      await until(() => sum(posts()) >= count)
      await jobsDone()
      expect(posts()).toEqual(once)
      expect(notices()).toEqual([])
      expect(apps.flatMap(({ output }) => unexpectedLines(output))).toEqual([])
      // Stops the processes first, then the jobs of the database.
      for (const app of apps) app.kill('SIGTERM')
      expect(await Promise.all(apps.map(({ exited }) => exited))).toEqual([0, 0])
    },
  ),
)

it.concurrent('one is killed before it posts: none is lost, none is posted twice', { timeout: 240_000 }, () =>
  withScene(
    ({ sandbox }) => sandbox.faults.always({ kind: 'delay', ms: 4000 }, { operation: 'billing' }),
    async ({ apps, sandbox, posts, notices, jobsDone }) => {
      await until(() => sandbox.requests.count('billing') >= atOnce)
      apps[0]?.kill('SIGKILL')
      sandbox.faults.clear()
      await until(() => sum(posts()) >= count)
      await jobsDone()
      expect(posts()).toEqual(once)
      expect(notices()).toEqual([])
    },
  ),
)

it.concurrent(
  'one is killed while its posts are on their way: none is posted twice, and who has to look is told',
  { timeout: 240_000 },
  () =>
    withScene(
      ({ slack }) => {
        for (let n = 0; n < underWay; n++) slack.failNext('chat.postMessage', { delayMs: 8000 })
      },
      async ({ apps, slack, posts, notices, jobsDone }) => {
        await until(() => slack.callsTo('chat.postMessage').length >= underWay)
        apps[0]?.kill('SIGKILL')
        await until(() => sum(posts()) >= count && notices().length >= underWay / 2)
        await jobsDone()
        expect(posts()).toEqual(once)
        // The killed process had sent these posts without recording it.
        expect(notices()).toHaveLength(underWay / 2)
        for (const text of notices()) expect(text).toContain('may be missing')
      },
    ),
)

it.concurrent(
  'over SQLite, the process is killed while its posts are on their way: none is posted twice',
  { timeout: 240_000 },
  () =>
    withScene(
      ({ slack }) => {
        for (let n = 0; n < underWay / 2; n++) slack.failNext('chat.postMessage', { delayMs: 4000 })
      },
      async ({ apps, slack, start, posts, notices }) => {
        await until(() => slack.callsTo('chat.postMessage').length >= underWay / 2)
        for (const app of apps) app.kill('SIGKILL')
        await Promise.all(apps.map(({ exited }) => exited))
        await start()
        await until(() => sum(posts()) >= count && notices().length >= underWay / 2)
        expect(posts()).toEqual(once)
        expect(notices()).toHaveLength(underWay / 2)
        for (const text of notices()) expect(text).toContain('may be missing')
      },
      'SQLite',
    ),
)
