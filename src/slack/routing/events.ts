import type { App } from '@slack/bolt'
import type { Tenant } from '../../store/tenant.ts'
import { eventPayload, parsePayload } from '../inbound/payloads.ts'
import type { Visits } from './interactions.ts'
import type { EventRoute } from './routes.ts'

/** Registers the routes of Slack's Events API with Bolt, which acknowledges events by itself. */
export function registerEvents(app: App, events: readonly EventRoute[], visits: Visits): void {
  app.event(/.*/, async ({ body }) => {
    const payload = parsePayload(eventPayload, body, 'event')
    const { team_id, enterprise_id, event, event_time, authorizations } = payload
    const route = events.find((one) => one.event === event.type)
    if (!route) return
    const [authorization] = authorizations
    const tenant: Tenant = {
      enterpriseId: enterprise_id ?? authorization?.enterprise_id ?? undefined,
      // An organisation's id is no team's.
      teamId: team_id?.startsWith('E') ? '' : (team_id ?? ''),
    }
    const isOrganisation = authorization?.is_enterprise_install ?? tenant.teamId === ''
    await visits.run(`event ${route.event}`, () =>
      route.handle({ tenant, isOrganisation, at: event_time * 1000, event }),
    )
  })
}
