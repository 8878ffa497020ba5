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
import { type HomeContent, homeView, type ServiceReply, type Visitor } from './view.ts'

/** The tab is published without today's figures if the phone service takes longer, and again once it replied. */
const REPLY_TIMEOUT_MS: Milliseconds = 700

class HomePublisher {
  readonly #services
  readonly #kinds
  readonly #openLists
  readonly #replies: AccountCache<ServiceReply>

  constructor(services: Services, kinds: readonly ListedKind[], openLists: OpenLists) {
    this.#services = services
    this.#kinds = kinds
    this.#openLists = openLists
    const { store, now } = services
    this.#replies = new AccountCache(store, { maxBytes: 1_000_000, ttlMs: minuteMs, now })
  }

  /** @param figures `read` asks for today's, `cached` shows them only if they are known @throws {SlackFailure | StoreError} */
  async publish(workspace: Workspace, userId: string, figures: 'read' | 'cached'): Promise<void> {
    const visitor = await this.#readVisitor(workspace, userId)
    const reading = this.#readToday(visitor, figures)
    const replyInTime = withTimeout(reading, REPLY_TIMEOUT_MS)
    const [content, reply] = await Promise.all([this.#readContent(visitor), replyInTime])
    if (reply !== timedOut) {
      await this.#show({ ...content, reply })
      return
    }
    await this.#show({ ...content, reply: undefined })
    const lateReply = await reading
    // Access and subscriptions may have changed in the meantime.
    const visitorNow = await this.#readVisitor(workspace, userId)
    const contentNow = await this.#readContent(visitorNow)
    await this.#show({ ...contentNow, reply: lateReply })
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

  /** Counts today's calls, at most once a minute. */
  async #readToday(visitor: Visitor, figures: 'read' | 'cached'): Promise<ServiceReply | undefined> {
    const { account, zone, areas } = visitor
    if (!account || !areas.includes('calls')) return undefined
    const at = new Date(this.#services.now())
    const day = localDay(zone, at)
    const { requestedDays } = toRangeRequest(zone, { from: day, to: day }, at)
    const query: ReadQuery = { direction: 'incoming', ...requestedDays }
    if (figures === 'cached') return this.#replies.get(account, query)
    try {
      return await this.#replies.getOrRead(account, query, () => this.#countCalls(account, query))
    } catch (error) {
      this.#services.log.info({ err: error }, "reading today's calls failed")
      const isRejected = error instanceof TelephonyError && error.outcome === 'credentials-rejected'
      return { state: isRejected ? 'rejected' : 'unavailable' }
    }
  }

  async #countCalls(account: Account, query: ReadQuery): Promise<ServiceReply> {
    const { telephony } = this.#services
    const [calls, missed, unanswered] = await Promise.all([
      telephony.count(account, query),
      telephony.count(account, { ...query, status: 'missed' }),
      telephony.count(account, { ...query, direction: 'outgoing', status: 'missed' }),
    ])
    return { state: 'ok', calls, missed, unanswered }
  }

  async #readContent(visitor: Visitor): Promise<Omit<HomeContent, 'reply'>> {
    const { config, store, now } = this.#services
    const { account, actor, areas } = visitor
    const maySeeCalls = account !== undefined && areas.includes('calls')
    const kinds = account ? this.#kinds.filter(({ info }) => areas.includes(info.needs)) : []
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
    publisher.publish(workspace, person.id, 'cached').catch(onFailure)
  })
  return {
    events: [
      {
        event: 'app_home_opened',
        async handle({ workspace, event }) {
          const { user, tab = 'home' } = homeOpenedSchema.parse(event)
          if (tab === 'home') await publisher.publish(workspace, user, 'read')
        },
      },
    ],
  }
}
