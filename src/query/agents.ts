import type { Services } from '../services.ts'
import type { TenantKey } from '../store/tenant.ts'
import { AgentLabels } from '../telephony/agent-labels.ts'
import { type Account, TelephonyError } from '../telephony/types.ts'
import { takeStart } from '../util/text.ts'
import { AGENT_LENGTHS } from './fields.ts'
import type { AgentFilter } from './query.ts'

/** Menus have no room for an agent's name. @throws {TelephonyError | StoreError | NotConnectedError} */
export async function withAgentName<Query extends AgentFilter>(
  { workspaces, agentList }: Services,
  tenant: TenantKey,
  query: Query,
): Promise<Query> {
  if (query.agentId === undefined || query.agentName !== undefined) return query
  const agents = await agentList.list(await workspaces.account(tenant))
  const agent = agents.find(({ id }) => id === query.agentId)
  if (!agent) return query
  return { ...query, agentName: takeStart(new AgentLabels(agents).get(agent), AGENT_LENGTHS.name) }
}

/** Returns names by login. Empty if the phone service fails, because lists can do without them. */
export async function findAgentNames(
  { agentList, log }: Services,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  try {
    return await agentList.namesByLogin(account)
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    log.info({ outcome: error.outcome }, 'calls are shown without names of agents')
    return new Map()
  }
}
