import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { type DemoOptions, startDemo } from '../../../dev/demo/demo.ts'

const withId = z.array(z.object({ id: z.string() }))
const stateSchema = z.object({
  user: z.string(),
  aheadMs: z.number(),
  tour: z.array(z.object({ id: z.string(), isDone: z.boolean() })),
  workspaces: z.array(z.object({ user: z.string() })),
  people: withId,
  channels: withId,
  messages: z.array(
    z.object({ ts: z.string(), channel: z.string(), text: z.string(), isOnlyForYou: z.boolean() }),
  ),
})

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type StartedDemo = Awaited<ReturnType<typeof start>>

/** Starts a small demo that stops after the test, and sends the requests of its page. */
export async function start(options: Partial<DemoOptions> = {}) {
  const demo = await startDemo({ calls: 40, port: 0, folder: newFolder(), ...options })
  let stopped: Promise<void> | undefined
  const { stop: stopDemo } = demo
  const stop = () => (stopped ??= stopDemo())
  onTestFinished(stop)
  const state = async () => stateSchema.parse(await (await fetch(`${demo.url}/api/state`)).json())
  /** Acts as the admin of the first workspace in its first channel. */
  const act = async (action: object) => {
    const { user, channels } = await state()
    const body = JSON.stringify({ user, channel: channels[0]?.id, ...action })
    const headers = { 'content-type': 'application/json' }
    return fetch(`${demo.url}/api/act`, { method: 'POST', headers, body })
  }
  const write = async (text: string) => {
    await act({ kind: 'write', text })
    // A public alert may be posted meanwhile.
    return (await state()).messages.findLast(({ isOnlyForYou }) => isOnlyForYou)?.text
  }
  return Object.assign(demo, { state, act, write, stop })
}
