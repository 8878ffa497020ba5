import { fold, takeStart } from '../util/text.ts'
import type { Agent } from './wire.ts'

type NamedAgent = Pick<Agent, 'id' | 'name'>

/** Leaves room for an id in a button. */
const MAX_NAME_LENGTH = 36

const toNameKey = ({ name }: NamedAgent): string => fold(name)

/** Names of agents. Those of one name get their ids: `Anna Smith (1002)`. */
export class AgentLabels {
  readonly #sharedNames = new Set<string>()

  constructor(agents: readonly NamedAgent[]) {
    const names = new Set<string>()
    for (const agent of agents) {
      const key = toNameKey(agent)
      if (names.has(key)) this.#sharedNames.add(key)
      names.add(key)
    }
  }

  get(agent: NamedAgent): string {
    const { id } = agent
    const name = agent.name.trim()
    if (name === '') return id
    if (id === '' || !this.#sharedNames.has(toNameKey(agent))) return name
    const isLong = name.length > MAX_NAME_LENGTH
    return `${isLong ? `${takeStart(name, MAX_NAME_LENGTH)}…` : name} (${id})`
  }
}

/** Maps logins to names. A login of two agents doesn't tell who answered. */
export function mapLogins(
  agents: readonly Pick<Agent, 'id' | 'name' | 'sipLogin'>[],
): ReadonlyMap<string, string> {
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
