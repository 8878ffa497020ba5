import { agents } from './agents.ts'
import { alertForms } from './alert-forms.ts'
import { alerts } from './alerts.ts'
import { billing } from './billing.ts'
import { calls } from './calls.ts'
import { exports } from './exports.ts'
import { failed } from './failures.ts'
import { homeTab } from './home.ts'
import { installation } from './installation.ts'
import { invoices } from './invoices.ts'
import { lines } from './lines.ts'
import { numbers } from './numbers.ts'
import { posts } from './posts.ts'
import { reportSchedules } from './report-schedules.ts'
import { reports } from './reports.ts'
import type { SampleBody } from './sample.ts'
import { schedules } from './schedules.ts'
import { setup } from './setup.ts'

export type Sample = SampleBody & { readonly feature: string; readonly name: string }

const features = {
  Calls: calls,
  'Calls by number': numbers,
  'Call reports': reports,
  'Names of lines': lines,
  'Export of calls': exports,
  'Alerts, and their messages': alerts,
  'Alerts, and how they are set up': alertForms,
  Agents: agents,
  Billing: billing,
  'Billing posts': posts,
  'Scheduled posts': schedules,
  'Scheduled reports': reportSchedules,
  'Invoice operation': invoices,
  'Connection and time zones': setup,
  'Home tab': homeTab,
  'Installation and its end': installation,
  'What goes wrong': failed,
}

/** Every message, modal, home tab and page that Callboard can show, with invented data. */
export const gallery: readonly Sample[] = Object.entries(features).flatMap(([feature, samples]) =>
  samples.map((sample) => ({ feature, ...sample })),
)
