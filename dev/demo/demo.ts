import { rmSync } from 'node:fs'
import { close, listenNear } from '../listen.ts'
import { Changes } from '../slack/changes.ts'
import { assertUnused } from './demo-store.ts'
import { Gallery } from './gallery/gallery.ts'
import { buildPage } from './page-build.ts'
import { pageServer } from './page-server.ts'
import { type System, startSystem } from './system.ts'

export interface DemoOptions {
  /** Where the app's store, its key and its log are kept. */
  readonly folder: string
  /** Deletes what an earlier demo left. */
  readonly reset?: boolean
  /** The page's; the next free one where it is taken, any free one for 0. */
  readonly port?: number
  /** About how many calls the lively account has. */
  readonly calls?: number
  /** Slack waits 3 s for an acknowledgement. */
  readonly ackTimeoutMs?: number
}

export type Demo = Awaited<ReturnType<typeof startDemo>>

/** The page, and the system behind it, which starting over replaces. */
export async function startDemo(options: DemoOptions) {
  const { folder, reset = false, port = 4000, calls, ackTimeoutMs = 3000 } = options
  let url = ''
  const changes = new Changes()
  const forget = () => rmSync(folder, { recursive: true, force: true })
  async function start(): Promise<System> {
    const system = await startSystem({ folder, calls, ackTimeoutMs, pageUrl: () => url })
    system.slack.changes.on('change', () => changes.emit('change'))
    changes.emit('change')
    return system
  }

  // A demo that runs would go on in files that are gone.
  await assertUnused(folder)
  if (reset) forget()
  const [files, first] = await Promise.all([buildPage(), start()])
  let system = first
  /** One after the other. */
  let restarted = Promise.resolve()
  async function restart(): Promise<void> {
    await system.stop()
    forget()
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
    /** The app. */
    get appUrl() {
      return system.appUrl
    },
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
