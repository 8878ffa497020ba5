import { z } from 'zod'
import type { Log } from '../../log.ts'
import type { Guards, Visitor } from '../../slack/access/guards.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import type { Homes } from '../../slack/api/home-tabs.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import type { Store } from '../../store/store.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { Connection } from './connection-monitor.ts'
import { type AdminPart, homeView } from './view.ts'

export interface HomeDeps {
  readonly store: Store
  readonly workspace: Workspace
  readonly connection: Pick<Connection, 'of'>
  readonly guards: Guards
  readonly homes: Homes
  /** A tenant's schedules, each in a line of mrkdwn. */
  readonly scheduleLines: (tenant: TenantKey) => Promise<readonly string[]>
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
}

export interface Home extends FeatureRoutes {
  /** Publishes the home tab of somebody who has just changed something, in the background. */
  changed(whose: { readonly visitor: Visitor }): void
}

const opened = z.object({ user: z.string(), tab: z.string().optional() })

/** The home tab: published when it is opened, and when the person who looks at it has changed something. */
export function createHome(deps: HomeDeps): Home {
  const { store, workspace, connection, guards, homes, scheduleLines, log, now } = deps

  async function adminPart(tenant: TenantKey): Promise<AdminPart> {
    const [credentials, seen, channels, schedules, audit] = await Promise.all([
      store.credentials.get(tenant),
      connection.of(tenant),
      store.channelSettings.names(tenant),
      scheduleLines(tenant),
      store.audit.latest(tenant),
    ])
    const zones = channels.map(async (channel) => ({
      channel,
      zone: (await store.channelSettings.get(tenant, channel))?.zone ?? '',
    }))
    const channelZones = (await Promise.all(zones)).filter(({ zone }) => zone !== '')
    return { connectedBy: credentials?.connectedBy, connection: seen, channelZones, schedules, audit }
  }

  async function publish({ teamOf, person, installation }: Visitor): Promise<void> {
    const tenant = tenantKey(teamOf)
    const { zone } = await workspace.zone(tenant, '', person)
    const admin = person.isAdmin ? await adminPart(tenant) : undefined
    const view = homeView({ tenant: teamOf, zone, now: new Date(now()), isMember: person.isMember, admin })
    await homes.publish(installation, person.id, view)
  }

  return {
    changed({ visitor }) {
      publish(visitor).catch((error: unknown) => log.warn({ err: error }, 'a home tab was not published'))
    },
    events: [
      {
        event: 'app_home_opened',
        async handle({ tenant, event }) {
          const { user, tab } = opened.parse(event)
          if (tab !== undefined && tab !== 'home') return
          await publish(await guards.admit(tenant, user, 'anyone'))
        },
      },
    ],
  }
}
