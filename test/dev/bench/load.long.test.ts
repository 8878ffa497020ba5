import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// Each test starts a dozen processes.
const long = { timeout: 600_000 }

async function load(options: string, signal: AbortSignal) {
  const args = ['dev/bench/load/main.ts', ...options.split(' ')]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { signal })
  const figure = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(stdout)?.[1])
  return { stdout, stderr, figure }
}

it('loses no interaction during faults, and shows none of another workspace', long, async ({ signal }) => {
  // Longer than the circuit breaker stays open, so that rejected requests are repeated.
  const options = '--only interactions --workspaces 40 --seconds 60 --per-second 8'
  const { stdout, stderr, figure } = await load(options, signal)
  for (const fault of ['slow', 'failing', 'cut', 'restart, SIGKILL', 'restart, SIGTERM'])
    expect(stderr).toContain(`  ${fault}, after`)
  expect(figure('sent')).toBeGreaterThan(90)
  for (const some of ['page', 'report', 'number search'])
    expect(figure(`${some}: right`), stdout).toBeGreaterThan(0)
  expect(figure('lost, wrong, of another workspace'), stdout).toBe(0)
})

it('posts each missed call once', long, async ({ signal }) => {
  // 30 s is the shortest polling interval.
  const options = '--only watch --calm --workspaces 12 --every 30 --seconds 6 --missed-per-second 2'
  const { stdout, figure } = await load(options, signal)
  expect(figure('calls missed')).toBeGreaterThan(40)
  expect(figure('posted once')).toBe(figure('calls missed'))
  for (const none of ['lost', 'posted twice', 'posted but never missed']) expect(figure(none), stdout).toBe(0)
})
