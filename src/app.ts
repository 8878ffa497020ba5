import { auditLog } from './features/access/audit-log.ts'
import { accessRules } from './features/access/rules.ts'
import { agents } from './features/agents/routes.ts'
import { createAlerts } from './features/alerts/routes.ts'
import { customerDeletion } from './features/billing/delete-customer.ts'
import { billPosts } from './features/billing/post.ts'
import { billing } from './features/billing/routes.ts'
import { billingSchedules } from './features/billing/schedule-kind.ts'
import { calls } from './features/calls/routes.ts'
import { callsExport } from './features/export/routes.ts'
import { home } from './features/home/routes.ts'
import { workspaceDeletion } from './features/install/deletion.ts'
import { install } from './features/install/routes.ts'
import { tokenChecks } from './features/install/token-checks.ts'
import { lines } from './features/lines/routes.ts'
import { reports } from './features/reports/routes.ts'
import { reportSchedules } from './features/reports/schedule-kind.ts'
import { accountConnection } from './features/setup/connect.ts'
import { timeZones } from './features/setup/zones.ts'
import { slackbot } from './features/slackbot/routes.ts'
import { SubscriptionRoutes } from './features/subscriptions/routes.ts'
import { Schedules } from './features/subscriptions/schedules.ts'
import type { Services } from './services.ts'
import { createRunCommand } from './slack/routing/commands.ts'
import type { FeatureRoutes, Routes } from './slack/routing/routes.ts'

/** Creates the features, and collects what they handle. */
export function createRoutes(services: Services): Routes {
  const alerts = createAlerts(services)
  const subscriptions = [
    alerts.subscriptions,
    new SubscriptionRoutes(services, new Schedules(services, reportSchedules(services))),
    new SubscriptionRoutes(services, new Schedules(services, billingSchedules(services))),
  ]
  // Called when `calls` runs a command; `routes` is complete by then.
  const listCommands = () => routes.flatMap(({ commands = [] }) => commands)
  const runCommand = createRunCommand(services.guards, listCommands)
  // If several commands are meant by the same words, the first one is run: `reports` before `calls`.
  const routes: readonly FeatureRoutes[] = [
    callsExport(services),
    reports(services),
    lines(services),
    agents(services),
    billing(services),
    billPosts(services),
    customerDeletion(services),
    accessRules(services),
    auditLog(services),
    accountConnection(services),
    install(services),
    workspaceDeletion(services),
    tokenChecks(services),
    calls(services, alerts.openLists, runCommand),
    alerts.routes,
    ...subscriptions.map((subscription) => subscription.routes()),
    home(services, subscriptions, alerts.openLists),
    timeZones(services),
  ]
  const tools = routes.flatMap((route) => route.tools ?? [])
  return {
    commands: listCommands(),
    actions: routes.flatMap(({ actions = [] }) => actions),
    shortcuts: routes.flatMap(({ shortcuts = [] }) => shortcuts),
    submissions: routes.flatMap(({ submissions = [] }) => submissions),
    options: routes.flatMap(({ options = [] }) => options),
    events: routes.flatMap(({ events = [] }) => events),
    http: routes.flatMap(({ http = [] }) => http),
    signed: slackbot(services, tools),
    tools,
    jobs: routes.flatMap(({ jobs = [] }) => jobs),
    background: routes.flatMap(({ background = [] }) => background),
  }
}
