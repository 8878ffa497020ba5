import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { NOW, sandboxAt } from './support.ts'

const { lively, quiet } = sandboxAt().accounts
let child: ChildProcess | undefined

afterEach(() => child?.kill('SIGKILL'))

// Windows has no signals: a process that receives one ends at once.
it.skipIf(process.platform === 'win32')('serves, says how to use it, and ends on SIGTERM', async () => {
  const args = ['dev/service/main.ts', '--port', '0', '--now', NOW.toISOString(), '--delay', '1']
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  const ended = once(started, 'close')
  let output = ''
  started.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 20_000 }).toContain('Ctrl-C')
  const baseUrl = /Sandbox at (\S+)/.exec(output)?.[1]
  expect(output).toContain(`TELEPHONY_BASE_URL=${baseUrl}\n`)
  for (const { name, key, secret, customers } of [lively, quiet])
    for (const shown of [name, key, secret, customers[0]!.id]) expect(output).toContain(shown)
  const { key, secret } = lively
  const query = new URLSearchParams({ key, secret, timezone: '+00:00' })
  const response = await fetch(`${baseUrl}/incoming?${query}`)
  expect(await response.json()).toMatchObject({ total_record: String(lively.calls('incoming').length) })
  started.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})
