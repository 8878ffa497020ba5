import type { App } from '@slack/bolt'
import { expect, it } from 'vitest'
import { createRoutes } from '../../../src/app.ts'
import { connectRoutes } from '../../../src/slack/routing/router.ts'
import type { EventRoute } from '../../../src/slack/routing/routes.ts'
import { withServices } from '../../support/routes.ts'

const connect = (events: readonly EventRoute[]) =>
  withServices({}, (services) => {
    const { promise: connected, resolve: init } = Promise.withResolvers<App>()
    connectRoutes(
      { init, start: async () => {}, stop: async () => {} },
      { ...createRoutes(services), events },
      services,
    )
    return connected
  })

it('delivers an event to every feature that subscribed to it, even if one of them fails', async () => {
  const received: string[] = []
  const subscriber = (name: string): EventRoute => ({
    event: 'app_uninstalled',
    async handle({ workspace: team }) {
      received.push(`${name} ${team.teamId}`)
      if (name === 'first') throw new Error('a mistake')
    },
  })
  const other: EventRoute = { ...subscriber('other'), event: 'tokens_revoked' }
  const app = await connect([subscriber('first'), subscriber('second'), other])
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'app_uninstalled' } }
  await app.processEvent({ body, ack: async () => {} })
  expect(received).toEqual(['first T1', 'second T1'])
})
