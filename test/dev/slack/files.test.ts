import { expect, test } from 'vitest'
import { getError, useFixture } from './fixture.ts'

const fixture = useFixture()
const scoped = useFixture({ scopes: ['chat:write'] })

/** Uploads a file that isn't shared yet, and returns its id. */
async function upload(content = 'a,b'): Promise<string> {
  const { client } = fixture
  const offer = await client.files.getUploadURLExternal({ filename: 'a.csv', length: content.length })
  const response = await fetch(offer.upload_url!, { method: 'POST', body: content })
  expect(await response.text()).toBe(`OK - ${content.length}`)
  return offer.file_id!
}

test('an uploaded file can be shared in a conversation', async () => {
  const { client, slack } = fixture
  const { channel } = await client.chat.postMessage({ channel: slack.people.member.id, text: 'Here:' })
  const id = await upload()
  expect(slack.messages()).toHaveLength(1)
  await client.files.completeUploadExternal({ files: [{ id, title: 'A file' }], channel_id: channel! })
  const [, message] = slack.messages()
  expect(message).toMatchObject({
    channel,
    text: '',
    files: [{ id, title: 'A file', content: Buffer.from('a,b') }],
  })
  expect(slack.files).toHaveLength(1)
})

test("a file can't be shared with a person's id", async () => {
  const { client, slack } = fixture
  const files: [{ id: string }] = [{ id: await upload() }]
  const complete = (channel_id: string) =>
    getError(client.files.completeUploadExternal({ files, channel_id }))
  expect(await complete(slack.people.member.id)).toBe('invalid_arguments')
  expect(await complete('C0NOWHERE')).toBe('channel_not_found')
})

test('a file is uploaded completely, and once', async () => {
  const { client, slack } = fixture
  const { upload_url: url, file_id: id } = await client.files.getUploadURLExternal({
    filename: 'a',
    length: 3,
  })
  const post = (body: string) => fetch(url!, { method: 'POST', body })
  expect((await post('abcd')).status).toBe(400)
  expect(slack.takeViolations()).toMatchObject([{ where: 'upload' }])
  expect(await getError(client.files.completeUploadExternal({ files: [{ id: id! }] }))).toBe('file_not_found')
  expect((await post('abc')).status).toBe(200)
  expect((await post('abc')).status).toBe(404)
})

test('an upload requires a scope, a name and a length', async () => {
  const ask = (filename: string, length: number, { client } = fixture) =>
    getError(client.files.getUploadURLExternal({ filename, length }))
  expect(await ask('a', 1, scoped)).toBe('missing_scope')
  expect(await ask('a', 0)).toBe('missing_argument')
  expect(await ask('', 1)).toBe('missing_argument')
})
