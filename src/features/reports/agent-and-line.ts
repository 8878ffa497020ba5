import type { Answer } from '../../slack/answers/answer.ts'
import { actionRow, escapeText, LIMITS, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { problemsMessage } from '../../slack/blocks/problems.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { matchAgent } from '../../telephony/match-agent.ts'
import { reportActions } from './actions.ts'

const mostButtons = 10

/** The query of whom and what was named, or what to ask the person first. */
type Named = { readonly query: ReportQuery } | { readonly answer: Answer }

interface Choice {
  readonly text: string
  readonly query: ReportQuery
}

function ask(text: string, choices: readonly Choice[]): Answer {
  const buttons = choices
    .slice(0, mostButtons)
    .map((choice, index) => reportActions.show.named(String(index)).button(choice.text, choice.query))
  return { message: { text, blocks: [section(text), ...actionRow(buttons)] } }
}

const written = (text: string) => `"${escapeText(text)}"`

/** For the agent that a name means. */
export function withAgent(query: ReportQuery, name: string, agents: readonly AgentSummary[]): Named {
  const match = matchAgent(agents, name)
  const of = ({ id, name: own }: AgentSummary): ReportQuery => ({
    ...query,
    agentId: id,
    agentName: own.slice(0, LIMITS.optionText),
  })
  if ('agent' in match) return { query: of(match.agent) }
  const { candidates } = match
  if (candidates.length === 0)
    return { answer: ask(`No agent matches ${written(name)}.`, [{ text: 'All agents', query }]) }
  const labels = candidates.map((agent) => ({
    text: agent.name === '' ? agent.id : agent.name,
    query: of(agent),
  }))
  return { answer: ask(`${candidates.length} agents match ${written(name)}. Which one?`, labels) }
}

/** For the line that a name or digits mean. */
export function withLine(query: ReportQuery, text: string, lines: LineNames): Named {
  const matching = lines.matching(text)
  const [line, ...others] = matching
  const of = (number: string): ReportQuery => ({ ...query, line: number.slice(0, 24) })
  if (line && others.length === 0) return { query: of(line.number) }
  if (!line) {
    const all = ask(`No line matches ${written(text)}.`, [{ text: 'All lines', query }])
    return { answer: all }
  }
  const labels = matching.map(({ number }) => ({ text: lines.labelOf(number), query: of(number) }))
  return { answer: ask(`${matching.length} lines match ${written(text)}. Which one?`, labels) }
}

/** What is wrong with a command, all of it, and the way on. @param command what was probably meant, as it is typed */
export function problemsAnswer(texts: readonly string[], command: string | undefined): Answer {
  const buttons = [
    commandButton('report', 'Last 7 days', '/calls report'),
    commandButton('words', 'All words', '/calls help words'),
  ]
  return { message: problemsMessage([...new Set(texts)], { command, buttons }) }
}
