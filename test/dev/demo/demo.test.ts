import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { close, listen } from '../../../dev/listen.ts'
import { newFolder, type StartedDemo, start } from './started-demo.ts'

/** By a request that is sent to the letter. */
const get = (options: RequestOptions) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const answered = request(options, async (response) => {
      resolve({ status: response.statusCode, text: await text(response) })
    })
    answered.on('error', reject).end()
  })

const question = expect.stringMatching(/^A customer writes that .* \+\d[\d ]+\?$/)

/** Missed calls that somebody took, and a question: nothing is left of what one person saw on the way. */
async function seesOpening(demo: StartedDemo): Promise<void> {
  const { messages } = await demo.state()
  // What an alert's owner is told where the account isn't connected any more, before it is again.
  const [alert, asked, ...more] = messages.filter(({ channel }) => channel !== 'direct')
  expect(alert?.text).toMatch(/^3 missed calls since /)
  for (const words of ['Taken by *Ben Okoro*', 'Support Berlin: 2 · Sales London: 1'])
    expect(alert?.text).toContain(words)
  expect(alert?.isOnlyForYou).toBe(false)
  expect(asked?.text).toEqual(question)
  expect(more).toEqual([])
}

it('finds what an earlier demo left, starts afresh where it is told to, and takes the next port', async () => {
  const folder = newFolder()
  const first = await start({ folder })
  expect(await first.write('/calls timezone')).toContain('Europe/Berlin')
  expect(await first.write('/calls timezone Asia/Tokyo')).toContain('Asia/Tokyo')
  await first.stop()

  const taken = createServer()
  const port = await listen(taken)
  onTestFinished(() => close(taken))
  const second = await start({ folder, port })
  expect(new URL(second.url).port).not.toBe(String(port))
  expect(await second.write('/calls timezone')).toContain('Asia/Tokyo')
  await second.stop()

  const third = await start({ folder, reset: true })
  expect(await third.write('/calls timezone')).toContain('Europe/Berlin')
  await third.stop()
})

it('is not started a second time, nor afresh, while a demo runs', async () => {
  const folder = newFolder()
  const running = await start({ folder })
  onTestFinished(() => running.stop())
  for (const reset of [false, true])
    await expect(start({ folder, reset })).rejects.toThrow('The demo is running already.')
  expect(await running.write('/calls timezone')).toContain('Europe/Berlin')
  expect(existsSync(join(folder, 'callboard.sqlite'))).toBe(true)
})

it.each(['--help', '--bogus', '--port=http'])('npm run demo -- %s says what options there are', (option) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dev/demo/main.ts', option], {
    encoding: 'utf8',
  })
  expect(status).toBe(option === '--help' ? 0 : 1)
  for (const one of ['--reset', '--port N', '--help']) expect(stdout + stderr).toContain(one)
})

it('opens connected and alive, whatever an earlier demo left', async () => {
  const folder = newFolder()
  const first = await start({ folder })
  await seesOpening(first)
  await first.write('/calls disconnect')
  const [modal] = first.slack.openViews()
  if (!modal) throw new Error('no modal was opened')
  await first.slack.click(first.appUrl, { view: modal, action_id: 'setup.disconnect' })
  const before = first.slack.messages().length
  await first.write('/calls')
  // The alerts' owner is told about the disconnected account at the same time.
  expect(JSON.stringify(first.slack.messages().slice(before))).toContain('setup.connect')
  await first.stop()

  const second = await start({ folder })
  await seesOpening(second)
  await second.write('/calls connect')
  const [form] = second.slack.openViews()
  if (!form) throw new Error('no form was opened')
  const { key, secret } = second.sandbox.accounts.quiet
  await second.slack.submit(second.appUrl, { view: form, values: { key, secret } })
  await second.stop()

  // Nothing is missed in this account: the question stands alone.
  const third = await start({ folder })
  onTestFinished(() => third.stop())
  expect((await third.state()).messages.map(({ text }) => text)).toEqual([question])
  expect(third.slack.violations).toEqual([])
})

it('starts over with what it began with, the address of the page but for', async () => {
  const folder = newFolder()
  const demo = await start({ folder })
  onTestFinished(() => demo.stop())
  expect(await demo.write('/calls timezone Asia/Tokyo')).toContain('Asia/Tokyo')
  const before = demo.slack
  const post = (headers: Record<string, string>) =>
    fetch(`${demo.url}/api/start-over`, { method: 'POST', headers, body: '{}' })
  expect((await post({ 'content-type': 'text/plain' })).status).toBe(415)
  const json = { 'content-type': 'application/json' }
  const both = await Promise.all([post(json), post(json)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(demo.slack).not.toBe(before)
  await seesOpening(demo)
  expect(await demo.write('/calls timezone')).toContain('Europe/Berlin')
})

it('serves its own machine and its own page alone', async () => {
  const demo = await start({ folder: newFolder() })
  onTestFinished(() => demo.stop())
  const body = JSON.stringify({ kind: 'write', user: 'U0ADA1', channel: 'C0SUPPORT1', text: '/calls' })
  expect((await fetch(`${demo.url}/api/act`, { method: 'POST', body })).status).toBe(415)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${demo.url}/api/act`, { method: 'POST', headers, body: '{}' })).status).toBe(400)
  expect((await fetch(`${demo.url}/src/main.ts`)).status).toBe(404)
  const { installUrl } = await demo.state()
  for (const url of [demo.url, installUrl, demo.slack.apiUrl]) {
    const { hostname, port } = new URL(url)
    const answer = await get({ hostname, port, path: '/', headers: { host: 'elsewhere.example' } })
    expect([answer.status, answer.text]).toEqual([403, 'loopback only'])
  }
  const { hostname, port } = new URL(installUrl)
  expect((await get({ hostname, port, path: `//${new URL(demo.url).host}/` })).status).toBe(404)
  const { headers: sent } = await fetch(demo.url)
  expect(sent.get('content-security-policy')).toContain("default-src 'self'")
})
