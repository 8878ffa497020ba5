import type { App } from '@slack/bolt'
import { expect, it } from 'vitest'
import { connectRoutes } from '../../../src/slack/routing/listeners.ts'
import type { EventRoute, FeatureRoutes, Handler, Routes } from '../../../src/slack/routing/routes.ts'
import { withServices } from '../../support/routes.ts'

const noRoutes: Routes = {
  commands: [],
  actions: [],
  shortcuts: [],
  submissions: [],
  options: [],
  events: [],
  http: [],
  signed: [],
  tools: [],
  jobs: [],
  background: [],
}

const connect = (routes: FeatureRoutes) =>
  withServices({}, (services) => {
    const { promise: connected, resolve: init } = Promise.withResolvers<App>()
    connectRoutes({ init, start: async () => {}, stop: async () => {} }, { ...noRoutes, ...routes }, services)
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
  const app = await connect({ events: [subscriber('first'), subscriber('second'), other] })
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'app_uninstalled' } }
  await app.processEvent({ body, ack: async () => {} })
  expect(received).toEqual(['first T1', 'second T1'])
})

const handler: Handler<object> = { needs: 'member', handle: async () => undefined }
const action = (name: string, option?: string) => ({
  action: name,
  option,
  replacesOriginal: true,
  ...handler,
})
const submission = { needs: 'member', view: 'a', handle: async () => ({ errors: {} }) } as const
const options = { needs: 'member', action: 'a', handle: async () => [] } as const
const command = { ...handler, command: 'calls', word: 'a' }
const general = { ...handler, command: 'calls' }
const shortcut = { ...handler, opensModal: true, shortcut: 'a' } as const

it.each<[string, FeatureRoutes]>([
  ['command calls a', { commands: [command, command] }],
  ['command calls', { commands: [general, general] }],
  ['action a', { actions: [action('a'), action('a')] }],
  ['action a b', { actions: [action('a', 'b'), action('a', 'b')] }],
  ['shortcut a', { shortcuts: [shortcut, shortcut] }],
  ['view a', { submissions: [submission, submission] }],
  ['menu a', { options: [options, options] }],
])('refuses to start with two routes for the %s', async (id, routes) => {
  await expect(connect(routes)).rejects.toThrow(`two routes for the ${id}`)
})

it('accepts several options of one menu', async () => {
  await connect({ actions: [action('a'), action('a', 'b'), action('a', 'c')], commands: [command] })
})
