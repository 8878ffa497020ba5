import { expect, it } from 'vitest'
import { createLog, slackLogger } from '../../../src/log.ts'
import { SlackWebApi } from '../../../src/slack/api/web-api.ts'

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
