import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// Each starts a dozen processes, beside whatever else runs.
const long = { timeout: 600_000 }

it(
  'the load with its faults runs from end to end: nothing is lost, wrong, twice, or of another workspace',
  long,
  async ({ signal }) => {
    // Longer than a circuit breaker rests: what it keeps from the service is asked for again.
    const small = ['--only', 'interactions', '--workspaces', '40', '--seconds', '60', '--per-second', '8']
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['dev/bench/load/main.ts', ...small],
      { signal },
    )
    const figure = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(stdout)?.[1])
    for (const fault of ['slow', 'failing', 'cut', 'restart, SIGKILL', 'restart, SIGTERM'])
      expect(stderr).toContain(`  ${fault}, after`)
    expect(figure('sent')).toBeGreaterThan(90)
    // How many in time is the machine's to say.
    for (const some of ['page', 'report', 'number search', 'exported file'])
      expect(figure(`${some}: right`), stdout).toBeGreaterThan(0)
    expect(figure('lost, wrong, twice, of another workspace'), stdout).toBe(0)
  },
)

it('the load of watchers runs from end to end: each missed call is told once', long, async ({ signal }) => {
  // As often as an account may be looked at: a first look and another one are a minute.
  const sizes = ['--workspaces', '12', '--every', '30', '--seconds', '6', '--missed-per-second', '2']
  const small = ['--only', 'watch', '--calm', ...sizes]
  const { stdout } = await promisify(execFile)(process.execPath, ['dev/bench/load/main.ts', ...small], {
    signal,
  })
  const figure = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(stdout)?.[1])
  expect(figure('calls missed')).toBeGreaterThan(40)
  expect(figure('told once')).toBe(figure('calls missed'))
  for (const none of ['lost', 'told twice', 'told of none that was']) expect(figure(none), stdout).toBe(0)
})
