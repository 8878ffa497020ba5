import { isOwn } from '../../query/filters/filters.ts'
import type { Services } from '../../services.ts'
import * as routing from '../../slack/routing/routes.ts'
import { unknownWordsMessage } from '../../slack/routing/words.ts'
import { POLL_ID } from '../../store/alerts.ts'
import type { Attribution } from '../../store/missed-calls.ts'
import { type OpenPage, type OpenRow, openActions } from './actions.ts'
import { deliverAlert } from './delivery.ts'
import * as changes from './handling/changes.ts'
import { attribute, MessageClicks } from './handling/clicks.ts'
import type { CallHandling } from './handling/handling.ts'
import type { MissedCallAlerts } from './kind.ts'
import type { AlertMessages } from './messages.ts'
import type { OpenLists } from './open/list.ts'
import { Poller } from './poller.ts'

export interface AlertParts {
  readonly messages: AlertMessages
  readonly handling: CallHandling
  readonly openLists: OpenLists
  readonly subscriptions: MissedCallAlerts
}

/** Polls for missed calls, and handles clicks on their messages and lists. */
export function missedCallPolling(services: Services, parts: AlertParts): routing.FeatureRoutes {
  const { store, workspaces } = services
  const { messages, handling, openLists } = parts
  const clicks = new MessageClicks(services, handling, parts.subscriptions)
  const poller = new Poller(services, (alert) => deliverAlert(services, messages, alert)).work()
  // Retries at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.polls.change(tenant, POLL_ID, ({ failing: _, ...poll }) => poll)
  })
  return {
    ...poller,
    jobs: [...(poller.jobs ?? []), handling.work()],
    commands: openListCommands(openLists),
    submissions: clicks.submissions(),
    actions: [...clicks.actions(), ...openListActions(services, openLists)],
  }
}

function openListCommands(openLists: OpenLists): readonly routing.CommandRoute[] {
  /** `/calls open`, and `/calls open mine`: words come in any order. */
  const listCommand = (word: string, view: OpenPage['view']): routing.CommandRoute => ({
    command: 'calls',
    word,
    moreWords: 'read',
    needs: 'calls',
    async handle({ interaction, words }) {
      const others = words.filter(({ value }) => !isOwn(value))
      if (others.length > 0) return { message: unknownWordsMessage(others, `/calls ${word}`) }
      return openLists.list(interaction, { view: words.length === 0 ? view : 'mine', page: 1 })
    },
  })
  return [listCommand('open', 'open'), listCommand('waiting', 'open'), listCommand('taken', 'taken')]
}

function openListActions(services: Services, openLists: OpenLists): readonly routing.ActionRoute[] {
  const rowHandler = (toChange: (by: Attribution) => changes.CallChange): routing.ActionHandler<OpenRow> => ({
    needs: 'calls',
    handle: ({ interaction, value }) =>
      openLists.change(interaction, value, toChange(attribute(interaction, services.now()))),
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
    release: rowHandler((by) => changes.release(by, by.at)),
  })
}
