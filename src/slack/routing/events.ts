import type { App } from '@slack/bolt'
import type { Tenant } from '../../store/tenant.ts'
import { eventPayload, parsePayload } from '../inbound/payloads.ts'
import type { Interactions } from './interactions.ts'
import type { EventRoute } from './routes.ts'

/** Hands over what Slack's Events API tells; Bolt acknowledges events by itself. */
export function handleEvents(app: App, routes: readonly EventRoute[], interactions: Interactions): void {
  app.event(/.*/, async ({ body }) => {
    const payload = parsePayload(eventPayload, body, 'event')
    const { team_id, enterprise_id, event, event_time, authorizations } = payload
    const route = routes.find((one) => one.event === event.type)
    if (!route) return
    const [authorization] = authorizations
    const team: Tenant = {
      enterpriseId: enterprise_id ?? authorization?.enterprise_id ?? undefined,
      // An organisation's id is no team's.
      teamId: team_id?.startsWith('E') ? '' : (team_id ?? ''),
    }
    const isOrganisation = authorization?.is_enterprise_install ?? team.teamId === ''
    await interactions.run(`event ${route.event}`, () =>
      route.handle({ team, isOrganisation, at: event_time * 1000, event }),
    )
  })
}
