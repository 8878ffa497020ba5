import type { Answer } from '../../slack/answers/answer.ts'
import type { ValueAction } from '../../slack/blocks/action.ts'
import { actionRow, cut, escapeText, LIMITS, section } from '../../slack/blocks/blocks.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { callsActions } from './actions.ts'
import type { ListQuery } from './query.ts'

const mostButtons = 10

/** The query, for one agent. */
export const ofAgent = (query: ListQuery, { id, name }: Pick<AgentSummary, 'id' | 'name'>): ListQuery => ({
  ...query,
  agentId: id,
  agentName: name.slice(0, LIMITS.optionText),
})

/**
 * Which agent is meant, where a name is that of several of them or of none: each button carries the rest of the query.
 * @param show what is done with it
 */
export function chooseAgent(
  name: string,
  candidates: readonly AgentSummary[],
  query: ListQuery,
  show: ValueAction<ListQuery> = callsActions.show,
): Answer {
  const written = `"${escapeText(name)}"`
  if (candidates.length === 0) {
    const text = `No agent matches ${written}.`
    return {
      message: {
        text,
        blocks: [section(text), ...actionRow([show.named('all').button('All agents', query)])],
      },
    }
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
    ...first.map((agent, index) => show.named(String(index)).button(labelOf(agent), ofAgent(query, agent))),
    ...(candidates.length > mostButtons ? [callsActions.filter.button('Filter…', query)] : []),
  ]
  return { message: { text, blocks: [section(text), ...actionRow(buttons)] } }
}
