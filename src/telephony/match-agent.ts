interface Named {
  readonly id: string
  readonly name: string
}

export type AgentMatch<T> = { readonly agent: T } | { readonly candidates: readonly T[] }

/** Whose id or whole name it is; otherwise everyone with it as a part of the name. */
export function agentsLike<T extends Named>(agents: readonly T[], wanted: string): readonly T[] {
  const lower = wanted.toLowerCase()
  const exact = agents.filter(({ id, name }) => id === wanted || name.toLowerCase() === lower)
  return exact.length > 0 ? exact : agents.filter(({ name }) => name.toLowerCase().includes(lower))
}

/** By id, by the whole name, or by a part of it that only one agent has. */
export function matchAgent<T extends Named>(agents: readonly T[], wanted: string): AgentMatch<T> {
  const found = agentsLike(agents, wanted)
  const [agent, ...others] = found
  return agent && others.length === 0 ? { agent } : { candidates: found }
}
