import { readFileSync } from 'node:fs'

/** Prints manifest.yml with PUBLIC_URL filled in, ready to paste into Slack. Usage: PUBLIC_URL=https://… npm run manifest */
const publicUrl = process.env['PUBLIC_URL']?.replace(/\/+$/, '') ?? ''
if (!/^https:\/\/[^\s"]+$/.test(publicUrl) && !/^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(publicUrl)) {
  console.error(
    'Set PUBLIC_URL to the address under which Slack reaches the app, such as https://callboard.example.com',
  )
  process.exit(1)
}
const manifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
process.stdout.write(manifest.replaceAll('PUBLIC_URL', publicUrl))
