import { context, cut, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, problemMessage } from '../../slack/blocks/command-button.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'
import { nearestWord, numberText } from '../../util/text.ts'

/** Returns the name, short enough for ten agents to fit a message. */
export const formatName = ({ name, id }: Pick<AgentSummary, 'name' | 'id'>): string =>
  cut(name === '' ? id : name, 60)

export const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : cut(flag.raw || '–', 40)

/** Returns name, number and login in mrkdwn. @param maxLength of each value */
export function formatAgent(agent: AgentSummary, maxLength = 60): string {
  const facts = [cut(agent.callerId, Math.min(40, maxLength)), cut(agent.sipLogin, maxLength)]
  const name = `*${escapeText(cut(formatName(agent), maxLength))}*`
  return [name, ...facts.filter((fact) => fact !== '').map(escapeText)].join(' · ')
}

/** Returns `3 agents match "anna"` or `3 agents` in mrkdwn; nothing for pages of all agents, whose position says it. */
export function matchText(count: number, name: string, isPaged: boolean): string | undefined {
  const counted = count === 1 ? '1 agent' : `${numberText(count)} agents`
  if (name !== '') return escapeText(`${counted} ${count === 1 ? 'matches' : 'match'} "${name}"`)
  return isPaged ? undefined : counted
}

export const describeAgents = (name: string) => (name === '' ? 'the agents' : `the agents matching "${name}"`)

const allAgentsButton = commandButton('all-agents', 'All agents', '/agents')

/** @param limit says that not all agents were searched */
export function nobodyMessage(name: string, limit: string | undefined): Message {
  const none = name === '' ? 'This phone account has no agents.' : `No agent matches "${name}".`
  const command = nearestWord(name, ['help']) && '/agents help'
  const buttons = name === '' ? [] : [allAgentsButton]
  return problemMessage(limit === undefined ? none : `${none} ${limit}`, { command, buttons })
}

const agentExamples = [
  ['/agents', 'all agents, ten to a page', allAgentsButton],
  ['/agents anna', 'agents with "anna" in their name', commandButton('anna', 'Find anna', '/agents anna')],
  ['/agents page:2', 'another page', commandButton('page-2', 'Show page 2', '/agents page:2')],
] as const

const ABOUT_AGENTS = 'Find an agent, their calls and their SIP login.'

export const agentsHelp: Message = {
  text: `Agents. ${ABOUT_AGENTS}`,
  blocks: [
    header('Agents'),
    section(ABOUT_AGENTS),
    ...agentExamples.map(([command, about, accessory]) => ({
      ...section(`\`${command}\` – ${about}`),
      accessory,
    })),
    context(
      "In the menu beside an agent, *Calls* shows the agent's calls and *Details* the SIP login. Administrators can see the SIP password there.",
    ),
  ],
}

/** @param suggested words that were probably meant */
export const explainWords = (problem: string, suggested: string | undefined): Message =>
  problemMessage(problem, {
    command: suggested === undefined ? undefined : `/agents ${suggested}`.trim(),
    buttons: [allAgentsButton, commandButton('help', 'Help', '/agents help')],
  })
