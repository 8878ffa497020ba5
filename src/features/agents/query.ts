import { z } from 'zod'
import { page } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/parse-words.ts'
import { action } from '../../slack/blocks/action.ts'

export const MAX_SEARCH_LENGTH = 90

/** Query of a list of agents; every button below the list contains it. */
const agentsQuerySchema = z.strictObject({
  /** Part of a name, or an id; empty for all agents. */
  name: z.string().max(MAX_SEARCH_LENGTH),
  ...page.fields,
})
export type AgentsQuery = Readonly<z.infer<typeof agentsQuerySchema>>

export const agentsActions = {
  page: action('agents.page.', agentsQuerySchema),
  retry: action('agents.retry', agentsQuerySchema),
  share: action('agents.share', agentsQuerySchema),
  reveal: action('agents.reveal', z.strictObject({ id: z.string().min(1).max(200) })),
}

/** `[NAME] [page:N]`, in any order. All words but `page:N` are the name. */
export const agentsGrammar: Grammar = { filters: [page] }
