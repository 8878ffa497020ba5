import { randomUUID } from 'node:crypto'
import type { Workspace } from '../../slack/access/workspaces.ts'
import type { Answer } from '../../slack/answers/table-support.ts'
import { type Channels, shareRefusal } from '../../slack/api/channels.ts'
import { escapeText, LIMITS, plain, section } from '../../slack/blocks/blocks.ts'
import { justAfter } from '../../slack/routing/clicks.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { AgentList } from '../../telephony/agent-list.ts'
import { agentsLike, matchAgent } from '../../telephony/match-agent.ts'
import { nextPage } from '../../telephony/paging.ts'
import type { CallQuery } from '../../telephony/types.ts'
import { rangeClockChanges, rangeOffset } from '../../time/ranges.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { parseCallsCommand } from './command.ts'
import { FILTER_VIEW, filterModal, readFilter } from './filter-modal.ts'
import { helpMessage, problemsMessage } from './help.ts'
import type { Pages } from './pages.ts'
import { type ListQuery, readAgentQuery, readMenuBlockId, readQuery, writeQuery } from './query.ts'
import { asked, titleOf } from './summary.ts'
import { callsMessage, sharedCalls } from './view.ts'

export interface CallsDeps {
  readonly workspace: Workspace
  readonly pages: Pages
  readonly agents: AgentList
  readonly channels: Channels
  readonly recordingsBaseUrl: string | undefined
  /** Epoch ms. */
  readonly now: () => number
}

export function callsRoutes(deps: CallsDeps): FeatureRoutes {
  const { workspace, pages, agents, channels } = deps

  function toCallQuery(query: ListQuery, zone: Zone, now: Date): CallQuery {
    const { direction, from, to, status, agentId, page } = query
    return { direction, offset: rangeOffset(zone, query, now), from, to, status, agentId, page }
  }

  /** The page that the query asks for, with all that its message says. */
  async function look(
    { tenant, channel, visitor, offerRetry }: Interaction,
    query: ListQuery,
    options: { known?: boolean } = {},
  ) {
    const retry = { actionId: 'calls.retry', value: writeQuery(query) }
    offerRetry({ retry })
    const now = new Date(deps.now())
    const [account, { zone }] = await Promise.all([
      workspace.account(tenant),
      workspace.zone(tenant, channel, visitor.person),
    ])
    offerRetry({ retry, asked: `${titleOf(query)} · ${asked(query, zone, now)} · page ${query.page}` })
    const wanted = toCallQuery(query, zone, now)
    const page = await pages.get(account, wanted, options)
    const { recordingsBaseUrl } = deps
    const clockChanges = rangeClockChanges(zone, query, now)
    const nonce = randomUUID().slice(0, 8)
    return { account, wanted, view: { query, page, zone, now, clockChanges, recordingsBaseUrl, nonce } }
  }

  async function list(
    interaction: Interaction,
    query: ListQuery,
    options: { known?: boolean } = {},
  ): Promise<Answer> {
    const { account, wanted, view } = await look(interaction, query, options)
    const next = nextPage(view.page)
    const answer = callsMessage(view)
    return next === undefined
      ? answer
      : { ...answer, afterwards: () => pages.fetchAhead(account, { ...wanted, page: next }) }
  }

  async function share(interaction: Interaction, query: ListQuery): Promise<Answer> {
    const { channel, visitor } = interaction
    const refusal = shareRefusal(await channels.state(visitor.installation, channel), channel)
    if (refusal !== undefined)
      return { message: { text: refusal, blocks: [section(refusal)] }, place: 'below' }
    const { view } = await look(interaction, query, { known: true })
    return { ...sharedCalls(view, visitor.person.id), place: 'channel' }
  }

  const routes: FeatureRoutes = {
    commands: [
      { command: 'callboard', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      { command: 'calls', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      {
        command: 'calls',
        needs: 'calls',
        async handle(interaction, words) {
          const { tenant, channel, visitor } = interaction
          const { zone } = await workspace.zone(tenant, channel, visitor.person)
          const parsed = parseCallsCommand(words, localDay(zone, new Date(deps.now())))
          if (parsed.kind === 'problems') return { message: problemsMessage(parsed.problems) }
          if (parsed.agent === undefined) return list(interaction, parsed.query)
          const match = matchAgent(await agents.list(await workspace.account(tenant)), parsed.agent)
          if ('candidates' in match) return { message: ambiguous(parsed.agent, match.candidates) }
          const { id, name } = match.agent
          return list(interaction, { ...parsed.query, agentId: id, agentName: name.slice(0, 75) })
        },
      },
    ],

    actions: [
      ...['calls.page.', 'calls.direction', 'calls.retry'].map((action) => ({
        action,
        needs: 'calls' as const,
        handle: (interaction: Interaction, { value }: { value?: string | undefined }) =>
          list(interaction, readQuery(value), { known: action === 'calls.page.' }),
      })),
      {
        action: 'calls.more',
        needs: 'calls',
        handle: (interaction, { block_id, selected_option }) =>
          selected_option?.value === 'share'
            ? share(interaction, readMenuBlockId(block_id))
            : list(interaction, readMenuBlockId(block_id)),
      },
      {
        action: 'calls.of-agent',
        needs: 'calls',
        handle: async (interaction, { value }) =>
          list(interaction, await withAgentName(interaction.tenant, readAgentQuery(value))),
      },
      {
        action: 'calls.filter',
        needs: 'calls',
        async openModal({ tenant, channel, visitor }, { value }, place) {
          const query = readQuery(value)
          const { zone } = await workspace.zone(tenant, channel, visitor.person)
          const label = zoneLabel(zone, new Date(deps.now()))
          return { modal: filterModal(visitor.teamOf, channel, { query, ...place }, label) }
        },
      },
    ],

    submissions: [
      {
        view: FILTER_VIEW,
        needs: 'calls',
        async handle(interaction, view, { ack, answer }) {
          const submitted = readFilter(view)
          if ('errors' in submitted) return ack({ response_action: 'errors', errors: submitted.errors })
          await ack()
          const { origin, query } = submitted
          const place = { ...origin, actionTs: justAfter(origin.actionTs) }
          return answer(place, async () => list(interaction, await withAgentName(interaction.tenant, query)))
        },
      },
    ],

    options: [
      {
        action: 'calls.agent',
        needs: 'calls',
        async handle({ tenant }, typed) {
          const all = await agents.list(await workspace.account(tenant))
          return agentsLike(all, typed)
            .slice(0, LIMITS.optionsInAnAnswer)
            .map(({ id, name }) => ({
              text: plain(name === '' ? id : name, LIMITS.optionText),
              value: id.slice(0, 40),
            }))
        },
      },
    ],
  }

  async function withAgentName(tenant: Interaction['tenant'], query: ListQuery): Promise<ListQuery> {
    if (query.agentId === undefined || query.agentName !== undefined) return query
    const all = await agents.list(await workspace.account(tenant))
    const agent = all.find(({ id }) => id === query.agentId)
    return agent ? { ...query, agentName: agent.name.slice(0, 75) } : query
  }

  return routes
}

function ambiguous(wanted: string, candidates: readonly { id: string; name: string }[]) {
  const shown = candidates
    .slice(0, 20)
    .map(({ id, name }) => `• ${escapeText(name)} – \`agent:${escapeText(id)}\``)
  const text =
    candidates.length === 0
      ? `No agent is called "${escapeText(wanted)}". The Filter… button lists the agents.`
      : `"${escapeText(wanted)}" fits several agents. Say which:\n${shown.join('\n')}`
  return { text, blocks: [section(text)] }
}
