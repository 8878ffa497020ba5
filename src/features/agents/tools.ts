import { z } from 'zod'
import { ToolAction } from '../../slack/blocks/action.ts'
import { type Interaction, type Tool, tool } from '../../slack/routing/routes.ts'
import { type AgentsQuery, MAX_SEARCH_LENGTH } from './query.ts'
import { AGENTS_PER_PAGE, type AgentsView, agentsForSlackbot, countPages } from './view.ts'

const listAgents = new ToolAction(
  'list_agents',
  z.strictObject({
    name: z
      .string()
      .max(MAX_SEARCH_LENGTH)
      .optional()
      .describe('A part of the name, or an id; everyone if left out'),
    page: z.int().min(1).max(1_000_000).optional().describe(`From 1; ${AGENTS_PER_PAGE} agents to a page`),
  }),
)

export const agentsTools = (
  load: (interaction: Interaction, query: AgentsQuery) => Promise<AgentsView>,
): readonly Tool[] => [
  tool(
    listAgents,
    {
      needs: 'agents',
      title: 'List agents',
      description:
        "Lists the agents of the company's phone account with their numbers and SIP logins, or those whose name matches. It never shows a password. For the calls of an agent use list_calls or report_calls with the name.",
    },
    async (interaction, { name = '', page = 1 }) => {
      const view = await load(interaction, { name, page })
      const last = countPages(view)
      const next = page < last ? page + 1 : undefined
      const paging = listAgents.paging({ page, last, next }, (number) => ({ name, page: number }))
      return { message: agentsForSlackbot(view, paging) }
    },
  ),
]
