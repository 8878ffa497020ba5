import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { NOW, sandboxAt } from './support.ts'

const { lively, quiet } = sandboxAt().accounts
let child: ChildProcess | undefined

afterEach(() => child?.kill('SIGKILL'))

function start(...args: string[]) {
  const started = spawn(process.execPath, ['dev/service/main.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = started
  let output = ''
  for (const stream of [started.stdout, started.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return { started, output: () => output, ended: once(started, 'close') }
}

// Windows has no signals: a process that receives one ends at once.
it.skipIf(process.platform === 'win32')('serves, says how to use it, and ends on SIGTERM', async () => {
  const { started, output, ended } = start('--port', '0', '--now', NOW.toISOString(), '--delay', '1')
  await expect.poll(output, { timeout: 20_000 }).toContain('Ctrl-C')
  const baseUrl = /Sandbox at (\S+)/.exec(output())?.[1]
  expect(output()).toContain(`TELEPHONY_BASE_URL=${baseUrl}\n`)
  for (const account of [lively, quiet]) {
    for (const shown of [account.name, account.key, account.secret, account.customers[0]!.id]) {
      expect(output()).toContain(shown)
    }
  }
  const { key, secret } = lively
  const response = await fetch(
    `${baseUrl}/incoming?${new URLSearchParams({ key, secret, timezone: '+00:00' })}`,
  )
  expect(await response.json()).toMatchObject({ total_record: String(lively.calls('incoming').length) })
  started.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})

it('says that the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { output, ended } = start('--port', port)
  expect((await ended)[0]).toBe(1)
  expect(output()).toMatch(new RegExp(`^Port ${port} is taken`))
  other.close()
})
