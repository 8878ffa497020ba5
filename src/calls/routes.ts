import { randomUUID } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import { escapeText, LIMITS, plain, section } from '../slack/blocks.ts'
import { SlackUnavailableError } from '../slack/errors.ts'
import { justAfter, type LatestClick } from '../slack/latest-click.ts'
import type { Answer, Replies } from '../slack/reply.ts'
import type { Interaction, Routes } from '../slack/router.ts'
import type { Workspace } from '../slack/workspace.ts'
import { PAGE_SIZE } from '../telephony/paging.ts'
import type { CallPage, CallQuery } from '../telephony/types.ts'
import { rangeClockChanges, rangeOffset } from '../time/ranges.ts'
import type { Zone } from '../time/types.ts'
import { localDay, zoneLabel } from '../time/zones.ts'
import { type AgentNames, matchAgent } from './agents.ts'
import { parseCallsCommand } from './command.ts'
import { FILTER_VIEW, filterModal, readFilter } from './filter-modal.ts'
import { helpMessage, problemsMessage } from './help.ts'
import type { Pages } from './pages.ts'
import { type ListQuery, readMenuBlockId, readQuery, writeQuery } from './query.ts'
import { callsMessage } from './view.ts'

export interface CallsDeps {
  readonly workspace: Workspace
  readonly pages: Pages
  readonly agents: AgentNames
  readonly webApi: WebClient
  readonly replies: Replies
  readonly latestClick: LatestClick
  readonly recordingsBaseUrl: string | undefined
  /** Epoch ms. */
  readonly now: () => number
}

export function callsRoutes(deps: CallsDeps): Routes {
  const { workspace, pages, agents, webApi, replies, latestClick } = deps

  function toCallQuery(query: ListQuery, zone: Zone, now: Date): CallQuery {
    const { direction, from, to, status, agentId, page } = query
    return { direction, offset: rangeOffset(zone, query, now), from, to, status, agentId, page }
  }

  async function list(
    { tenant, channel, visitor, offerRetry }: Interaction,
    query: ListQuery,
    options: { known?: boolean } = {},
  ): Promise<Answer> {
    offerRetry({ actionId: 'calls.retry', value: writeQuery(query) })
    const now = new Date(deps.now())
    const [account, { zone }] = await Promise.all([
      workspace.account(tenant),
      workspace.zone(tenant, channel, visitor.person),
    ])
    const asked = toCallQuery(query, zone, now)
    const page = await pages.get(account, asked, options)
    const next = nextPage(page)
    const answer = callsMessage({
      query,
      page,
      zone,
      now,
      clockChanges: rangeClockChanges(zone, query, now),
      recordingsBaseUrl: deps.recordingsBaseUrl,
      nonce: randomUUID().slice(0, 8),
    })
    return next === undefined
      ? answer
      : { ...answer, afterwards: () => pages.fetchAhead(account, { ...asked, page: next }) }
  }

  const routes: Routes = {
    commands: [
      { command: 'callboard', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      { command: 'calls', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      {
        command: 'calls',
        needs: 'member',
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
        needs: 'member' as const,
        handle: (interaction: Interaction, { value }: { value?: string | undefined }) =>
          list(interaction, readQuery(value), { known: action === 'calls.page.' }),
      })),
      {
        action: 'calls.more',
        needs: 'member',
        handle: (interaction, { block_id }) => list(interaction, readMenuBlockId(block_id)),
      },
      {
        action: 'calls.filter',
        needs: 'member',
        async handle(
          { tenant, channel, visitor, triggerId },
          { value, action_ts },
          { responseUrl, message },
        ) {
          const query = readQuery(value)
          const { zone } = await workspace.zone(tenant, channel, visitor.person)
          const label = zoneLabel(zone, new Date(deps.now()))
          const origin = { query, responseUrl: responseUrl ?? '', message, actionTs: action_ts }
          const view = filterModal(visitor.teamOf, channel, origin, label)
          try {
            await webApi.views.open({ token: visitor.installation.botToken, trigger_id: triggerId, view })
          } catch (cause) {
            throw new SlackUnavailableError('views.open failed', { cause })
          }
          return undefined
        },
      },
    ],

    submissions: [
      {
        view: FILTER_VIEW,
        needs: 'member',
        async handle(interaction, view, ack) {
          const submitted = readFilter(view)
          if ('errors' in submitted) return ack({ response_action: 'errors', errors: submitted.errors })
          await ack()
          const { origin, query } = submitted
          const { tenant, channel, visitor } = interaction
          const actionTs = justAfter(origin.actionTs)
          const click = { tenant, channel, message: origin.message, user: visitor.person.id, actionTs }
          await latestClick.answer(click, async () => {
            const named = await withAgentName(tenant, query)
            const answer = await list(interaction, named)
            return () => replies.replace(answer, { responseUrl: origin.responseUrl, tenant })
          })
        },
      },
    ],

    options: [
      {
        action: 'calls.agent',
        needs: 'member',
        async handle({ tenant }, typed) {
          const all = await agents.list(await workspace.account(tenant))
          const lower = typed.toLowerCase()
          return all
            .filter(({ id, name }) => id === typed || name.toLowerCase().includes(lower))
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

/** Which page will probably be asked for next. */
function nextPage(page: CallPage): number | undefined {
  const hasNext =
    page.total === undefined ? page.calls.length === PAGE_SIZE : page.page * PAGE_SIZE < page.total
  return hasNext ? page.page + 1 : undefined
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
