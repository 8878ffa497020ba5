import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ConfigError, readConfig, readStoreUrl, variableNames } from '../../src/config/config.ts'

const good = {
  SLACK_SIGNING_SECRET: 'signing',
  SLACK_BOT_TOKEN: 'xoxb-1-2-3',
  TELEPHONY_BASE_URL: 'https://voice.example.com/api/v1',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
}

function readProblems(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

it('has sensible defaults', () => {
  const config = readConfig({ ...good, HOST: '' })
  expect(config).toMatchObject({ port: 3000, host: undefined, storeUrl: 'sqlite:data/callboard.sqlite' })
  const options = { fetchAhead: true, mcp: false, alertEveryMs: 60_000, invoiceOperation: false, drainMs: 0 }
  expect(config).toMatchObject(options)
  const http = { ...good, PUBLIC_URL: 'https://calls.example.com' }
  expect(readConfig(http).mcp).toBe(true)
  expect(readConfig({ ...http, MCP: 'off' }).mcp).toBe(false)
  expect(readConfig({ ...http, SLACK_APP_TOKEN: 'xapp-1', MCP: 'on' }).mcp).toBe(false)
  for (const supportUrl of ['mailto:help@example.com', 'https://help.example.com/?a=1&b=2'])
    expect(readConfig({ ...good, SUPPORT_URL: supportUrl }).supportUrl).toBe(supportUrl)
  for (const url of ['postgres://u:p@h/d', 'postgresql://u:p@/d?host=/var/run/postgresql'])
    expect(readConfig({ ...good, DATABASE_URL: url }).storeUrl).toBe(url)
  const both = { ...good, STORE_URL: 'sqlite:calls.sqlite', DATABASE_URL: 'postgres://h/d' }
  expect(readConfig(both).storeUrl).toBe('sqlite:calls.sqlite')
  const keys = `k2:${Buffer.alloc(32, 8).toString('base64')},${good.ENCRYPTION_KEYS}`
  expect(readConfig({ ...good, ENCRYPTION_KEYS: keys }).encryptionKeys[0].id).toBe('k2')
  for (const origin of [
    'https://slack-gov.com',
    'http://localhost:1',
    'http://[::1]:1',
    'http://127.0.0.1:1',
  ])
    for (const end of ['', '/']) {
      const { slack } = readConfig({ ...good, SLACK_API_URL: `${origin}/api${end}` })
      expect(slack.apiUrl).toBe(`${origin}/api/`)
    }
  for (const seconds of [30, 600])
    expect(readConfig({ ...good, ALERT_EVERY_SECONDS: `${seconds}` }).alertEveryMs).toBe(seconds * 1000)
})

it.each([
  ['TELEPHONY_BASE_URL', 'http://voice.example.com/api/v1'],
  ['TELEPHONY_BASE_URL', 'https://voice.example.com/'],
  ['SLACK_API_URL', 'http://slack.example.com/api/'],
  ['SUPPORT_URL', 'http://help.example.com'],
  ['SUPPORT_URL', 'mailto:nobody'],
  ['SUPPORT_URL', 'https://help.example.com/|Slack>'],
  ['ENCRYPTION_KEYS', `${good.ENCRYPTION_KEYS},k2:tooshort`],
  ['ENCRYPTION_KEYS', `k1:${Buffer.alloc(33, 7).toString('base64')}`],
  ['ENCRYPTION_KEYS', `${good.ENCRYPTION_KEYS},${good.ENCRYPTION_KEYS}`],
  ['RECORDINGS_BASE_URL', 'recordings.example.com'],
  ['RECORDINGS_BASE_URL', 'https://user@recordings.example.com/'],
  ['RECORDINGS_BASE_URL', 'https://:password@recordings.example.com/'],
  ['RECORDINGS_BASE_URL', 'https://recordings.example.com/?token=1'],
  ['RECORDINGS_BASE_URL', 'https://recordings.example.com/#part'],
  ['PORT', '65536'],
  ['ALERT_EVERY_SECONDS', '29'],
  ['ALERT_EVERY_SECONDS', '601'],
  ['DRAIN_SECONDS', '61'],
  ['LOG_LEVEL', 'loud'],
  ['STORE_URL', 'mysql://x'],
  ['STORE_URL', 'postgres://u:p@h:port/d'],
  ['DATABASE_URL', 'postgres://[h/d'],
  ['PUBLIC_URL', 'https://example.com/callboard'],
])('refuses %s=%s without printing it', (name, value) => {
  const problems = readProblems({ ...good, [name]: value })
  expect(problems).toContain(name)
  expect(problems).not.toContain(value)
})

const everyVariable: Record<string, string> = {
  ...good,
  SLACK_API_URL: 'https://slack-gov.com/api/',
  METRICS_TOKEN: 'metrics',
  RECORDINGS_BASE_URL: 'https://recordings.example.com/',
  STORE_URL: 'sqlite:data/calls.sqlite',
  PORT: '3001',
  HOST: 'localhost',
  LOG_LEVEL: 'warn',
  FETCH_AHEAD: 'off',
  MCP: 'off',
  DRAIN_SECONDS: '15',
  ALERT_EVERY_SECONDS: '90',
  INVOICE_OPERATION: 'on',
  SUPPORT_URL: 'mailto:help@example.com',
}

/** Keys can't be compared as they are. */
function readComparable(environment: Record<string, string>) {
  const { encryptionKeys, ...config } = readConfig(environment)
  return { ...config, keys: encryptionKeys.map(({ id, key }) => [id, key.export().toString('hex')]) }
}

it('trims every variable', () => {
  const padded: Record<string, string> = {}
  for (const [name, value] of Object.entries(everyVariable)) padded[name] = `\uFEFF\t ${value} \r\n`
  expect(readComparable(padded)).toEqual(readComparable(everyVariable))
})

it('reads each variable from the file that NAME_FILE names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const inFiles: Record<string, string> = {}
  for (const [name, value] of Object.entries(everyVariable)) {
    inFiles[`${name}_FILE`] = join(folder, name)
    writeFileSync(join(folder, name), `${value}\n`)
  }
  expect(readComparable(inFiles)).toEqual(readComparable(everyVariable))
  writeFileSync(join(folder, 'SLACK_SIGNING_SECRET'), ' \n')
  expect(readProblems(inFiles)).toContain('  SLACK_SIGNING_SECRET: the app')
})

it.each([
  ['SLACK_SIGNING_SECRET', '/nowhere/secret', 'SLACK_SIGNING_SECRET_FILE: a file that Callboard may read'],
  ['SLACK_BOT_TOKEN', tmpdir(), 'SLACK_BOT_TOKEN_FILE: a file that Callboard may read'],
  ['ENCRYPTION_KEYS', '/nowhere/keys', 'ENCRYPTION_KEYS_FILE: a file that Callboard may read'],
])('refuses %s_FILE=%s in one line without printing it', (name, path, problem) => {
  const { [name]: _, ...others } = everyVariable
  const problems = readProblems({ ...others, [`${name}_FILE`]: path })
  expect(problems.split('\n').slice(1)).toEqual([`  ${problem}`])
})

it.each([
  [{ STORE_URL_FILE: '/nowhere/url' }, 'STORE_URL_FILE: a file'],
  [{ DATABASE_URL_FILE: '/nowhere/url' }, 'DATABASE_URL_FILE: a file'],
  [{ STORE_URL: '"sqlite:data/calls.sqlite"' }, 'STORE_URL: one line, without quotes'],
  [{ STORE_URL: 'mysql://x' }, 'STORE_URL: sqlite:PATH'],
  [{ DATABASE_URL: 'postgres://h/d?sslmode=prefer' }, 'DATABASE_URL: sslmode: disable'],
])('a backup refuses %j instead of taking the default database', (environment, problem) => {
  expect(() => readStoreUrl(environment)).toThrow(problem)
  expect(readStoreUrl({ PORT: '"wrong"' })).toBe('sqlite:data/callboard.sqlite')
})

it('refuses a variable together with its file', () => {
  const problems = readProblems({ ...good, SLACK_BOT_TOKEN_FILE: 'package.json' })
  expect(problems.split('\n').slice(1)).toEqual(['  SLACK_BOT_TOKEN: not together with SLACK_BOT_TOKEN_FILE'])
  expect(readConfig({ ...good, SLACK_BOT_TOKEN_FILE: ' ' }).slack.botToken).toBe(good.SLACK_BOT_TOKEN)
})

it.each(variableNames)('refuses %s by name if it has quotes or a line break, without printing it', (name) => {
  const value = everyVariable[name] ?? 'some-value'
  const [start, end] = [value.slice(0, 1), value.slice(1)]
  const strays = [`"${value}"`, `'${value}'`, `“${value}”`, `${start}\n${end}`, `${start}\u200B${end}`]
  for (const stray of strays) {
    const lines = readProblems({ ...good, [name]: ` ${stray}\n` }).split('\n')
    const named = lines.filter((line) => line.trim().startsWith(`${name}:`))
    expect(named).toEqual([expect.stringContaining('one line, without quotes')])
    expect(lines.join()).not.toContain(stray)
  }
})

const { SLACK_BOT_TOKEN: _token, SLACK_SIGNING_SECRET: _secret, ...neither } = good
const oauth = {
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'client secret',
  SLACK_STATE_SECRET: 'sixteen letters!',
  PUBLIC_URL: 'https://calls.example.com//',
  SUPPORT_URL: 'mailto:help@example.com',
}

const signed = { ...neither, SLACK_SIGNING_SECRET: 'signing' }

it('takes one workspace or many, over HTTP or in Socket Mode', () => {
  const { slack } = readConfig({ ...signed, ...oauth })
  expect(slack.oauth).toMatchObject({ clientId: '1.2', publicUrl: 'https://calls.example.com' })
  expect(slack.botToken).toBeUndefined()
  const socket = { ...neither, SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1' }
  expect(readConfig(socket).slack).toMatchObject({ appToken: 'xapp-1' })
  for (const environment of [socket, { ...socket, SLACK_SIGNING_SECRET: 'signing' }])
    expect(readConfig(environment).slack.signingSecret).toBeUndefined()
})

it.each<[string, Record<string, string | undefined>, readonly string[]]>([
  ['no way in', signed, ['SLACK_BOT_TOKEN']],
  ['two ways in', { ...good, ...oauth }, ['SLACK_BOT_TOKEN']],
  ['nobody to ask for help', { ...signed, ...oauth, SUPPORT_URL: '' }, ['SUPPORT_URL']],
  ['half of OAuth', { ...signed, SLACK_CLIENT_ID: '1' }, Object.keys(oauth).slice(1)],
  [
    'a short state secret',
    { ...signed, ...oauth, SLACK_STATE_SECRET: 'fifteen letters' },
    ['SLACK_STATE_SECRET'],
  ],
  ['no app token', { ...good, SLACK_APP_TOKEN: 'xoxb-1' }, ['SLACK_APP_TOKEN']],
  ['http in public', { ...signed, ...oauth, PUBLIC_URL: 'http://x.example' }, ['PUBLIC_URL']],
])('explains the error in %s, in one line for each variable', (_, environment, names) => {
  const [, ...lines] = readProblems(environment).split('\n')
  expect(lines.map((line) => line.trim().split(':')[0])).toEqual(names)
})

it('lists all missing settings on standard error, and exits with 1', async () => {
  const { PATH } = process.env
  const run = promisify(execFile)(process.execPath, ['src/main.ts'], { env: { PATH, PORT: 'x1y2' } })
  const failed: { code?: number; stderr: string } = await run.catch((error) => error)
  expect(failed.code).toBe(1)
  for (const name of [...Object.keys(good), 'PORT']) expect(failed.stderr).toContain(name)
  expect(failed.stderr).not.toContain('x1y2')
})
