import { readFileSync } from 'node:fs'

/**
 * Prints manifest.yml ready to paste into Slack, with PUBLIC_URL filled in, or with `--socket` for Socket Mode, which has no
 * address. Usage: PUBLIC_URL=https://… npm run manifest; npm run manifest -- --socket
 */
const manifest = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')

function forSocketMode(): string {
  const withoutAddresses = manifest.split('\n').filter((line) => !/PUBLIC_URL|redirect_urls:/.test(line))
  return withoutAddresses.join('\n').replace('socket_mode_enabled: false', 'socket_mode_enabled: true')
}

function forHttp(): string {
  const publicUrl = process.env['PUBLIC_URL']?.replace(/\/+$/, '') ?? ''
  const isAddress =
    /^https:\/\/[^\s"]+$/.test(publicUrl) || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(publicUrl)
  if (!isAddress) {
    console.error(
      'Set PUBLIC_URL to the address under which Slack reaches the app, such as https://callboard.example.com',
    )
    process.exit(1)
  }
  return manifest.replaceAll('PUBLIC_URL', publicUrl)
}

process.stdout.write(process.argv.includes('--socket') ? forSocketMode() : forHttp())
