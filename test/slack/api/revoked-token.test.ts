import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

it('asks to install the app after the token was revoked, without account details', async () => {
  const { slack } = app
  slack.workspace.botToken = 'xoxb-another'
  const answer = await slack.as(slack.people.owner).command('/calls')
  expect(answer).toShow('Ask a workspace admin to install it')
  expect(answer.blocks).toHaveLength(1)
})
