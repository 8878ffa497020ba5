import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { areasFor, NotAllowedError } from '../../slack/access/access-rules.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { askSlack, SlackUnavailableError } from '../../slack/api/web-api.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { POLL_ID } from '../../store/alerts.ts'
import { whereReadable } from '../../store/errors.ts'
import type { TenantKey, Workspace } from '../../store/tenant.ts'
import type { AccessRecord, Area } from '../../store/workspaces.ts'
import type { Account } from '../../telephony/types.ts'
import type { Zone } from '../../time/zones.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import type { OpenCalls } from '../alerts/open/calls.ts'
import type { SubscriptionSection } from '../subscriptions/kind.ts'
import type { ListedKind } from '../subscriptions/routes.ts'
import { takeOver } from './actions.ts'
import { type ServiceReply, TodayCounts } from './today.ts'
import {
  type AccountState,
  type AdminPart,
  type HomeContent,
  homeView,
  MAX_AUDIT_ENTRIES,
  MAX_CHANNELS,
} from './view.ts'

/** The tab is published without today's figures if the phone service takes longer, and again once it replied. */
const REPLY_TIMEOUT_MS: Milliseconds = 700
/** Used if Slack couldn't be reached and named no `Retry-After`. */
const RETRY_INTERVAL_MS: Milliseconds = 3000

/** The person whose tab is published, and what everything else on it depends on. */
interface Visitor {
  readonly actor: Actor
  readonly rules: AccessRecord
  readonly zone: Zone
  /** Empty for guests. */
  readonly areas: readonly Area[]
  /** Undefined if the account isn't connected, or its key and secret can't be read. */
  readonly account: Account | undefined
}

type KnownContent = Omit<HomeContent, 'reply'>
/** Whether today's figures are asked for, or shown only if they are cached. */
type Figures = 'read' | 'cached'

class HomePublisher {
  readonly #services
  readonly #kinds
  readonly #openCalls
  readonly #today

  constructor(services: Services, kinds: readonly ListedKind[], openCalls: OpenCalls) {
    this.#services = services
    this.#kinds = kinds
    this.#openCalls = openCalls
    this.#today = new TodayCounts(services)
  }

  /** Tries again once if Slack didn't respond. @throws {SlackError | StoreError} */
  async publish(workspace: Workspace, userId: string, figures: Figures): Promise<void> {
    try {
      await this.#publishOnce(workspace, userId, figures)
    } catch (error) {
      if (!(error instanceof SlackUnavailableError)) throw error
      const { retryAfterMs = RETRY_INTERVAL_MS } = error
      // Later, the person has left the tab, and opens it again.
      if (retryAfterMs > minuteMs) throw error
      await sleep(retryAfterMs, undefined, { ref: false })
      await this.#publishOnce(workspace, userId, 'cached')
    }
  }

  async #publishOnce(workspace: Workspace, userId: string, figures: Figures): Promise<void> {
    const visitor = await this.#readVisitor(workspace, userId)
    const reading = this.#readToday(visitor, figures)
    const [content, reply] = await Promise.all([
      this.#readContent(visitor),
      withTimeout(reading, REPLY_TIMEOUT_MS),
    ])
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
      workspaces.zone(tenant, '', person),
      guards.rules(tenant),
      whereReadable(store.credentials.get(tenant)),
    ])
    const account = credentials && { tenant, credentials }
    return { actor, rules, zone, areas: areasFor(rules, person), account }
  }

  async #readToday(visitor: Visitor, figures: Figures): Promise<ServiceReply | undefined> {
    const { account, zone, areas } = visitor
    if (!account || !areas.includes('calls')) return undefined
    return figures === 'cached' ? this.#today.getCached(account, zone) : this.#today.read(account, zone)
  }

  async #readContent(visitor: Visitor): Promise<KnownContent> {
    const { config, store, now } = this.#services
    const { actor, rules, zone, areas } = visitor
    const { tenant, person } = actor
    const maySeeCalls = visitor.account !== undefined && areas.includes('calls')
    const [openCalls, { sections, orphans }, admin, ownAgent, account] = await Promise.all([
      maySeeCalls ? this.#openCalls.find(actor) : undefined,
      this.#readSubscriptions(visitor),
      person.isAdmin ? this.#readAdminPart(tenant) : undefined,
      whereReadable(store.ownAgents.get(tenant, person.id)),
      this.#readAccountState(visitor),
    ])
    return {
      actor,
      rules,
      zone,
      now: new Date(now()),
      account,
      areas,
      openCalls,
      ownAgentName: ownAgent && (ownAgent.agentName || ownAgent.agentId),
      supportUrl: config.supportUrl,
      sections,
      orphans,
      admin,
      hasSlackbotTools: config.mcp,
    }
  }

  async #readAccountState({ account, actor }: Visitor): Promise<AccountState> {
    if (account) return 'connected'
    const isStored = await this.#services.store.credentials.has(actor.tenant)
    return isStored ? 'unreadable' : 'not-connected'
  }

  async #readSubscriptions({ actor, areas, account }: Visitor) {
    const sections = await this.#readSections(actor.tenant, areas)
    const orphans = actor.person.isAdmin && account ? await this.#findOrphans(actor, sections) : []
    return { sections, orphans }
  }

  #readSections(tenant: TenantKey, areas: readonly Area[]) {
    const kinds = this.#kinds.filter(({ info }) => areas.includes(info.needs))
    return Promise.all(kinds.map(async (kind) => ({ ...(await kind.list(tenant)), kind })))
  }

  /** @throws {StoreError} */
  async takeOver(interaction: Interaction): Promise<Answer> {
    const { actor, tenant } = interaction
    const rules = await this.#services.guards.rules(tenant)
    const sections = await this.#readSections(tenant, areasFor(rules, actor.person))
    const results: string[] = []
    for (const section of sections) {
      for (const { id } of await this.#findOrphans(actor, [section]))
        results.push(await section.kind.apply(interaction, id, 'turn-on'))
    }
    return textAnswer(results.length === 0 ? 'Someone already took these over.' : results.join('\n'))
  }

  async #findOrphans({ workspace }: Actor, sections: readonly SubscriptionSection[]) {
    const orphans = sections.map(async ({ info, rows }) => {
      const owners = [...new Set(rows.map(({ owner }) => owner))]
      const lost = await Promise.all(owners.map((owner) => this.#hasLostAccess(workspace, owner, info.needs)))
      return rows.filter(({ owner }) => lost[owners.indexOf(owner)])
    })
    return (await Promise.all(orphans)).flat()
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
    const [channels, audit, poll] = await Promise.all([
      store.channelSettings.names(tenant, MAX_CHANNELS + 1),
      store.audit.latest(tenant, { limit: MAX_AUDIT_ENTRIES }),
      store.polls.get(tenant, POLL_ID),
    ])
    const settings = await Promise.all(
      channels.map((channel) => whereReadable(store.channelSettings.get(tenant, channel))),
    )
    const channelZones: { channel: string; zone: string }[] = []
    for (const [index, channel] of channels.entries()) {
      const zone = settings[index]?.zone
      if (zone !== undefined) channelZones.push({ channel, zone })
    }
    return { channelZones, audit, failingSince: poll?.failing?.since }
  }
}

const homeOpenedSchema = z.object({ user: z.string(), tab: z.string().optional() })

export function home(services: Services, kinds: readonly ListedKind[], openCalls: OpenCalls): FeatureRoutes {
  const { homeTab, log } = services
  const publisher = new HomePublisher(services, kinds, openCalls)
  homeTab.on('outdated', ({ workspace, person }) => {
    publisher
      .publish(workspace, person.id, 'cached')
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
          if (tab === 'home') await publisher.publish(workspace, user, 'read')
        },
      },
    ],
  }
}
