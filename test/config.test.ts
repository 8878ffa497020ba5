import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

const good = {
  SLACK_SIGNING_SECRET: 'signing',
  SLACK_BOT_TOKEN: 'xoxb-1-2-3',
  TELEPHONY_BASE_URL: 'https://voice.example.com/api/v1',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
}

function problemsOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('configuration', () => {
  it('has sensible defaults', () => {
    const config = readConfig({ ...good, HOST: '' })
    expect(config).toMatchObject({
      port: 3000,
      host: undefined,
      storeUrl: 'sqlite:data/callboard.sqlite',
      fetchAhead: true,
      invoiceOperation: false,
    })
    expect(readConfig({ ...good, DATABASE_URL: 'postgres://u:p@h/d' }).storeUrl).toBe('postgres://u:p@h/d')
  })

  it.each([
    ['TELEPHONY_BASE_URL', 'http://voice.example.com/api/v1'],
    ['TELEPHONY_BASE_URL', 'https://voice.example.com/'],
    ['SLACK_API_URL', 'http://slack.example.com/api/'],
    ['ENCRYPTION_KEYS', 'k1:tooshort'],
    ['ENCRYPTION_KEYS', `${good.ENCRYPTION_KEYS},${good.ENCRYPTION_KEYS}`],
    ['PORT', '99999'],
    ['LOG_LEVEL', 'loud'],
    ['STORE_URL', 'mysql://x'],
  ])('refuses %s=%s without printing it', (name, value) => {
    const said = problemsOf({ ...good, [name]: value })
    expect(said).toContain(name)
    expect(said).not.toContain(value)
  })

  it('names everything that is missing at once, on standard error, and exits with 1', async () => {
    const { PATH } = process.env
    const run = promisify(execFile)(process.execPath, ['src/main.ts'], { env: { PATH, PORT: 'x1y2' } })
    const failed = await run.then(
      () => undefined,
      (error: { code: number; stderr: string; stdout: string }) => error,
    )
    expect(failed?.code).toBe(1)
    for (const name of [...Object.keys(good), 'PORT']) expect(failed?.stderr).toContain(name)
    expect(failed?.stderr).not.toContain('x1y2')
  })
})
