import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { areasFor, NotAllowedError } from '../../slack/access/access-rules.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { askSlack, SlackUnavailableError } from '../../slack/api/web-api.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { TenantKey, Workspace } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { type Account, CredentialsRejectedError } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay, type Zone } from '../../time/zones.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import type { OpenCalls } from '../alerts/open/calls.ts'
import type { SubscriptionSection } from '../subscriptions/kind.ts'
import type { ListedKind } from '../subscriptions/routes.ts'
import { takeOver } from './actions.ts'
import { type AdminPart, homeView, MAX_AUDIT_ENTRIES, MAX_CHANNELS, type ServiceReply } from './view.ts'

/** The tab is published without today's figures if the phone service takes longer, and again once it replied. */
const REPLY_TIMEOUT_MS: Milliseconds = 700
/** Used if Slack couldn't be reached and named no `Retry-After`. */
const RETRY_INTERVAL_MS: Milliseconds = 3000
const MAX_AGE_WHEN_OPENED_MS = minuteMs

class HomePublisher {
  readonly #services
  readonly #kinds
  readonly #openCalls
  readonly #today: AccountCache<ServiceReply & { readonly readAt: EpochMs }>

  constructor(services: Services, kinds: readonly ListedKind[], openCalls: OpenCalls) {
    const { store, now } = services
    this.#services = services
    this.#kinds = kinds
    this.#openCalls = openCalls
    this.#today = new AccountCache(store, { maxBytes: 1_000_000, ttlMs: 10 * minuteMs, now })
  }

  /** @throws {SlackError | StoreError} */
  async publish(workspace: Workspace, userId: string, isOpened: boolean): Promise<void> {
    try {
      await this.#publishOnce(workspace, userId, isOpened)
    } catch (error) {
      if (!(error instanceof SlackUnavailableError)) throw error
      const { retryAfterMs = RETRY_INTERVAL_MS } = error
      // Later, the person has left the tab, and opens it again.
      if (retryAfterMs > minuteMs) throw error
      await sleep(retryAfterMs, undefined, { ref: false })
      await this.#publishOnce(workspace, userId, false)
    }
  }

  /** @param late a reply that arrived after the tab was published without it */
  async #publishOnce(
    workspace: Workspace,
    userId: string,
    isOpened: boolean,
    late?: ServiceReply,
  ): Promise<void> {
    const { config, store, guards, workspaces, webApi, now } = this.#services
    const actor = await guards.admit(workspace, userId, 'anyone')
    const { tenant, person, installation } = actor
    const { isMember, isAdmin } = person
    const [{ zone }, rules, credentials, ownAgent] = await Promise.all([
      workspaces.zone(tenant, '', person),
      guards.rules(tenant),
      whereReadable(store.credentials.get(tenant)),
      whereReadable(store.ownAgents.get(tenant, person.id)),
    ])
    const areas = areasFor(rules, person)
    const maySeeCalls = isMember && credentials !== undefined && areas.includes('calls')
    const reading =
      maySeeCalls && !late ? this.#readToday({ tenant, credentials }, zone, isOpened) : Promise.resolve(late)
    const subscriptions = this.#readSections(tenant, isMember ? areas : [])
    const [openCalls, sections, orphans, admin, reply] = await Promise.all([
      maySeeCalls ? this.#openCalls.find(actor) : undefined,
      subscriptions,
      isAdmin && credentials ? subscriptions.then((all) => this.#findOrphans(actor, all)) : [],
      isAdmin ? this.#readAdminPart(tenant) : undefined,
      withTimeout(reading, REPLY_TIMEOUT_MS),
    ])
    const isUnreadable = credentials === undefined && (await store.credentials.has(tenant))
    const view = homeView({
      actor,
      rules,
      zone,
      now: new Date(now()),
      account: credentials ? 'connected' : isUnreadable ? 'unreadable' : 'not-connected',
      areas,
      openCalls,
      ownAgentName: ownAgent && (ownAgent.agentName || ownAgent.agentId),
      reply: reply === timedOut ? undefined : reply,
      supportUrl: config.supportUrl,
      orphans,
      sections,
      admin,
      hasSlackbotTools: config.mcp,
    })
    const { botToken: token } = installation
    await askSlack('views.publish', webApi.views.publish({ token, user_id: person.id, view }))
    if (reply === timedOut) await this.#publishOnce(workspace, userId, false, await reading)
  }

  /** Makes a request only if the tab was opened and the cached reply is more than a minute old. */
  async #readToday(account: Account, zone: Zone, isOpened: boolean): Promise<ServiceReply | undefined> {
    const { telephony, log, now } = this.#services
    const at = new Date(now())
    const day = localDay(zone, at)
    const { requested } = toRangeRequest(zone, { from: day, to: day }, at)
    const query = { direction: 'incoming', ...requested } as const
    const cached = this.#today.get(account, query)
    if (!isOpened || (cached && at.getTime() - cached.readAt < MAX_AGE_WHEN_OPENED_MS)) return cached
    const counts = [telephony.count(account, query), telephony.count(account, { ...query, status: 'missed' })]
    const read = async () => {
      const [calls, missed] = await Promise.all(counts)
      return { state: 'ok', calls, missed, readAt: now() } as const
    }
    try {
      return await this.#today.keep(account, query, read())
    } catch (error) {
      log.info({ err: error }, "reading today's calls failed")
      return { state: error instanceof CredentialsRejectedError ? 'rejected' : 'unavailable' }
    }
  }

  #readSections(tenant: TenantKey, areas: readonly Area[]) {
    const kinds = this.#kinds.filter(({ info }) => areas.includes(info.needs))
    return Promise.all(kinds.map(async (kind) => ({ ...(await kind.list(tenant)), kind })))
  }

  /** @throws {StoreError} */
  async takeOver(interaction: Interaction): Promise<Answer> {
    const { actor, tenant } = interaction
    const sections = await this.#readSections(tenant, await this.#services.guards.areas(actor))
    const results: string[] = []
    for (const section of sections)
      for (const { id } of await this.#findOrphans(actor, [section]))
        results.push(await section.kind.apply(interaction, id, 'turn-on'))
    return textAnswer(results.length === 0 ? 'Someone already took these over.' : results.join('\n'))
  }

  async #findOrphans({ workspace }: Actor, sections: readonly SubscriptionSection[]) {
    const found = sections.map(async ({ info, rows }) => {
      const owners = [...new Set(rows.map(({ owner }) => owner))]
      const lost = await Promise.all(owners.map((owner) => this.#hasLostAccess(workspace, owner, info.needs)))
      return rows.filter(({ owner }) => lost[owners.indexOf(owner)])
    })
    return (await Promise.all(found)).flat()
  }

  /** False if Slack doesn't say. */
  async #hasLostAccess(workspace: Workspace, owner: string, needs: Area): Promise<boolean> {
    const { guards, log } = this.#services
    try {
      await guards.admit(workspace, owner, needs, { afresh: false })
      return false
    } catch (error) {
      if (error instanceof NotAllowedError) return true
      log.info({ err: error }, "looking up an owner's access failed")
      return false
    }
  }

  async #readAdminPart(tenant: TenantKey): Promise<AdminPart> {
    const { store } = this.#services
    const [channels, audit, polls] = await Promise.all([
      store.channelSettings.names(tenant, MAX_CHANNELS + 1),
      store.audit.latest(tenant, { limit: MAX_AUDIT_ENTRIES }),
      store.polls.all(tenant),
    ])
    const zones = channels.map(async (channel) => {
      const settings = await whereReadable(store.channelSettings.get(tenant, channel))
      return settings?.zone === undefined ? [] : [{ channel, zone: settings.zone }]
    })
    const channelZones = (await Promise.all(zones)).flat()
    return { channelZones, audit, failingSince: polls[0]?.failing?.since }
  }
}

const homeOpenedSchema = z.object({ user: z.string(), tab: z.string().optional() })

export function home(services: Services, kinds: readonly ListedKind[], openCalls: OpenCalls): FeatureRoutes {
  const { homeTab, log } = services
  const publisher = new HomePublisher(services, kinds, openCalls)
  homeTab.on('outdated', ({ workspace, person }) => {
    publisher
      .publish(workspace, person.id, false)
      .catch((error: unknown) => log.warn({ err: error }, 'publishing the Home tab failed'))
  })
  return {
    actions: bind(
      { takeOver },
      { takeOver: { needs: 'admin', handle: ({ interaction }) => publisher.takeOver(interaction) } },
    ),
    events: [
      {
        event: 'app_home_opened',
        async handle({ workspace, event }) {
          const { user, tab = 'home' } = homeOpenedSchema.parse(event)
          if (tab === 'home') await publisher.publish(workspace, user, true)
        },
      },
    ],
  }
}
