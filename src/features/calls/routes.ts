import type { Services } from '../../services.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { CallLists } from './call-lists.ts'
import { callsCommands } from './command.ts'
import { findNumber } from './number-shortcut.ts'
import { listOpenAlerts, openAlertActions } from './open-alerts.ts'
import { ownAgentRoutes } from './own-agent.ts'
import { callLinks, callsActions, type ListQuery, reportedCallsActions } from './query.ts'
import { callsFilter, menuOptions } from './query-form.ts'
import { share, sharedPageRoutes } from './sharing.ts'

/** `/calls`: lists of calls, their pages and filters. */
export function calls(services: Services): FeatureRoutes {
  const lists = new CallLists(services)
  const ownAgent = ownAgentRoutes(services)
  const listOpen = (interaction: Interaction) => listOpenAlerts(services, interaction, 1)
  /** Skips the page cache; only paging uses it. */
  const list = (interaction: Interaction, query: ListQuery) => lists.list(interaction, query)

  return {
    tools: [async () => (await import('./tools.ts')).callsTools(services, lists)],

    shortcuts: [findNumber(services, lists)],
    commands: [
      ...callsCommands(services, list),
      { command: 'calls', word: 'open', needs: 'calls', handle: listOpen },
      { command: 'calls', word: 'waiting', needs: 'calls', handle: listOpen },
    ],

    actions: [
      ...ownAgent.actions,
      ...bind(
        { show: openAlertActions.show, page: openAlertActions.page },
        {
          // The button is in a report that everyone may see, so the report stays.
          show: { needs: 'calls', replacesOriginal: false, handle: listOpen },
          page: {
            needs: 'calls',
            handle: (interaction, { page }) => listOpenAlerts(services, interaction, page),
          },
        },
      ),
      ...bind(callsActions, {
        page: {
          needs: 'calls',
          handle: (interaction, query) => lists.list(interaction, query, { allowCached: true }),
        },
        direction: { needs: 'calls', handle: list },
        show: { needs: 'calls', handle: list },
        retry: { needs: 'calls', handle: list },
        share: {
          needs: 'calls',
          replacesOriginal: false,
          handle: (interaction, query) =>
            share(services, interaction, () => lists.buildSharedPage(interaction, query)),
        },
        filter: {
          needs: 'calls',
          openModal: (interaction, query, place) =>
            callsFilter.open(services, interaction, { ...place, query }),
        },
      }),
      ...bind(callLinks, {
        find: {
          needs: 'calls',
          openModal(interaction, _, place) {
            const query = { direction: 'incoming', page: 1 } as const
            return callsFilter.open(services, interaction, { ...place, query }, 'Find calls')
          },
        },
        // The button is in an alert's message, so the message stays.
        missed: {
          needs: 'calls',
          replacesOriginal: false,
          handle: (interaction, range) =>
            list(interaction, { direction: 'incoming', status: 'missed', page: 1, ...range }),
        },
        agentCalls: {
          needs: 'calls',
          handle: (interaction, agentId) =>
            list(interaction, { direction: 'incoming', openedFrom: 'agents', page: 1, agentId }),
        },
      }),
      ...sharedPageRoutes(services),
      ...bind(reportedCallsActions, {
        missed: {
          needs: 'calls',
          replacesOriginal: false,
          handle: (interaction, query) => list(interaction, { ...query, status: 'missed' }),
        },
      }),
    ],

    submissions: [...ownAgent.submissions, callsFilter.submission(services, list)],

    options: menuOptions(services),
  }
}
