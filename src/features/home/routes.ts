import { z } from 'zod'
import type { Services } from '../../services.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import type { ListedKind } from '../subscriptions/routes.ts'
import { HomePublisher } from './publisher.ts'
import { HomeSubscriptions, takeOver } from './subscriptions.ts'

const homeOpenedSchema = z.object({ user: z.string(), tab: z.string().optional() })

/** Publishes the Home tab when it is opened, and when the person has changed what it shows. */
export function home(services: Services, kinds: readonly ListedKind[]): FeatureRoutes {
  const { homeTab, log } = services
  const subscriptions = new HomeSubscriptions(services, kinds)
  const publisher = new HomePublisher(services, subscriptions)
  homeTab.on('outdated', ({ team, person }) => {
    publisher
      .publish(team, person.id, { isOpened: false })
      .catch((error: unknown) => log.warn({ err: error }, 'publishing the Home tab failed'))
  })
  return {
    background: [async (stopping) => stopping.addEventListener('abort', () => publisher.stop())],
    actions: bind(
      { takeOver },
      { takeOver: { needs: 'admin', handle: (interaction) => subscriptions.takeOver(interaction) } },
    ),
    events: [
      {
        event: 'app_home_opened',
        async handle({ team, event }) {
          const { user, tab = 'home' } = homeOpenedSchema.parse(event)
          if (tab === 'home') await publisher.publish(team, user, { isOpened: true })
        },
      },
    ],
  }
}
