import type { Services } from '../../services.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { POLL_ID } from '../../store/alerts.ts'
import { SubscriptionRoutes } from '../subscriptions/routes.ts'
import { deliverAlert } from './delivery.ts'
import { MessageClicks } from './handling/clicks.ts'
import { CallHandling } from './handling/handling.ts'
import { AlertKind } from './kind.ts'
import { AlertMessages } from './messages.ts'
import { OpenCalls } from './open/calls.ts'
import { OpenLists } from './open/list.ts'
import { Poller } from './poller.ts'

/** Creates the jobs and routes of alerts, and the parts that other features use. */
export function createAlerts(services: Services) {
  const { store, workspaces } = services
  const messages = new AlertMessages(services)
  const handling = new CallHandling(services, messages)
  const openCalls = new OpenCalls(services)
  const openLists = new OpenLists(services, openCalls, handling)
  const subscriptions = new SubscriptionRoutes(services, new AlertKind(services, messages))
  const clicks = new MessageClicks(services, handling, subscriptions)
  const poller = new Poller(services, (alert) => deliverAlert(services, messages, alert))
  // Retries at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.polls.change(tenant, POLL_ID, (poll) => ({ ...poll, failing: undefined }))
  })
  const routes: FeatureRoutes = {
    jobs: [poller.work(), handling.work()],
    background: [(stopping) => poller.keepJobsEnqueued(stopping)],
    commands: openLists.commands(),
    submissions: clicks.submissions(),
    actions: [...clicks.actions(), ...openLists.actions()],
  }
  return { openCalls, openLists, subscriptions, routes }
}
