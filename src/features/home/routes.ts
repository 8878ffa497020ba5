import { z } from 'zod'
import type { Services } from '../../services.ts'
import { listAreas } from '../../slack/access/access-rules.ts'
import { askSlack } from '../../slack/api/slack-failure.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import type { Workspace } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { type Account, type ReadQuery, TelephonyError } from '../../telephony/types.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay } from '../../time/zones.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import type { OpenLists } from '../alerts/open/list.ts'
import type { ListedKind } from '../subscriptions/routes.ts'
import { type HomeContent, homeView, type TodayFigures, type Visitor } from './view.ts'

/** The tab is published without today's figures if the phone service takes longer, and again once it replied. */
const FIGURES_TIMEOUT_MS: Milliseconds = 700

class HomePublisher {
  readonly #services
  readonly #subscriptionKinds
  readonly #openLists
  readonly #figures: AccountCache<TodayFigures>

  constructor(services: Services, kinds: readonly ListedKind[], openLists: OpenLists) {
    this.#services = services
    this.#subscriptionKinds = kinds
    this.#openLists = openLists
    const { store, now } = services
    this.#figures = new AccountCache(store, { maxBytes: 1_000_000, ttlMs: minuteMs, now })
  }

  /** @param source `cache` asks the phone service for nothing, and may have no figures @throws {SlackFailure | StoreError} */
  async publish(workspace: Workspace, userId: string, source: 'service' | 'cache'): Promise<void> {
    const visitor = await this.#readVisitor(workspace, userId)
    const reading = this.#readFigures(visitor, source)
    const figuresInTime = withTimeout(reading, FIGURES_TIMEOUT_MS)
    const [content, figures] = await Promise.all([this.#readContent(visitor), figuresInTime])
    if (figures !== timedOut) return this.#show({ ...content, figures })
    await this.#show({ ...content, figures: undefined })
    const lateFigures = await reading
    // Access and subscriptions may have changed in the meantime.
    const visitorNow = await this.#readVisitor(workspace, userId)
    const contentNow = await this.#readContent(visitorNow)
    await this.#show({ ...contentNow, figures: lateFigures })
  }

  async #show(content: HomeContent): Promise<void> {
    const { installation, person } = content.actor
    const view = homeView(content)
    const { webApi } = this.#services
    const publishing = webApi.views.publish({ token: installation.botToken, user_id: person.id, view })
    await askSlack('views.publish', publishing)
  }

  async #readVisitor(workspace: Workspace, userId: string): Promise<Visitor> {
    const { store, guards, workspaces } = this.#services
    const actor = await guards.admit(workspace, userId, 'anyone')
    const { tenant, person } = actor
    const [{ zone }, rules, credentials] = await Promise.all([
      // The tab is in no channel.
      workspaces.findZone(tenant, '', person),
      guards.getRules(tenant),
      whereReadable(store.credentials.get(tenant)),
    ])
    const account = credentials && { tenant, credentials }
    return { actor, rules, zone, areas: listAreas(rules, person), account }
  }

  /** Undefined without access to calls, or if the cache has none. Figures are cached for a minute. */
  async #readFigures(visitor: Visitor, source: 'service' | 'cache'): Promise<TodayFigures | undefined> {
    const { account, zone, areas } = visitor
    if (!account || !areas.includes('calls')) return undefined
    const at = new Date(this.#services.now())
    const day = localDay(zone, at)
    const { requestedDays } = toRangeRequest(zone, { from: day, to: day }, at)
    const query: ReadQuery = { direction: 'incoming', ...requestedDays }
    if (source === 'cache') return this.#figures.get(account, query)
    try {
      return await this.#figures.getOrRead(account, query, () => this.#countCalls(account, query))
    } catch (error) {
      this.#services.log.info({ err: error }, "reading today's calls failed")
      const isRejected = error instanceof TelephonyError && error.outcome === 'credentials-rejected'
      return { state: isRejected ? 'rejected' : 'unavailable' }
    }
  }

  async #countCalls(account: Account, query: ReadQuery): Promise<TodayFigures> {
    const { telephony } = this.#services
    const [calls, missed, unanswered] = await Promise.all([
      telephony.count(account, query),
      telephony.count(account, { ...query, status: 'missed' }),
      telephony.count(account, { ...query, direction: 'outgoing', status: 'missed' }),
    ])
    return { state: 'ok', calls, missed, unanswered }
  }

  async #readContent(visitor: Visitor): Promise<Omit<HomeContent, 'figures'>> {
    const { config, store, now } = this.#services
    const { account, actor, areas } = visitor
    const maySeeCalls = account !== undefined && areas.includes('calls')
    const kinds = account ? this.#subscriptionKinds.filter(({ info }) => areas.includes(info.needs)) : []
    const [openCalls, sections, ownAgent, isUnreadable] = await Promise.all([
      maySeeCalls ? this.#openLists.find(actor) : undefined,
      Promise.all(kinds.map(({ records }) => records.read(actor.tenant))),
      maySeeCalls ? whereReadable(store.ownAgents.get(actor.tenant, actor.person.id)) : undefined,
      // Credentials that are stored but unreadable make no account.
      account ? false : store.credentials.has(actor.tenant),
    ])
    const ownAgentName = ownAgent && (ownAgent.agentName || ownAgent.agentId)
    return { ...visitor, now: new Date(now()), isUnreadable, openCalls, ownAgentName, sections, config }
  }
}

const homeOpenedSchema = z.object({ user: z.string(), tab: z.string().optional() })

export function home(services: Services, kinds: readonly ListedKind[], openLists: OpenLists): FeatureRoutes {
  const { homeTab, log } = services
  const publisher = new HomePublisher(services, kinds, openLists)
  const onFailure = (error: unknown) => log.warn({ err: error }, 'publishing the Home tab failed')
  homeTab.on('outdated', ({ workspace, person }) => {
    publisher.publish(workspace, person.id, 'cache').catch(onFailure)
  })
  return {
    events: [
      {
        event: 'app_home_opened',
        async handle({ workspace, event }) {
          const { user, tab = 'home' } = homeOpenedSchema.parse(event)
          if (tab === 'home') await publisher.publish(workspace, user, 'service')
        },
      },
    ],
  }
}
