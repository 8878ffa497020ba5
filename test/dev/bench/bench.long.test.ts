import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'

const figure = z.number()
const jsonSchema = z.object({
  sections: z.array(
    z.object({ lines: z.array(z.object({ what: z.string(), measured: figure, against: figure })) }),
  ),
})

const long = { timeout: 900_000 }

it('measures every figure of the table', long, async ({ signal }) => {
  const json = join(mkdtempSync(join(tmpdir(), 'callboard-bench-test-')), 'bench.json')
  const small = '--rounds 1 --interactions 20 --warm-up 20 --workspaces 4 --records 400 --json'.split(' ')
  // A run of this size misses aims and exits with 1.
  const running = promisify(execFile)(process.execPath, ['dev/bench/main.ts', ...small, json], { signal })
  const found = await running.catch((error: { stdout: string; code: number }) => error)
  const { stdout } = found
  expect(found).toMatchObject({ code: 1 })
  expect(stdout).toContain('Missed by more than the noise: ')
  const { sections } = jsonSchema.parse(JSON.parse(readFileSync(json, 'utf8')))
  const lines = sections.flatMap((section) => section.lines)
  for (const what of ['throughput', 'CPU', 'page turn', 'start-up', 'heap for 4 used', '400 records']) {
    expect(lines.map((line) => line.what).join()).toContain(what)
  }
  for (const { what } of lines) expect(stdout).toContain(what)
  // Equal work, commands and clicks, beside stock and tuned Bolt: one request for each interaction.
  const asked = lines.filter(({ what }) => what.startsWith('requests to the service, a '))
  expect(asked.flatMap(({ measured, against }) => [measured, against])).toEqual(
    Array.from({ length: 8 }, () => 1),
  )
})
