import {
  actionRow,
  context,
  cut,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { commandButton, problemMessage } from '../../slack/blocks/command-button.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'

/** Short enough for ten agents to fit one message, whatever the service holds. */
export const nameOf = ({ name, id }: Pick<AgentSummary, 'name' | 'id'>): string =>
  cut(name === '' ? id : name, 60)

export const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : cut(flag.raw || '–', 40)

/** Name, number and login; the rest is in Details. mrkdwn. @param longest what a value of the service is cut to */
export function lineOf(agent: AgentSummary, longest = 60): string {
  const facts = [cut(agent.callerId, Math.min(40, longest)), cut(agent.sipLogin, longest)]
  const name = `*${escapeText(cut(nameOf(agent), longest))}*`
  return [name, ...facts.filter((fact) => fact !== '').map(escapeText)].join(' · ')
}

/** `3 agents match "anna"`, and of a list that is not paged `3 agents`; nothing where its place says enough. mrkdwn. */
export function matchText(count: number, name: string, isPaged: boolean): string | undefined {
  const counted = count === 1 ? '1 agent' : `${count} agents`
  if (name !== '') return escapeText(`${counted} ${count === 1 ? 'matches' : 'match'} "${name}"`)
  return isPaged ? undefined : counted
}

/** What is to be shown, in the middle of a sentence. */
export const requestText = (name: string) => (name === '' ? 'the agents' : `the agents matching "${name}"`)

/** The way out of a list that holds nobody. */
const allAgentsButton = commandButton('all-agents', 'All agents', '/agents')

export function nobodyMessage(name: string): Message {
  const text = name === '' ? 'This phone account has no agents.' : escapeText(`No agent matches "${name}".`)
  return { text, blocks: [section(text), ...actionRow(name === '' ? [] : [allAgentsButton])] }
}

const examples = [
  ['/agents', 'all agents, ten to a page', allAgentsButton],
  ['/agents anna', 'agents with "anna" in their name', commandButton('anna', 'Find anna', '/agents anna')],
  ['/agents page:2', 'another page', commandButton('page-2', 'Show page 2', '/agents page:2')],
] as const

const aboutText = 'Find an agent, their calls and their SIP login.'

export const helpMessage: Message = {
  text: `Agents. ${aboutText}`,
  blocks: [
    header('Agents'),
    section(aboutText),
    ...examples.map(([command, about, accessory]) => ({
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
