import { fold, takeStart } from '../util/text.ts'
import type { Agent } from './wire.ts'

type NamedAgent = Pick<Agent, 'id' | 'name'>

/** Leaves room for an id in a button. */
const MAX_NAME_LENGTH = 36

/** Names of agents. Agents who share a name get their ids, too: `Anna Smith (1002)`. */
export class AgentLabels {
  readonly #sharedNames = new Set<string>()

  constructor(agents: readonly NamedAgent[]) {
    for (const [name, owners] of Map.groupBy(agents, (agent) => fold(agent.name)))
      if (owners.length > 1) this.#sharedNames.add(name)
  }

  get(agent: NamedAgent): string {
    const { id } = agent
    const name = agent.name.trim()
    if (name === '') return id
    if (id === '' || !this.#sharedNames.has(fold(name))) return name
    const start = takeStart(name, MAX_NAME_LENGTH)
    return start === name ? `${name} (${id})` : `${start}… (${id})`
  }
}

/** Maps logins to names. A login of two agents doesn't tell who answered. */
export function mapLogins(agents: readonly Pick<Agent, 'id' | 'name' | 'sipLogin'>[]) {
  const labels = new AgentLabels(agents)
  const names = new Map<string, string>()
  for (const [login, owners] of Map.groupBy(agents, ({ sipLogin }) => sipLogin)) {
    const [owner, ...others] = owners
    if (login !== '' && owner?.name && others.length === 0) names.set(login, labels.get(owner))
  }
  return names
}

/** The service filters calls by id, so an agent without one can't be chosen. */
export const hasId = ({ id }: Pick<Agent, 'id'>): boolean => id !== ''
