import { App, type Receiver } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { agentsRoutes } from './agents/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { queue as billingPosts, createPlanner } from './billing/schedule/planner.ts'
import { createPoster } from './billing/schedule/poster.ts'
import { createSendOnce } from './billing/schedule/send-once.ts'
import { scheduleLine } from './billing/schedule/words.ts'
import { createPages } from './calls/pages.ts'
import { callsRoutes } from './calls/routes.ts'
import type { OAuthConfig } from './config.ts'
import { createHome } from './home/routes.ts'
import type { Jobs } from './jobs/jobs.ts'
import { createForget } from './lifecycle/forget.ts'
import { lifecycleRoutes } from './lifecycle/routes.ts'
import { type Log, type RequestIds, slackLogger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { setupRoutes } from './setup/routes.ts'
import { createAccess } from './slack/access.ts'
import { createAudit } from './slack/audit.ts'
import { createChannels } from './slack/channels.ts'
import { createAnswerClick } from './slack/click-answers.ts'
import { watchConnection } from './slack/connection.ts'
import { createGuards } from './slack/guards.ts'
import { createHomes } from './slack/homes.ts'
import type { Installations } from './slack/installations.ts'
import { createLatestClick } from './slack/latest-click.ts'
import { createModals } from './slack/modals.ts'
import type { Notices } from './slack/notices.ts'
import { createPeople } from './slack/people.ts'
import { createReplies } from './slack/reply.ts'
import { createResponder } from './slack/responder.ts'
import { registerRoutes } from './slack/router.ts'
import type { FeatureRoutes, Routes } from './slack/routes.ts'
import { createAnswerSubmission } from './slack/submission.ts'
import { createTables } from './slack/tables.ts'
import { readOrigin } from './slack/view-origin.ts'
import { createVisits } from './slack/visit.ts'
import { createWorkspace } from './slack/workspace.ts'
import type { Store } from './store/open.ts'
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
  const latestClick = createLatestClick(store.latest)
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
