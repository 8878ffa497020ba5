import { z } from 'zod'
import { pageNumberSchema } from '../../query/query.ts'
import { action } from '../../slack/blocks/actions.ts'

export const MAX_SEARCH_LENGTH = 90

/** Stored in every button below a list. */
const agentsQuerySchema = z.strictObject({
  /** Part of a name, or an id; empty for all agents. */
  name: z.string().max(MAX_SEARCH_LENGTH),
  page: pageNumberSchema,
})
export type AgentsQuery = Readonly<z.infer<typeof agentsQuerySchema>>

export const agentsActions = {
  page: action('agents.page.', agentsQuerySchema),
  retry: action('agents.retry', agentsQuerySchema),
  share: action('agents.share', agentsQuerySchema),
  reveal: action('agents.reveal', z.strictObject({ id: z.string().min(1).max(200) })),
}
