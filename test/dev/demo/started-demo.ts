import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { type DemoOptions, startDemo } from '../../../dev/demo/demo.ts'

const stateSchema = z.object({
  aheadMs: z.number(),
  messages: z.array(z.object({ ts: z.string(), text: z.string() })),
})

/** Starts a small demo that stops after the test. */
export async function start(options: Partial<DemoOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const demo = await startDemo({ calls: 40, port: 0, folder, ...options })
  onTestFinished(demo.stop)
  const state = async () => stateSchema.parse(await (await fetch(`${demo.url}/api/state`)).json())
  return Object.assign(demo, { state })
}
