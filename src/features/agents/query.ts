import { z } from 'zod'
import { page } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/parse-words.ts'
import { action, MenuAction } from '../../slack/blocks/action.ts'

/** The whole query has to fit a block's id, each character escaped at the worst. */
export const LONGEST_NAME = 90

/** What an `/agents` message shows; it rides whole in each of its buttons. */
const agentsQuery = z.strictObject({
  /** A part of the name, or an id; empty for every agent. */
  name: z.string().max(LONGEST_NAME),
  ...page.fields,
})
export type AgentsQuery = Readonly<z.infer<typeof agentsQuery>>

/** The rest of a list. */
export const agentsMore = new MenuAction('agents.more', agentsQuery)

export const agentsActions = {
  page: action('agents.page.', agentsQuery),
  retry: action('agents.retry', agentsQuery),
  share: action('agents.share', agentsQuery),
  refresh: agentsMore.entry('refresh'),
  reveal: action('agents.reveal', z.strictObject({ id: z.string().min(1).max(200) })),
}

/** `[NAME] [page:N]`, in any order. All other words are the name. */
export const agentsGrammar: Grammar = { filters: [page] }
