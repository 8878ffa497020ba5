import { expect, it } from 'vitest'
import { useHouse } from '../../support/app.ts'

const house = useHouse()

it('says what is the matter where the token was revoked, and nothing of the account', async () => {
  const { slack, connect, ask } = house()
  await connect()
  slack.workspace.botToken = 'xoxb-another'
  const answer = await ask('', slack.people.owner)
  expect(answer.text).toContain('An admin can install it there again')
  expect(answer.blocks).toHaveLength(1)
})
