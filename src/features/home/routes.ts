import { z } from 'zod'
import type { Services } from '../../services.ts'
import { areasFor } from '../../slack/access/guards.ts'
import { askSlack, SlackUnavailableError } from '../../slack/api/web-api.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { findOpenAlerts } from '../calls/open-alerts.ts'
import type { ListedKind } from '../subscriptions/routes.ts'
import { HomeSubscriptions, takeOver } from './subscriptions.ts'
import { type ServiceReply, TodayReader } from './today.ts'
import { type AdminPart, homeView, MAX_AUDIT_ENTRIES, MAX_CHANNELS } from './view.ts'

/** The tab is published without today's figures if the phone service takes longer, and again once it replied. */
const REPLY_TIMEOUT_MS: Milliseconds = 700
/** Used if Slack couldn't be reached and named no `Retry-After`. */
const RETRY_INTERVAL_MS: Milliseconds = 3000

/** Builds and publishes the Home tab of one person at a time. */
class HomePublisher {
  readonly #services
  readonly #subscriptions
  readonly #today
  /** Timers of retries by team and person. */
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isStopped = false

  constructor(services: Services, subscriptions: HomeSubscriptions) {
    this.#services = services
    this.#subscriptions = subscriptions
    this.#today = new TodayReader(services)
  }

  /** Publishes the tab. If Slack is unavailable, tries once more later. @throws {SlackError | StoreError} for the first attempt */
  async publish(team: Tenant, userId: string, isOpened: boolean): Promise<void> {
    try {
      await this.#publishOnce(team, userId, isOpened)
    } catch (error) {
      if (error instanceof SlackUnavailableError) this.#retryLater(team, userId, error.retryAfterMs)
      throw error
    }
  }

  /** Cancels the retries, because the process stops. */
  stop(): void {
    this.#isStopped = true
    for (const timer of this.#retries.values()) clearTimeout(timer)
  }

  #retryLater(team: Tenant, userId: string, afterMs = RETRY_INTERVAL_MS): void {
    const key = `${team.teamId}/${userId}`
    if (this.#isStopped || this.#retries.has(key)) return
    const retry = () => {
      this.#retries.delete(key)
      this.#publishOnce(team, userId, false).catch((error: unknown) => {
        // The log is closed once the process has stopped.
        if (!this.#isStopped) this.#services.log.warn({ err: error }, 'publishing the Home tab failed')
      })
    }
    this.#retries.set(key, setTimeout(retry, afterMs).unref())
  }

  /**
   * @param isOpened by the person, who expects current figures
   * @param late a reply that arrived after the tab was published without it
   * @throws {SlackError | StoreError}
   */
  async #publishOnce(team: Tenant, userId: string, isOpened: boolean, late?: ServiceReply): Promise<void> {
    const { config, store, guards, workspaces, webApi, now } = this.#services
    const actor = await guards.admit(team, userId, 'anyone')
    const { tenant, person, installation } = actor
    const { isMember, isAdmin } = person
    const [{ zone }, rules, credentials, ownAgent] = await Promise.all([
      workspaces.zone(tenant, '', person),
      guards.rules(tenant),
      whereReadable(store.credentials.get(tenant)),
      whereReadable(store.ownAgents.get(tenant, person.id)),
    ])
    const areas = areasFor(rules, person)
    const isConnected = credentials !== undefined
    const reading =
      credentials && isMember && areas.includes('calls') && !late
        ? this.#today.read({ tenant, credentials }, zone, isOpened)
        : Promise.resolve(late)
    const [openAlerts, subscriptions, admin, reply] = await Promise.all([
      areas.includes('calls') && isConnected ? findOpenAlerts(this.#services, actor) : [],
      isMember ? this.#subscriptions.read(actor, areas, isConnected) : undefined,
      isAdmin ? this.#readAdminPart(tenant) : undefined,
      withTimeout(reading, REPLY_TIMEOUT_MS),
    ])
    const isUnreadable = !isConnected && (await store.credentials.has(tenant))
    const view = homeView({
      actor,
      rules,
      zone,
      now: new Date(now()),
      account: isConnected ? 'connected' : isUnreadable ? 'unreadable' : 'not-connected',
      areas,
      openAlerts,
      ownAgentName: ownAgent && (ownAgent.agentName || ownAgent.agentId),
      reply: reply === timedOut ? undefined : reply,
      supportUrl: config.supportUrl,
      subscriptions,
      admin,
    })
    const { botToken: token } = installation
    await askSlack('views.publish', webApi.views.publish({ token, user_id: person.id, view }))
    if (reply === timedOut) await this.#publishOnce(team, userId, false, await reading)
  }

  async #readAdminPart(tenant: TenantKey): Promise<AdminPart> {
    const { store } = this.#services
    const [channels, audit, watches] = await Promise.all([
      store.channelSettings.names(tenant, MAX_CHANNELS + 1),
      store.audit.latest(tenant, { limit: MAX_AUDIT_ENTRIES }),
      store.watches.all(tenant),
    ])
    const zones = channels.map(async (channel) => {
      const settings = await whereReadable(store.channelSettings.get(tenant, channel))
      return settings?.zone === undefined ? [] : [{ channel, zone: settings.zone }]
    })
    const channelZones = (await Promise.all(zones)).flat()
    return { channelZones, audit, failingSince: watches[0]?.failing?.since }
  }
}

const homeOpenedSchema = z.object({ user: z.string(), tab: z.string().optional() })

/** Publishes the Home tab when it is opened, and when the person has changed what it shows. */
export function home(services: Services, kinds: readonly ListedKind[]): FeatureRoutes {
  const { homeTab, log } = services
  const subscriptions = new HomeSubscriptions(services, kinds)
  const publisher = new HomePublisher(services, subscriptions)
  homeTab.on('outdated', ({ team, person }) => {
    publisher
      .publish(team, person.id, false)
      .catch((error: unknown) => log.warn({ err: error }, 'publishing the Home tab failed'))
  })
  return {
    background: [async (stopping) => stopping.addEventListener('abort', () => publisher.stop())],
    actions: bind(
      { takeOver },
      { takeOver: { needs: 'admin', handle: (interaction) => subscriptions.takeOver(interaction) } },
    ),
    events: [
      {
        event: 'app_home_opened',
        async handle({ team, event }) {
          const { user, tab = 'home' } = homeOpenedSchema.parse(event)
          if (tab === 'home') await publisher.publish(team, user, true)
        },
      },
    ],
  }
}
