import { z } from 'zod'
import { AGENT_LENGTHS } from '../../query/filters/filter.ts'
import { pageNumberSchema } from '../../query/query.ts'
import { action, ButtonAction, ForgedValueError } from '../../slack/blocks/actions.ts'

export const MAX_SEARCH_LENGTH = 90

/** Stored in every button below a list. */
const agentsQuerySchema = z.strictObject({
  /** Part of a name, or an id; empty for all agents. */
  name: z.string().max(MAX_SEARCH_LENGTH),
  page: pageNumberSchema,
})
export type AgentsQuery = Readonly<z.infer<typeof agentsQuerySchema>>

const agentIdSchema = z.string().min(1).max(AGENT_LENGTHS.id)

/** For a button or a menu: both send the plain id, not JSON. */
const agentAction = (id: string) =>
  new ButtonAction(id, ({ value, selected_option: option }) => {
    const { data } = agentIdSchema.safeParse(value ?? option?.value)
    if (data === undefined) throw new ForgedValueError(id)
    return data
  })

export const agentsActions = {
  page: action('agents.page.', agentsQuerySchema),
  retry: action('agents.retry', agentsQuerySchema),
  share: action('agents.share', agentsQuerySchema),
  details: agentAction('agents.details'),
  reveal: action('agents.reveal', z.strictObject({ id: z.string().min(1).max(200) })),
}

export const agentCallsAction = agentAction('agents.calls')
