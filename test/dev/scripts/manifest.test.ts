import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { botScopes } from '../../../src/features/install/routes.ts'
import { registeredRoutes } from '../../support/routes.ts'

const manifest = parse(readFileSync('manifest.yml', 'utf8'))

/** The file has the parts of Slack's schema that the manifest uses. */
function schemaErrors(given: unknown): unknown[] {
  const schema = JSON.parse(readFileSync('test/fixtures/slack-manifest.schema.json', 'utf8'))
  const url = (text: string) => URL.canParse(text)
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { uri: url, url } })
  const isValid = ajv.compile(schema)
  isValid(given)
  return isValid.errors ?? []
}

function printed(env: Record<string, string>, ...options: string[]): string {
  const args = ['dev/scripts/manifest.ts', ...options]
  return execFileSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' })
}

it('declares the commands, scopes and events that the code uses, and no other', async () => {
  const { commands, shortcuts, events } = await registeredRoutes()
  const { slash_commands: declared, shortcuts: declaredShortcuts } = manifest.features
  const names = new Set(commands.map(({ command }) => `/${command}`))
  expect(declared.map(({ command }: { command: string }) => command).sort()).toEqual([...names].sort())
  expect(declared.every((one: { should_escape: boolean }) => one.should_escape)).toBe(true)
  const shortcutIds = declaredShortcuts.map((one: { callback_id: string }) => one.callback_id)
  expect(shortcutIds).toEqual(shortcuts.map(({ shortcut }) => shortcut))
  const { bot, bot_optional } = manifest.oauth_config.scopes
  expect(bot).toEqual(botScopes)
  expect(bot_optional).toEqual(['channels:join', 'files:write', 'mcp:connect'])
  const { bot_events: subscribed } = manifest.settings.event_subscriptions
  expect(subscribed.toSorted()).toEqual(events.map(({ event }) => event).sort())
})

it("is accepted by Slack's schema, also as printed with PUBLIC_URL", () => {
  expect(schemaErrors(manifest)).toEqual([])
  const text = printed({ PUBLIC_URL: 'https://calls.example.com/' })
  expect(parse(text).settings.interactivity.request_url).toBe('https://calls.example.com/slack/events')
  expect(text).not.toContain('PUBLIC_URL')
  expect(schemaErrors(parse(text))).toEqual([])
  expect(printed({ PUBLIC_URL: 'http://[::1]:3000' })).toContain('http://[::1]:3000/slack/events')
})

it('is printed for Socket Mode without any address except the redirect URL of OAuth', () => {
  const text = printed({ PUBLIC_URL: '' }, '--socket')
  expect(text).not.toContain('url')
  expect(parse(text).settings.socket_mode_enabled).toBe(true)
  expect(parse(text).settings.interactivity.is_enabled).toBe(true)
  expect(schemaErrors(parse(text))).toEqual([])
  const withOAuth = parse(printed({ PUBLIC_URL: 'https://calls.example.com' }, '--socket'))
  expect(withOAuth.oauth_config.redirect_urls).toEqual(['https://calls.example.com/slack/oauth_redirect'])
  expect(JSON.stringify(withOAuth).match(/https:/g)).toHaveLength(1)
  expect(schemaErrors(withOAuth)).toEqual([])
})

it('contains the address and scope of the tools, unless they are off', () => {
  const url = { PUBLIC_URL: 'https://calls.example.com' }
  const whole = parse(printed(url))
  const address = { url: 'https://calls.example.com/slack/mcp', auth_type: 'slack_identity_auth' }
  expect(whole.mcp_servers).toEqual({ callboard: address })
  expect(whole.oauth_config.scopes.bot).toContain('mcp:connect')
  for (const without of [printed({ ...url, MCP: 'off' }), printed(url, '--socket')]) {
    expect(without).not.toContain('mcp')
    expect(parse(without).oauth_config.scopes.bot).toContain('users:read')
    expect(schemaErrors(parse(without))).toEqual([])
  }
})

it('is printed without the short commands if another app uses their names', () => {
  const whole = parse(printed({ PUBLIC_URL: 'https://calls.example.com' }))
  const alone = parse(printed({ PUBLIC_URL: 'https://calls.example.com' }, '--only-callboard'))
  expect(alone.features.slash_commands).toEqual([whole.features.slash_commands.at(-1)])
  expect(alone.features.slash_commands[0].command).toBe('/callboard')
  expect({ ...alone, features: null }).toEqual({ ...whole, features: null })
  expect(schemaErrors(alone)).toEqual([])
})
