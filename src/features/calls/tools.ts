import { z } from 'zod'
import { answerQuery, createCallsCommand } from '../../query/command.ts'
import { filterArguments, toFilterArguments } from '../../query/filters/call-filters.ts'
import { type ListQuery, pageNumberSchema } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import type { LinkedPages } from '../../slack/blocks/paging.ts'
import { ToolAction, textArgument } from '../../slack/blocks/tool-action.ts'
import type { MessageVariants } from '../../slack/deliver/answers.ts'
import { type Interaction, type Tool, tool } from '../../slack/routing/routes.ts'
import { countCallPages } from '../../telephony/types.ts'
import type { OpenLists } from '../alerts/open/list.ts'
import { callsActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'
import { renderUnreached, unreachedCommand } from './unreached.ts'
import { renderCalls } from './view.ts'

const daysDescription =
  'Days in words: today, yesterday, this morning, last week, november, last 30 days, 2026-11-05, 5 Nov..9 Nov'
const openDescription = 'Only missed calls that wait, and those that someone has taken and not finished'
const unreachedDescription =
  'Only numbers that were dialed without an answer and not reached since; by days and agent'
const input = z.strictObject({
  range: textArgument(100, daysDescription),
  from: textArgument(40, 'The first day, as 2026-11-05, in place of a range'),
  to: textArgument(40, 'The last day'),
  open: z.boolean().optional().describe(openDescription),
  unreached: z.boolean().optional().describe(unreachedDescription),
  ...filterArguments,
  page: pageNumberSchema.optional().describe('From 1; 20 calls to a page'),
})
const listCalls = new ToolAction('list_calls', input)

export function callsTool(services: Services, lists: CallLists, openLists: OpenLists): Tool {
  const listCommand = createCallsCommand({ name: '/calls', show: callsActions.show })

  async function list(interaction: Interaction, query: ListQuery): Promise<MessageVariants> {
    const view = await lists.load(interaction, query, { allowCached: query.page > 1 })
    const args = toFilterArguments(view.query)
    const paging = listCalls.paging(countCallPages(view.page), (page) => ({ ...args, page }))
    // Slackbot's lists show that there is a recording, without a link.
    return renderCalls({ ...view, recordingsBaseUrl: undefined }, paging)
  }

  async function listUnreached(interaction: Interaction, query: ListQuery): Promise<MessageVariants> {
    const view = await lists.loadUnreached(interaction, query)
    const { from, to, agentId } = view.query
    const toPageArgs = (page: number) => ({ unreached: true, from, to, agent: agentId, page })
    return renderUnreached(view, listCalls.paging(view.numbers, toPageArgs))
  }

  const description = `Lists the calls of the company's phone account, the newest first, 20 to a page: time, result, number, length and cost, by days, direction, result, agent, line, number or length. Answers "which calls did we miss yesterday on Sales London?" and, with unreached, "whom haven't we reached today?". Who called an incoming call is never known, only which of the company's own numbers was called. For counts and rates of many calls use report_calls.`
  const about = { needs: 'calls', title: 'List calls', description } as const
  return tool(listCalls, about, async (interaction, { open, unreached, ...filters }) => {
    if (open) {
      const toolPaging = (pages: LinkedPages) => listCalls.paging(pages, (page) => ({ open, page }))
      return openLists.list(interaction, { view: 'open', page: filters.page ?? 1 }, { toolPaging })
    }
    if (unreached) {
      const answer = (query: ListQuery) => listUnreached(interaction, query)
      return answerQuery(services, unreachedCommand, interaction, filters, answer)
    }
    return answerQuery(services, listCommand, interaction, filters, (query) => list(interaction, query))
  })
}
