import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startSlack } from '../../../dev/slack/slack.ts'

it("npm run blocks:check sends the gallery's samples to blocks.validate", async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const env = { ...process.env, SLACK_API_URL: slack.apiUrl }
  const { stdout } = await promisify(execFile)(process.execPath, ['dev/scripts/blocks-check.ts'], { env })
  expect(stdout).toContain('Slack takes all of them.')
  expect(stdout).not.toMatch(/^refused/m)
  expect(slack.callsTo('blocks.validate').length).toBeGreaterThan(100)
}, 180_000)
