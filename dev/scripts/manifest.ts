import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse, stringify } from 'yaml'
import { isSafeOrigin } from '../../src/config/config.ts'

/**
 * Prints manifest.yml ready to paste into Slack, with PUBLIC_URL in place of its example address. Usage:
 * `PUBLIC_URL=https://… npm run manifest -- [--socket] [--only-callboard] [--json]`
 *
 * - `--socket`: for Socket Mode, whose only address is the redirect URL of OAuth if PUBLIC_URL is set.
 * - `--only-callboard`: without the short commands, if another app uses their names.
 * - `--json`: the format of `get-manifest` for Slack's command line.
 *
 * With `MCP=off`, and over Socket Mode, Slackbot has no tools: their scope and address are left out.
 */
const values = readOptions()
if (existsSync('.env')) process.loadEnvFile()

const exampleUrl = 'https://callboard.example.com'
/** Fields of the manifest that contain Slack's request URLs. */
const requestUrls = ['url', 'request_url', 'message_menu_options_url']
const isCallboard = (one: unknown) =>
  typeof one === 'object' && one !== null && 'command' in one && one.command === '/callboard'

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const
  // Slack's command line adds the project's folder, whose name may contain spaces.
  const options = { socket: flag, 'only-callboard': flag, json: flag, source: { type: 'string' } } as const
  try {
    return parseArgs({ options, allowPositionals: true }).values
  } catch {
    return fail('Unknown option. npm run manifest -- accepts --socket, --only-callboard and --json.')
  }
}

function readPublicUrl(): string | undefined {
  const publicUrl = process.env['PUBLIC_URL']?.trim().replace(/\/+$/, '') ?? ''
  if (publicUrl === '' && values.socket) return undefined
  if (isSafeOrigin(publicUrl)) return publicUrl
  return fail(
    'Set PUBLIC_URL to the address under which Slack reaches the app, without a path, such as https://calls.example.com',
  )
}

const publicUrl = readPublicUrl()
const hasTools = !values.socket && process.env['MCP']?.trim() !== 'off'
const text = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')
const manifest: unknown = parse(text, (key: unknown, value: unknown) => {
  if (values.socket && requestUrls.includes(String(key))) return undefined
  if (key === 'redirect_urls' && publicUrl === undefined) return undefined
  if (key === 'mcp_servers' && !hasTools) return undefined
  if ((key === 'bot' || key === 'bot_optional') && Array.isArray(value) && !hasTools)
    return value.filter((scope) => scope !== 'mcp:connect')
  if (key === 'socket_mode_enabled') return values.socket
  if (key === 'slash_commands' && Array.isArray(value) && values['only-callboard'])
    return value.filter(isCallboard)
  return typeof value === 'string' && value.startsWith(exampleUrl) && publicUrl !== undefined
    ? publicUrl + value.slice(exampleUrl.length)
    : value
})
process.stdout.write(values.json ? `${JSON.stringify(manifest)}\n` : stringify(manifest, { lineWidth: 0 }))
