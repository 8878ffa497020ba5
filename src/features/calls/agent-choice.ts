import type { Answer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { actionRow, button, cut, escapeText, LIMITS, section } from '../../slack/blocks/blocks.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { type ListQuery, writeQuery } from './query.ts'

const mostButtons = 10

/** The query, for one agent. */
export const ofAgent = (query: ListQuery, { id, name }: Pick<AgentSummary, 'id' | 'name'>): ListQuery => ({
  ...query,
  agentId: id,
  agentName: name.slice(0, LIMITS.optionText),
})

/**
 * Which agent is meant, where a name is that of several of them or of none: each button carries the rest of the query.
 * @param action what the buttons' ids begin with: what they do with it
 */
export function chooseAgent(
  name: string,
  candidates: readonly AgentSummary[],
  query: ListQuery,
  action: string = ACTIONS.callsShow,
): Answer {
  const written = `"${escapeText(name)}"`
  const show = (id: string, text: string, to: ListQuery) => button(`${action}${id}`, text, writeQuery(to))
  if (candidates.length === 0) {
    const text = `No agent matches ${written}.`
    return { message: { text, blocks: [section(text), ...actionRow([show('all', 'All agents', query)])] } }
  }
  const first = candidates.slice(0, mostButtons)
  const labelOf = (agent: AgentSummary) => {
    const isAlone = first.filter((other) => other.name === agent.name).length === 1
    if (isAlone && agent.name !== '') return agent.name
    const id = `(${cut(agent.id, LIMITS.agentId)})`
    return `${cut(agent.name, LIMITS.buttonText - id.length - 1)} ${id}`.trim()
  }
  const few = `${candidates.length} agents match ${written}. Which one?`
  const many = `${candidates.length} agents match ${written}. Which one? These are the first ${mostButtons}; Filter… has all of them.`
  const text = candidates.length > mostButtons ? many : few
  const buttons = [
    ...first.map((agent, index) => show(String(index), labelOf(agent), ofAgent(query, agent))),
    ...(candidates.length > mostButtons ? [button(ACTIONS.callsFilter, 'Filter…', writeQuery(query))] : []),
  ]
  return { message: { text, blocks: [section(text), ...actionRow(buttons)] } }
}
