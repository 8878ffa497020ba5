import { z } from 'zod'
import type { Services } from '../../services.ts'
import { type Actor, areasFor, managersOf } from '../../slack/access/guards.ts'
import { MOST_CHANNEL_SETTINGS } from '../../slack/access/workspaces.ts'
import { askSlack, SlackUnavailableError } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { AccessRecord, Area } from '../../store/workspaces.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import type { Account } from '../../telephony/types.ts'
import { rangeOffset } from '../../time/ranges.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { ConnectionMonitor } from './connection-monitor.ts'
import {
  type AccountState,
  type AdminPart,
  homeView,
  MOST_CHANNELS,
  MOST_ENTRIES,
  type PlannedPart,
} from './view.ts'
import type { TodayFigures } from './words.ts'

/** The tab is published without the figures of today where the phone service takes longer. */
const figuresWithinMs: Milliseconds = 700
/** Whoever opens the tab later sees new ones; what brings it up to date meanwhile asks for none. */
const figuresFreshForMs: Milliseconds = minuteMs
const figuresKeptForMs: Milliseconds = 10 * minuteMs

/** Where Slack was not reached, and says no time. */
const publishAgainAfterMs: Milliseconds = 3000

const homeOpened = z.object({ user: z.string(), tab: z.string().optional() })

/** The home tab: published when it is opened, and when the person has changed what it shows. */
export function home(
  { config, store, telephony, workspaces, guards, homeTab, webApi, log, now }: Services,
  readPlanned: (actor: Actor, may: readonly Area[], isConnected: boolean) => Promise<PlannedPart>,
): FeatureRoutes {
  const connection = new ConnectionMonitor({ store, telephony, log, now })
  const figures = new AccountCache<TodayFigures & { readonly at: EpochMs }>(store, {
    max: 1000,
    ttlMs: figuresKeptForMs,
    now,
  })

  /** None where the phone service says none. Rejects never. */
  async function today(account: Account, zone: Zone, isOpened: boolean): Promise<TodayFigures | undefined> {
    const at = new Date(now())
    const day = localDay(zone, at)
    const range = { from: day, to: day }
    const asked = { direction: 'incoming', offset: rangeOffset(zone, range, at), ...range, page: 1 } as const
    const read = async () => {
      const queries = [asked, { ...asked, status: 'missed' } as const]
      const [all, missed] = await Promise.all(queries.map((query) => telephony.calls(account, query)))
      if (all?.total === undefined || missed?.total === undefined) throw new TypeError('no totals')
      return { calls: all.total, missed: missed.total, at: now() }
    }
    const known = figures.get(account, asked)
    if (!isOpened || (known && at.getTime() - known.at < figuresFreshForMs)) return known
    return figures.keep(account, asked, read()).catch(() => undefined)
  }

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

  async function publish(of: Tenant, userId: string, isOpened = false): Promise<void> {
    const actor = await guards.admit(of, userId, 'anyone')
    const { team, tenant, person, installation } = actor
    const [{ zone }, rules, credentials] = await Promise.all([
      workspaces.zone(tenant, '', person),
      guards.rules(tenant),
      whereReadable(store.credentials.get(tenant)),
    ])
    const may = areasFor(rules, person)
    const isConnected = credentials !== undefined
    const reading =
      credentials && person.isMember && may.includes('calls')
        ? today({ tenant, credentials: { key: credentials.key, secret: credentials.secret } }, zone, isOpened)
        : undefined
    const [planned, admin, soon] = await Promise.all([
      person.isMember ? readPlanned(actor, may, isConnected) : undefined,
      person.isAdmin ? adminPart(tenant, person.id, rules, credentials?.connectedAt) : undefined,
      reading && withTimeout(reading, figuresWithinMs),
    ])
    const view = homeView({
      team,
      zone,
      now: new Date(now()),
      isMember: person.isMember,
      managers: managersOf(installation, rules.administrators),
      account: isConnected ? 'connected' : await accountState(tenant),
      areas: may,
      today: soon === timedOut ? undefined : soon,
      supportUrl: config.supportUrl,
      planned,
      admin,
    })
    const { botToken: token } = installation
    await askSlack('views.publish', webApi.views.publish({ token, user_id: person.id, view }))
    // By then they are known, and what else has changed meanwhile.
    if (soon === timedOut && (await reading)) await publish(of, userId)
  }

  /** By team and person: those whose later try is still to come. It shows what holds then, so one is enough. */
  const waiting = new Set<string>()

  /** Once more a little later, where Slack takes nothing now. @throws what keeps it from being published now */
  async function publishOrLater(of: Tenant, userId: string, isOpened = false): Promise<void> {
    try {
      await publish(of, userId, isOpened)
    } catch (error) {
      const key = `${of.teamId}/${userId}`
      if (error instanceof SlackUnavailableError && !waiting.has(key)) {
        waiting.add(key)
        const again = () => {
          waiting.delete(key)
          publish(of, userId).catch(notPublished)
        }
        setTimeout(again, error.retryAfterMs ?? publishAgainAfterMs).unref()
      }
      throw error
    }
  }

  const notPublished = (error: unknown) => log.warn({ err: error }, 'a home tab was not published')

  homeTab.on('outdated', ({ team, person }) => {
    publishOrLater(team, person.id).catch(notPublished)
  })

  return {
    events: [
      {
        event: 'app_home_opened',
        async handle({ team, event }) {
          const { user, tab } = homeOpened.parse(event)
          if (tab !== undefined && tab !== 'home') return
          await publishOrLater(team, user, true)
        },
      },
    ],
  }
}
