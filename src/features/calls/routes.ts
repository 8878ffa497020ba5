import type { Services } from '../../services.ts'
import type { Fallback } from '../../slack/answers/answer.ts'
import { type ClickPlace, isAnswerable, justAfter } from '../../slack/answers/clicks.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { AGENT_OPTIONS, readAgentMenu } from '../../slack/blocks/agent-menu.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { REPORT_OPTIONS, readReportMenu } from '../../slack/blocks/report-query.ts'
import type { ActionPayload } from '../../slack/inbound/payloads.ts'
import { menuAndShareRoutes } from '../../slack/routing/list-routes.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { agentsLike } from '../../telephony/match-agent.ts'
import { zoneLabel } from '../../time/zones.ts'
import { CallLists } from './call-lists.ts'
import { CallPages } from './call-pages.ts'
import { callsCommands } from './command-routes.ts'
import { filterModal, outdatedFilterText, readFilter } from './filter-modal.ts'
import { numberRoutes } from './number-routes.ts'
import { NumberSearch } from './number-search.ts'
import { type ListQuery, listOfAgent, listOfReport, readQuery, writeQuery } from './query.ts'

/** What an apology offers, should the list not come. */
const buttonsFor = (query: ListQuery): Fallback => ({
  retry: { actionId: ACTIONS.callsRetry, value: writeQuery(query) },
  filter: { actionId: ACTIONS.callsFilter, value: writeQuery(query) },
})

/** `/calls`: lists of calls, their pages and filters. */
export function calls({
  config,
  store,
  telephony,
  agentList,
  workspaces,
  accessRules,
  sharing,
  metrics,
  eventLoopLoad,
  log,
  readForMs,
  now,
}: Services): FeatureRoutes {
  const pages = new CallPages({ config, store, telephony, metrics, eventLoopLoad, log, now })
  const search = new NumberSearch({ store, telephony, readForMs, now })
  const lists = new CallLists({ config, workspaces, accessRules, pages, search, now })
  const list: CallLists['list'] = (...asked) => lists.list(...asked)
  const numbers = numberRoutes({ lists, workspaces })

  const agentsOf = async ({ tenant }: Interaction) => agentList.list(await workspaces.account(tenant))

  async function withAgentName(interaction: Interaction, query: ListQuery): Promise<ListQuery> {
    if (query.agentId === undefined || query.agentName !== undefined) return query
    interaction.fallback = buttonsFor(query)
    const agent = (await agentsOf(interaction)).find(({ id }) => id === query.agentId)
    return agent ? { ...query, agentName: agent.name.slice(0, LIMITS.optionText) } : query
  }

  async function openFilter(
    { actor, tenant, channel }: Interaction,
    query: ListQuery,
    place: ClickPlace,
    title?: string,
  ) {
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    return filterModal(actor.team, channel, { query, ...place }, zoneLabel(zone, new Date(now())), title)
  }

  /** For a button whose value is the query that it leads to. */
  const listByButton = (interaction: Interaction, { value }: ActionPayload) =>
    list(interaction, readQuery(value))

  return {
    shortcuts: numbers.shortcuts,
    commands: callsCommands({ workspaces, agentList, accessRules, now }, list),

    actions: [
      ...numbers.actions,
      {
        action: ACTIONS.callsPage,
        needs: 'calls',
        handle: (interaction, { value }) => list(interaction, readQuery(value), { mayBeKept: true }),
      },
      { action: ACTIONS.callsDirection, needs: 'calls', handle: listByButton },
      { action: ACTIONS.callsShow, needs: 'calls', handle: listByButton },
      { action: ACTIONS.callsRetry, needs: 'calls', handle: listByButton },
      ...menuAndShareRoutes(sharing, {
        needs: 'calls',
        menu: ACTIONS.callsMore,
        share: ACTIONS.callsShare,
        read: readQuery,
        list,
        shared: (interaction, query) => lists.shared(interaction, query),
      }),
      {
        action: ACTIONS.agentsRow,
        option: AGENT_OPTIONS.calls,
        needs: 'calls',
        async handle(interaction, { block_id }) {
          const ofAgent = listOfAgent(readAgentMenu(block_id))
          return list(interaction, await withAgentName(interaction, ofAgent))
        },
      },
      {
        // Of a report, which stays.
        action: ACTIONS.reportMore,
        option: REPORT_OPTIONS.missed,
        needs: 'calls',
        answersBelow: true,
        async handle(interaction, { block_id }) {
          const missed = listOfReport(readReportMenu(block_id), { status: 'missed' })
          return list(interaction, await withAgentName(interaction, missed))
        },
      },
      // Of a message of an alert, which stays.
      { action: ACTIONS.alertShow, needs: 'calls', answersBelow: true, handle: listByButton },
      {
        action: ACTIONS.callsFilter,
        needs: 'calls',
        openModal: (interaction, { value }, place) => openFilter(interaction, readQuery(value), place),
      },
      {
        action: ACTIONS.callsFind,
        needs: 'calls',
        openModal: (interaction, _, place) =>
          openFilter(interaction, { direction: 'incoming', page: 1 }, place, 'Find calls'),
      },
    ],

    submissions: [
      {
        view: VIEWS.callsFilter,
        needs: 'calls',
        async handle(interaction, view) {
          const filter = readFilter(view)
          if ('errors' in filter) return filter
          const { origin, query } = filter
          const isOnMessage = origin.responseUrl !== undefined
          if (isOnMessage && !isAnswerable(origin.actionTs, now()))
            return { errors: { direction: outdatedFilterText } }
          return {
            place: { ...origin, actionTs: justAfter(origin.actionTs) },
            answer: async () => list(interaction, await withAgentName(interaction, query)),
          }
        },
      },
    ],

    options: [
      {
        action: ACTIONS.callsAgent,
        needs: 'calls',
        async handle(interaction, typed) {
          const found = agentsLike(await agentsOf(interaction), typed).slice(0, LIMITS.options)
          return found.map(({ id, name }) => option(name === '' ? id : name, id.slice(0, LIMITS.agentId)))
        },
      },
    ],
  }
}
