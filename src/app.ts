import { agents } from './features/agents/routes.ts'
import { invoices } from './features/billing/invoice-routes.ts'
import { posts } from './features/billing/post-routes.ts'
import { billing } from './features/billing/routes.ts'
import { calls } from './features/calls/routes.ts'
import { home } from './features/home/routes.ts'
import { install } from './features/install/routes.ts'
import { lifecycle } from './features/lifecycle/routes.ts'
import { schedules } from './features/schedules/routes.ts'
import { setup } from './features/setup/routes.ts'
import type { Services } from './services.ts'
import { mergeRoutes, type Routes } from './slack/routing/routes.ts'

const features = [calls, agents, billing, posts, invoices, schedules, setup, home, install, lifecycle]

/** Everything that Callboard does, by what arrives. */
export const createApp = (services: Services): Routes =>
  mergeRoutes(features.map((feature) => feature(services)))
