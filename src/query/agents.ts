import type { Services } from '../services.ts'
import type { TenantKey } from '../store/tenant.ts'
import { type Account, TelephonyError } from '../telephony/types.ts'
import { AGENT_LENGTHS } from './filters.ts'
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
  return agent ? { ...query, agentName: agent.name.slice(0, AGENT_LENGTHS.name) } : query
}

/** Maps logins to names; empty if the phone service fails, because lists can do without them. */
export async function findAgentNames(
  { agentList, log }: Services,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  try {
    const named = (await agentList.list(account)).filter((agent) => agent.sipLogin && agent.name)
    return new Map(named.map(({ sipLogin, name }) => [sipLogin, name]))
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    log.info({ outcome: error.outcome }, 'calls are shown without names of agents')
    return new Map()
  }
}
