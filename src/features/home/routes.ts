import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { HomePublisher, type ReadPlanned } from './publisher.ts'

const homeOpenedSchema = z.object({ user: z.string(), tab: z.string().optional() })

/** Publishes the Home tab when it is opened, and when the person has changed what it shows. */
export function home(services: Services, readPlanned: ReadPlanned): FeatureRoutes {
  const { homeTab, log } = services
  const publisher = new HomePublisher(services, readPlanned)
  homeTab.on('outdated', ({ team, person }) => {
    publisher
      .publish(team, person.id, { isOpened: false })
      .catch((error: unknown) => log.warn({ err: error }, 'publishing the Home tab failed'))
  })
  return {
    background: [async (stopping) => stopping.addEventListener('abort', () => publisher.stop())],
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
