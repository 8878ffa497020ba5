import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'
import { getColumn } from '../../support/shown.ts'
import { createSlackbot } from '../slackbot/slackbot.ts'
import { createCall } from './calls.ts'

const recordingsBaseUrl = 'https://recordings.example.com/'
const app = useApp({ connected: true, config: { recordingsBaseUrl } })

it('links recordings for people who may listen, and never in a channel or in Slackbot', async () => {
  const { member, sandbox } = app
  const at = new Date(Date.now() - 60_000)
  // The links stay although all rows have a recording. The third link would be too long for Slack.
  const number = '+390699990042'
  for (const recording of ['a.mp3', 'b.mp3', 'c'.repeat(3000)])
    sandbox.accounts.lively.addCalls(createCall(number, at, { recording }))
  const recorded = await member.command(`/calls number:${number}`)
  expect(JSON.stringify(recorded.blocks)).toContain('filename=b.mp3')
  const list = await member.command('/calls outgoing')
  expect(JSON.stringify(list.blocks)).toContain(`${recordingsBaseUrl}download_file.php?filename=a.mp3`)
  const shared = await sharePage(app, member, list)
  expect(getColumn(shared, 'Recording')[0]).toBe('Yes')
  expect(shared).not.toShow(recordingsBaseUrl)
  const ask = (await createSlackbot(app)).call('list_calls', { direction: 'outgoing' }, member.user)
  expect(JSON.stringify(await ask)).not.toContain(recordingsBaseUrl)
})
