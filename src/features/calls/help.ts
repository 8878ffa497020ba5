import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'

const usage = [
  '`/calls [incoming|outgoing] [missed|answered] [RANGE] [from:DAY] [to:DAY] [agent:NAME-OR-ID] [page:N]`',
  "`/calls timezone [ZONE]` – this channel's zone: shows it, or sets it for everyone here (`Europe/Berlin`, `+05:30`, `default`)",
  "`/calls connect` or `disconnect` – the workspace's key and secret (admins)",
]

const words = [
  '`RANGE`: `today`, `yesterday`, `this week`, `last week`, `this month`, `last month`, `last 7 days`, `2026-11-05`, `2026-11-01..2026-11-05`',
  '`DAY`: `2026-11-05`, `today`, `yesterday`. Words come in any order; several words in one value need quotes: `agent:"Anna Smith"`',
]

export function helpMessage(): Message {
  return {
    text: 'Callboard: /calls shows the calls of your telephony account. Try /calls missed yesterday.',
    blocks: [
      header('Callboard'),
      section(
        'Look up the calls of your telephony account. Try `/calls`, `/calls missed yesterday` or `/calls outgoing last 7 days`.',
      ),
      section(usage.map(escapeText).join('\n')),
      section(words.map(escapeText).join('\n')),
      section('`/agents` – the agents; `/billing` – plan, add-ons and total; each has its own `help`.'),
      context(
        'Every command also works under `/callboard`, such as `/callboard calls missed`; `/callboard forget` deletes everything that is kept of this workspace (admins). Answers are visible to you alone.',
      ),
    ],
  }
}

export function problemsMessage(problems: readonly string[]): Message {
  const list = problems.map((problem) => `• ${escapeText(problem)}`).join('\n')
  return {
    text: `Not understood: ${problems.map(escapeText).join('; ')}. Nothing was looked up.`,
    blocks: [
      section(`Nothing was looked up:\n${list}`),
      section(escapeText(usage[0] ?? '')),
      context('`/calls help` explains the words.'),
    ],
  }
}

/** Which agent is meant, where a name fits several of them or none. */
export function ambiguousAgentText(name: string, candidates: readonly AgentSummary[]): string {
  if (candidates.length === 0)
    return `No agent is called "${escapeText(name)}". The Filter… button lists the agents.`
  const lines = candidates
    .slice(0, 20)
    .map((agent) => `• ${escapeText(agent.name)} – \`agent:${escapeText(agent.id)}\``)
  return `"${escapeText(name)}" fits several agents. Say which:\n${lines.join('\n')}`
}
