import { isOwn } from '../../query/filters/filters.ts'
import type { Services } from '../../services.ts'
import * as routing from '../../slack/routing/routes.ts'
import { unknownWordsMessage } from '../../slack/routing/words.ts'
import { POLL_ID } from '../../store/alerts.ts'
import type { Attribution } from '../../store/missed-calls.ts'
import { SubscriptionRoutes } from '../subscriptions/routes.ts'
import { type OpenPage, type OpenRow, openActions } from './actions.ts'
import { deliverAlert } from './delivery.ts'
import * as changes from './handling/changes.ts'
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
  const routes: routing.FeatureRoutes = {
    jobs: [poller.work(), handling.work()],
    background: [(stopping) => poller.keepJobsEnqueued(stopping)],
    commands: openListCommands(openLists),
    submissions: clicks.submissions(),
    actions: [...clicks.actions(), ...openListActions(openLists)],
  }
  return { openCalls, openLists, subscriptions, routes }
}

function openListCommands(openLists: OpenLists): readonly routing.CommandRoute[] {
  /** `/calls open`, and `/calls open mine`. */
  const listCommand = (word: string, view: OpenPage['view']): routing.CommandRoute => ({
    command: 'calls',
    word,
    moreWords: 'read',
    needs: 'calls',
    async handle({ interaction, words }) {
      const unknownWords = words.filter(({ value }) => !isOwn(value))
      if (unknownWords.length > 0) return { message: unknownWordsMessage(unknownWords, `/calls ${word}`) }
      const hasOwnWord = words.length > 0
      return openLists.list(interaction, { view: hasOwnWord ? 'mine' : view, page: 1 })
    },
  })
  return [listCommand('open', 'open'), listCommand('waiting', 'open'), listCommand('taken', 'taken')]
}

function openListActions(openLists: OpenLists): readonly routing.ActionRoute[] {
  const rowHandler = (toChange: (by: Attribution) => changes.CallChange): routing.ActionHandler<OpenRow> => ({
    needs: 'calls',
    handle: ({ interaction, value }) => openLists.change(interaction, value, toChange),
  })
  return routing.bind(openActions, {
    // The button is in a report that everyone may see, so the report stays.
    show: {
      needs: 'calls',
      replacesOriginal: false,
      handle: ({ interaction }) => openLists.list(interaction, { view: 'open', page: 1 }),
    },
    page: { needs: 'calls', handle: ({ interaction, value }) => openLists.list(interaction, value) },
    take: rowHandler(changes.take),
    done: rowHandler(changes.finish),
    // The row names the person who has the calls: all that this person has until now.
    release: rowHandler((by) => changes.release(by, by.at)),
  })
}
