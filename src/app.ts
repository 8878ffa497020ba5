import { agents } from './features/agents/routes.ts'
import { alertForms } from './features/alerts/form-routes.ts'
import { alertMessages } from './features/alerts/message-routes.ts'
import { alertPolling } from './features/alerts/polling.ts'
import { alertList } from './features/alerts/routes.ts'
import { auditLog } from './features/billing/audit-routes.ts'
import { invoices } from './features/billing/invoice-routes.ts'
import { posts } from './features/billing/post-by-hand.ts'
import { billing } from './features/billing/routes.ts'
import { billingSchedules } from './features/billing/schedule-kind.ts'
import { settings } from './features/billing/settings-routes.ts'
import { callsExport } from './features/calls/export/routes.ts'
import { calls } from './features/calls/routes.ts'
import { home } from './features/home/routes.ts'
import { install } from './features/install/routes.ts'
import { lifecycle } from './features/lifecycle/routes.ts'
import { lines } from './features/lines/routes.ts'
import { reports } from './features/reports/routes.ts'
import { reportSchedules } from './features/reports/schedule-kind.ts'
import { schedules } from './features/schedules/routes.ts'
import { setup } from './features/setup/routes.ts'
import { timeZones } from './features/setup/zone-routes.ts'
import { sharing } from './features/sharing/routes.ts'
import type { Services } from './services.ts'
import type { FeatureRoutes, Routes } from './slack/routing/routes.ts'

const features = [
  // Before the menu's other entries.
  callsExport,
  calls,
  reports,
  lines,
  alertList,
  alertForms,
  agents,
  sharing,
  billing,
  posts,
  invoices,
  settings,
  auditLog,
  alertMessages,
  alertPolling,
  setup,
  timeZones,
  home,
  install,
  lifecycle,
]

/** What can be planned. */
const scheduleKinds = [billingSchedules, reportSchedules]

/** Everything that Callboard does, by what arrives. */
export function createApp(services: Services): Routes {
  const routes: readonly FeatureRoutes[] = [
    ...features.map((feature) => feature(services)),
    ...scheduleKinds.map((kind) => schedules(services, kind(services))),
  ]
  return {
    commands: routes.flatMap(({ commands = [] }) => commands),
    actions: routes.flatMap(({ actions = [] }) => actions),
    shortcuts: routes.flatMap(({ shortcuts = [] }) => shortcuts),
    submissions: routes.flatMap(({ submissions = [] }) => submissions),
    options: routes.flatMap(({ options = [] }) => options),
    events: routes.flatMap(({ events = [] }) => events),
    http: routes.flatMap(({ http = [] }) => http),
    jobs: routes.flatMap(({ jobs = [] }) => jobs),
    catchUps: routes.flatMap(({ catchUps = [] }) => catchUps),
  }
}
