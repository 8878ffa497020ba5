import { rmSync } from 'node:fs'
import type { EpochMs } from '../../src/util/units.ts'
import { close, listenNear } from '../listen.ts'
import { Changes } from '../slack/changes.ts'
import { Gallery } from './gallery/gallery.ts'
import { buildPage, pageServer } from './page-server.ts'
import { assertUnused, type System, startSystem } from './system.ts'

export interface DemoOptions {
  /** Folder of the app's store and log; emptied at every start. */
  readonly folder: string
  /** Port of the page: the next free one if it is taken, any free one for 0. */
  readonly port?: number
  /** Approximate number of calls in the lively account. */
  readonly calls?: number
  /** Slack waits 3 s for an acknowledgement. */
  readonly ackTimeoutMs?: number
  /** The machine's clock, which decides on the day that the demo plays; tests set it. */
  readonly machineNow?: () => EpochMs
}

export type Demo = Awaited<ReturnType<typeof startDemo>>

/** Starts the page and the system behind it, which starting over replaces. */
export async function startDemo(options: DemoOptions) {
  const { folder, port = 4000, calls, ackTimeoutMs = 3000, machineNow = Date.now } = options
  let url = ''
  const changes = new Changes()
  async function start(): Promise<System> {
    rmSync(folder, { recursive: true, force: true })
    const system = await startSystem({ folder, calls, ackTimeoutMs, machineNow, pageUrl: () => url })
    system.slack.changes.on('change', () => changes.emit('change'))
    changes.emit('change')
    return system
  }

  // A running demo would lose its files.
  await assertUnused(folder)
  const [files, first] = await Promise.all([buildPage(), start()])
  let system = first
  // One restart at a time.
  let restarted = Promise.resolve()
  async function restart(): Promise<void> {
    await system.stop()
    system = await start()
  }
  function startOver(): Promise<void> {
    restarted = restarted.then(restart, restart)
    return restarted
  }

  const gallery = new Gallery()
  const page = pageServer({ files, gallery, changes, system: () => system, startOver })
  url = `http://127.0.0.1:${await listenNear(page, port)}`
  return {
    /** The page. */
    url,
    gallery,
    get slack() {
      return system.slack
    },
    get sandbox() {
      return system.sandbox
    },
    get clock() {
      return system.clock
    },
    async stop() {
      await restarted
      await close(page)
      await system.stop()
    },
  }
}
