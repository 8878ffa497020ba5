import { expect, test } from 'vitest'
import { getError, useFixture } from './fixture.ts'

const fixture = useFixture()
const scoped = useFixture({ scopes: ['chat:write'] })

test('a file is uploaded completely and once, and shared in a conversation, not with a person', async () => {
  const { client, slack } = fixture
  const offer = await client.files.getUploadURLExternal({ filename: 'a', length: 3 })
  const post = async (body: string) => (await fetch(offer.upload_url!, { method: 'POST', body })).status
  const complete = (channel_id: string) =>
    getError(client.files.completeUploadExternal({ files: [{ id: offer.file_id! }], channel_id }))
  expect(await post('abcd')).toBe(400)
  expect(slack.takeViolations()).toMatchObject([{ where: 'upload' }])
  expect(await complete(slack.general.id)).toBe('file_not_found')
  expect([await post('abc'), await post('abc')]).toEqual([200, 404])
  expect(await complete(slack.people.member.id)).toBe('invalid_arguments')
  expect(await complete('C0NOWHERE')).toBe('channel_not_found')
  expect(await complete(slack.general.id)).toBe('none')
})

test('an upload requires a scope, a name and a length', async () => {
  const ask = (filename: string, length: number, { client } = fixture) =>
    getError(client.files.getUploadURLExternal({ filename, length }))
  expect(await ask('a', 1, scoped)).toBe('missing_scope')
  expect(await ask('a', 0)).toBe('missing_argument')
  expect(await ask('', 1)).toBe('missing_argument')
})
