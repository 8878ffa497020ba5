import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const manifest = parse(readFileSync('manifest.yml', 'utf8'))

it("is what Slack's own schema accepts", () => {
  const schema = JSON.parse(readFileSync('test/fixtures/slack-manifest.schema.json', 'utf8'))
  const url = (text: string) => URL.canParse(text)
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { uri: url, url } })
  const filled = JSON.parse(
    JSON.stringify(manifest).replaceAll('PUBLIC_URL', 'https://callboard.example.com'),
  )
  const isValid = ajv.compile(schema)
  isValid(filled)
  expect(isValid.errors ?? []).toEqual([])
})

it('declares the commands and scopes that the code uses, and no other', () => {
  expect(manifest.features.slash_commands.map(({ command }: { command: string }) => command)).toEqual([
    '/calls',
    '/callboard',
  ])
  expect(manifest.features.slash_commands.every((one: { should_escape: boolean }) => one.should_escape)).toBe(
    true,
  )
  expect(manifest.oauth_config.scopes.bot).toEqual(['commands', 'users:read'])
})

it('is printed with the address filled in', () => {
  const printed = execFileSync(process.execPath, ['scripts/manifest.ts'], {
    env: { ...process.env, PUBLIC_URL: 'https://calls.example.com/' },
    encoding: 'utf8',
  })
  expect(parse(printed).settings.interactivity.request_url).toBe('https://calls.example.com/slack/events')
  expect(printed).not.toContain('PUBLIC_URL')
})
