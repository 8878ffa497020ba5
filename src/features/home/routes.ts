import { z } from 'zod'
import type { Services } from '../../services.ts'
import { type Actor, areasFor, managersOf } from '../../slack/access/guards.ts'
import { MOST_CHANNEL_SETTINGS } from '../../slack/access/workspaces.ts'
import { askSlack } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { AccessRecord, Area } from '../../store/workspaces.ts'
import type { EpochMs } from '../../util/units.ts'
import { ConnectionMonitor } from './connection-monitor.ts'
import {
  type AccountState,
  type AdminPart,
  homeView,
  MOST_CHANNELS,
  MOST_ENTRIES,
  type PlannedPart,
} from './view.ts'

const homeOpened = z.object({ user: z.string(), tab: z.string().optional() })

/** The home tab: published when it is opened, and when the person has changed what it shows. */
export function home(
  { store, telephony, workspaces, guards, homeTab, webApi, log, now }: Services,
  readPlanned: (actor: Actor, may: readonly Area[], isConnected: boolean) => Promise<PlannedPart>,
): FeatureRoutes {
  const connection = new ConnectionMonitor({ store, telephony, log, now })

  const accountState = async (tenant: TenantKey): Promise<AccountState> =>
    (await store.credentials.has(tenant)) ? 'unreadable' : 'not-connected'

  async function adminPart(
    tenant: TenantKey,
    viewer: string,
    rules: AccessRecord,
    connectedAt: EpochMs | undefined,
  ): Promise<AdminPart> {
    const [record, channels, entries] = await Promise.all([
      connection.of(tenant),
      store.channelSettings.names(tenant, MOST_CHANNEL_SETTINGS + 1),
      store.audit.latest(tenant, { limit: MOST_ENTRIES }),
    ])
    const zones = channels.slice(0, MOST_CHANNELS).map(async (channel) => ({
      channel,
      zone: (await store.channelSettings.get(tenant, channel))?.zone ?? '',
    }))
    return {
      viewer,
      rules,
      connection: connectedAt === undefined ? undefined : { connectedAt, record },
      channelZones: (await Promise.all(zones)).filter(({ zone }) => zone !== ''),
      otherChannels:
        channels.length > MOST_CHANNEL_SETTINGS
          ? Number.POSITIVE_INFINITY
          : Math.max(0, channels.length - MOST_CHANNELS),
      audit: entries,
    }
  }

  async function publish(of: Tenant, userId: string): Promise<void> {
    const actor = await guards.admit(of, userId, 'anyone')
    const { team, tenant, person, installation } = actor
    const [{ zone }, rules, credentials] = await Promise.all([
      workspaces.zone(tenant, '', person),
      guards.rules(tenant),
      whereReadable(store.credentials.get(tenant)),
    ])
    const may = areasFor(rules, person)
    const isConnected = credentials !== undefined
    const view = homeView({
      team,
      zone,
      now: new Date(now()),
      isMember: person.isMember,
      managers: managersOf(installation, rules.administrators),
      account: isConnected ? 'connected' : await accountState(tenant),
      areas: may,
      planned: person.isMember ? await readPlanned(actor, may, isConnected) : undefined,
      admin: person.isAdmin ? await adminPart(tenant, person.id, rules, credentials?.connectedAt) : undefined,
    })
    const { botToken: token } = installation
    await askSlack('views.publish', webApi.views.publish({ token, user_id: person.id, view }))
  }

  homeTab.on('outdated', ({ team, person }) => {
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
