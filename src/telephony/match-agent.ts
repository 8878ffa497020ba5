import type { Agent } from './types.ts'

export type AgentMatch<T> = { readonly agent: T } | { readonly candidates: readonly T[] }

/** Whose id or whole name it is; otherwise everyone with it as a part of the name. */
export function agentsLike<T extends Pick<Agent, 'id' | 'name'>>(
  agents: readonly T[],
  idOrName: string,
): readonly T[] {
  const lower = idOrName.toLowerCase()
  const exact = agents.filter(({ id, name }) => id === idOrName || name.toLowerCase() === lower)
  return exact.length > 0 ? exact : agents.filter(({ name }) => name.toLowerCase().includes(lower))
}

/** By id, by the whole name, or by a part of it that only one agent has. */
export function matchAgent<T extends Pick<Agent, 'id' | 'name'>>(
  agents: readonly T[],
  idOrName: string,
): AgentMatch<T> {
  const candidates = agentsLike(agents, idOrName)
  const [agent, ...others] = candidates
  return agent && others.length === 0 ? { agent } : { candidates }
}
