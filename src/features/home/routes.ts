import { z } from 'zod'
import { scheduleLine } from '../../scheduler/schedule-text.ts'
import type { Services } from '../../services.ts'
import { MOST_CHANNEL_SETTINGS } from '../../slack/access/workspaces.ts'
import { askSlack } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import { ConnectionMonitor } from './connection-monitor.ts'
import { type AdminPart, homeView, mostLines } from './view.ts'

const homeOpened = z.object({ user: z.string(), tab: z.string().optional() })

/** The home tab: published when it is opened, and when the person who looks at it has changed something. */
export function home({
  store,
  telephony,
  workspaces,
  guards,
  scheduler,
  audit,
  webApi,
  log,
  now,
}: Services): FeatureRoutes {
  const connection = new ConnectionMonitor({ store, telephony, log, now })

  async function adminPart(tenant: TenantKey): Promise<AdminPart> {
    const [connectedBy, isConnected, record, channels, schedules, entries] = await Promise.all([
      workspaces.connectedBy(tenant),
      store.credentials.has(tenant),
      connection.of(tenant),
      store.channelSettings.names(tenant, MOST_CHANNEL_SETTINGS + 1),
      scheduler.list(tenant),
      store.audit.latest(tenant, { limit: mostLines }),
    ])
    const zones = channels.slice(0, mostLines).map(async (channel) => ({
      channel,
      zone: (await store.channelSettings.get(tenant, channel))?.zone ?? '',
    }))
    return {
      connectedBy,
      isUnreadable: isConnected && connectedBy === undefined,
      connection: record,
      channelZones: (await Promise.all(zones)).filter(({ zone }) => zone !== ''),
      otherChannels:
        channels.length > MOST_CHANNEL_SETTINGS
          ? Number.POSITIVE_INFINITY
          : Math.max(0, channels.length - mostLines),
      schedules: schedules.map((one) => scheduleLine(one, new Date(now()))),
      audit: entries,
    }
  }

  async function publish(of: Tenant, userId: string): Promise<void> {
    const { team, tenant, person, installation } = await guards.admit(of, userId, 'anyone')
    const { zone } = await workspaces.zone(tenant, '', person)
    const admin = person.isAdmin ? await adminPart(tenant) : undefined
    const managers = await guards.managers(tenant, installation)
    const view = homeView({ team, zone, now: new Date(now()), isMember: person.isMember, managers, admin })
    const { botToken: token } = installation
    await askSlack('views.publish', webApi.views.publish({ token, user_id: person.id, view }))
  }

  audit.on('recorded', ({ team, person }) => {
    publish(team, person.id).catch((error: unknown) =>
      log.warn({ err: error }, 'a home tab was not published'),
    )
  })

  return {
    events: [
      {
        event: 'app_home_opened',
        async handle({ team, event }) {
          const { user, tab } = homeOpened.parse(event)
          if (tab !== undefined && tab !== 'home') return
          await publish(team, user)
        },
      },
    ],
  }
}
