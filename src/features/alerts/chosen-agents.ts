import { menuAgentId } from '../../slack/blocks/links.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import type { AlertRecord } from '../../store/alerts.ts'
import type { AgentList } from '../../telephony/agent-list.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { Account } from '../../telephony/types.ts'

// Below the input for agents.
export const agentGone = "One of these agents isn't in the phone account any more. Choose again."
export const agentsUnknown =
  "The phone service isn't responding, so I can't look these agents up. Try again in a moment, or leave them out for now."

type Chosen =
  | { readonly agents: AlertRecord['agents']; readonly error?: undefined }
  | { readonly error: string }

/**
 * The agents of these ids with their names. Those that the alert had before keep theirs, and the service is not asked for
 * them.
 * @returns why, where they can't be told
 */
export async function chosenAgents(
  agentList: AgentList,
  account: Account,
  ids: readonly string[],
  before: AlertRecord | undefined,
): Promise<Chosen> {
  const known = before?.agents ?? []
  const isKnown = (id: string) => known.some((agent) => menuAgentId(agent) === id)
  try {
    const all = ids.every(isKnown) ? known : [...known, ...(await agentList.list(account))]
    const found = ids.map((id) => all.find((agent) => menuAgentId(agent) === id))
    const agents = found.filter((agent) => agent !== undefined).map(({ id, name }) => ({ id, name }))
    return agents.length < found.length ? { error: agentGone } : { agents }
  } catch (error) {
    if (error instanceof TelephonyError && !describeFailure(error).isPermanent)
      return { error: agentsUnknown }
    throw error
  }
}
