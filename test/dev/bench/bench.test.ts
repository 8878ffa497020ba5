import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// Both start a dozen processes, beside whatever else runs.
const long = { timeout: 120_000 }

it('the benchmarks run from end to end, and every figure of their table is one', long, async () => {
  const small = ['--rounds', '1', '--seconds', '0.2', '--workspaces', '4']
  const { stdout } = await promisify(execFile)(process.execPath, ['dev/bench/main.ts', ...small])
  const lines = stdout.split('\n').filter((line) => / ms | 1\/s | MB /.test(line))
  expect(lines.length).toBeGreaterThan(15)
  for (const line of lines) expect(line).not.toMatch(/–|NaN/)
  for (const what of ['throughput', 'CPU an interaction', 'page turn', 'start-up', 'heap for 4 used']) {
    expect(stdout).toContain(what)
  }
})

it(
  'the load with its faults runs from end to end: nothing is lost, wrong, or of another workspace',
  long,
  async () => {
    const small = ['--workspaces', '40', '--seconds', '4', '--per-second', '30']
    const { stdout } = await promisify(execFile)(process.execPath, ['dev/bench/load/main.ts', ...small])
    const figure = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(stdout)?.[1])
    expect(figure('sent')).toBeGreaterThan(90)
    // How many in time is the machine's to say.
    expect(figure('answered rightly')).toBeGreaterThan(0)
    for (const none of ['lost otherwise', 'wrong', 'of another workspace']) expect(figure(none)).toBe(0)
  },
)
