import { Agent } from 'undici'
import { expect, it } from 'vitest'
import { createLog, slackLogger } from '../../../src/log.ts'
import { createFetch, SlackWebApi } from '../../../src/slack/api/web-api.ts'

it('answers a workspace while Slack hangs for 150 people of another', async () => {
  const { promise: until, resolve: end } = Promise.withResolvers<Response>()
  let hanging = 0
  const webApi = new SlackWebApi('https://slack.example.com/api/', {
    timeout: 60_000,
    logger: slackLogger(createLog('silent').log),
    fetch: async (_url, { headers } = {}) => {
      if (new Headers(headers).get('authorization') === 'Bearer other') return Response.json({ ok: true })
      hanging += 1
      return (await until).clone()
    },
  })
  const waiting = Array.from({ length: 150 }, () => webApi.auth.test({ token: 'hanging' }))
  expect(await webApi.auth.test({ token: 'other' })).toMatchObject({ ok: true })
  expect(hanging).toBe(150)
  end(Response.json({ ok: true }))
  await Promise.all(waiting)
})

it("ends a request with its client's time", async () => {
  const request = createFetch(new Agent())('http://127.0.0.1:1', { signal: AbortSignal.abort('late') })
  await expect(request).rejects.toBe('late')
})
