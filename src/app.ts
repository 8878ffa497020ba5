import { App, type Receiver } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import type { OAuthConfig } from './config/config.ts'
import { agentsRoutes } from './features/agents/routes.ts'
import { billingRoutes } from './features/billing/routes.ts'
import { createPages } from './features/calls/pages.ts'
import { callsRoutes } from './features/calls/routes.ts'
import { watchConnection } from './features/home/connection-monitor.ts'
import { createHome } from './features/home/routes.ts'
import { createForget } from './features/lifecycle/forget.ts'
import { lifecycleRoutes } from './features/lifecycle/routes.ts'
import { createPoster } from './features/schedules/poster.ts'
import { createSendOnce } from './features/schedules/send-once.ts'
import { setupRoutes } from './features/setup/routes.ts'
import type { Jobs } from './jobs/jobs.ts'
import { type Log, type RequestIds, slackLogger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { scheduleLine } from './scheduler/schedule-text.ts'
import { queue as billingPosts, createPlanner } from './scheduler/scheduler.ts'
import { createAccess } from './slack/access/access-rules.ts'
import { createAudit } from './slack/access/audit.ts'
import { createGuards } from './slack/access/guards.ts'
import { createPeople } from './slack/access/people.ts'
import { createWorkspace } from './slack/access/workspaces.ts'
import { createModals } from './slack/answers/modals.ts'
import type { Notices } from './slack/answers/notices.ts'
import { createReplies } from './slack/answers/replies.ts'
import { createAnswerSubmission } from './slack/answers/submissions.ts'
import { createTables } from './slack/answers/table-support.ts'
import { createChannels } from './slack/api/channels.ts'
import { createHomes } from './slack/api/home-tabs.ts'
import type { Installations } from './slack/api/installations.ts'
import { createResponder } from './slack/api/response-urls.ts'
import { readOrigin } from './slack/blocks/view-metadata.ts'
import { createAnswerClick } from './slack/routing/click-answers.ts'
import { createLatestClick } from './slack/routing/clicks.ts'
import { createVisits } from './slack/routing/interactions.ts'
import { registerRoutes } from './slack/routing/router.ts'
import type { FeatureRoutes, Routes } from './slack/routing/routes.ts'
import type { Store } from './store/store.ts'
import { createAgentList } from './telephony/agent-list.ts'
import type { TelephonyClient } from './telephony/client.ts'

export interface AppDeps {
  readonly receiver: Receiver
  readonly installations: Installations
  /** For calls that a person waits for. */
  readonly webApi: WebClient
  /** For calls that nobody waits for. */
  readonly patientWebApi: WebClient
  readonly jobs: Jobs
  readonly metrics: Metrics
  readonly notices: Notices
  readonly dispatcher: Dispatcher
  readonly store: Store
  readonly telephony: TelephonyClient
  readonly log: Log
  readonly requestIds: RequestIds
  readonly recordingsBaseUrl: string | undefined
  readonly fetchAhead: boolean
  readonly invoiceOperation: boolean
  readonly oauth: OAuthConfig | undefined
  readonly isBusy: () => boolean
  /** Epoch ms. */
  readonly now: () => number
}

export interface CreatedApp {
  /** Begins with the background work. */
  work(): void
  /** Enqueues what is due, for what an ended process left undone. @throws {StoreError} */
  catchUp(): Promise<void>
}

/** The Bolt App with every route, and its background work. */
export function createApp(deps: AppDeps): CreatedApp {
  const { store, webApi, metrics, log, requestIds, now } = deps
  const connection = watchConnection(deps.telephony, { store, log, now })
  const { telephony } = connection
  const app = new App({
    receiver: deps.receiver,
    convoStore: false,
    ignoreSelf: false,
    logger: slackLogger(log),
    // Hands Bolt no token and asks nobody: the installation is looked up by a guard that answers the person.
    authorize: async () => ({}),
  })
  app.error(async (error) => {
    log.error({ err: error }, 'a listener failed')
  })

  const people = createPeople({ webApi, now })
  const access = createAccess({ store })
  const channels = createChannels({ webApi })
  const guards = createGuards({ installations: deps.installations, people, access })
  const visits = createVisits({ guards, log, requestIds, metrics })
  const modals = createModals({ webApi })
  const tables = createTables({ support: store.tableSupport, now })
  const replies = createReplies({ tables, responder: createResponder({ dispatcher: deps.dispatcher }) })
  const latestClick = createLatestClick(store.highWaterMarks)
  const answerClick = createAnswerClick({ latestClick, tables, replies })
  const workspace = createWorkspace({ store })
  const homes = createHomes({ webApi })
  const pages = createPages({
    telephony,
    now,
    log,
    fetchAhead: deps.fetchAhead,
    isBusy: deps.isBusy,
    metrics,
  })
  const agents = createAgentList({
    telephony,
    now,
    onLookup: (isHit) => metrics.lookup('agents', isHit),
  })
  const { recordingsBaseUrl, jobs, patientWebApi, notices } = deps
  const planner = createPlanner({ schedules: store.schedules, workspace, jobs, log, now })
  const home = createHome({
    store,
    workspace,
    connection,
    guards,
    homes,
    scheduleLines: async (tenant) => (await planner.list(tenant)).map(scheduleLine),
    log,
    now,
  })
  const audit = createAudit({ trail: store.audit, log, now, changed: home.changed })
  const forget = createForget({ store, caches: [people, pages, agents, connection], log })
  const post = createPoster({
    store,
    planner,
    workspace,
    telephony,
    guards,
    channels,
    sendOnce: createSendOnce({ claims: store.claims, webApi: patientWebApi, metrics }),
    notices,
    audit,
    log,
    now,
  })

  const features: readonly FeatureRoutes[] = [
    callsRoutes({ workspace, pages, agents, channels, recordingsBaseUrl, now }),
    agentsRoutes({ workspace, agents, channels, modals, audit }),
    billingRoutes({
      store,
      workspace,
      telephony,
      channels,
      planner,
      webApi,
      access,
      audit,
      metrics,
      invoiceOperation: deps.invoiceOperation,
      now,
    }),
    setupRoutes({ store, workspace, telephony, audit, zoneChanged: planner.replan, now }),
    home,
    lifecycleRoutes({ store, forget, webApi, oauth: deps.oauth, log }),
  ]
  const routes: Routes = {
    commands: features.flatMap(({ commands = [] }) => commands),
    actions: features.flatMap(({ actions = [] }) => actions),
    submissions: features.flatMap(({ submissions = [] }) => submissions),
    options: features.flatMap(({ options = [] }) => options),
    events: features.flatMap(({ events = [] }) => events),
  }
  registerRoutes(app, routes, {
    visits,
    guards,
    modals,
    tables,
    replies,
    answerClick,
    answerSubmission: createAnswerSubmission({ modals, log }),
    viewOrigin: readOrigin,
  })
  return {
    work() {
      notices.work()
      jobs.work(billingPosts, post)
    },
    catchUp: planner.resumeAll,
  }
}
