import { callerUnknownText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import { isAllowed, listManagers, type Needs } from '../../slack/access/access-rules.ts'
import type { Actor } from '../../slack/access/guards.ts'
import type { Person } from '../../slack/access/people.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton, connectButton } from '../../slack/blocks/buttons.ts'
import { managersSentence, notConnectedText } from '../../slack/deliver/failures.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { AccessRecord } from '../../store/workspaces.ts'
import { callsActions } from './actions.ts'

const MAX_EXAMPLES = 6

interface HelpCommand {
  readonly typed: string
  readonly needs: Needs
  readonly text: string
  /** Label of the button that runs the command. Only commands with one are examples. */
  readonly label?: string
}

/** The most useful first: help begins with the first few that have a label and that the person may use. */
const commands: readonly HelpCommand[] = [
  { typed: '/calls missed yesterday', needs: 'calls', text: 'calls missed yesterday', label: 'Missed calls' },
  { typed: '/calls open', needs: 'calls', text: 'missed calls that wait or are taken', label: 'Open calls' },
  { typed: '/calls report', needs: 'calls', text: 'summary of the last 7 days', label: 'Report' },
  { typed: '/agents', needs: 'agents', text: 'your agents and their calls', label: 'Agents' },
  { typed: '/billing', needs: 'billing', text: 'what the phone account costs', label: 'Billing' },
  { typed: '/callboard access', needs: 'admin', text: 'who can see what', label: 'Access…' },
  { typed: '/calls alerts', needs: 'calls', text: 'each missed call in a channel', label: 'Alerts' },
  { typed: '/calls mine', needs: 'calls', text: 'your own calls', label: 'Your calls' },
  { typed: '/billing post', needs: 'billing', text: 'the bill in a channel', label: 'Post the bill…' },
  { typed: '/billing schedules', needs: 'billing', text: 'the bill on a schedule', label: 'Schedules' },
  { typed: '/calls timezone', needs: 'member', text: 'the time zone here', label: 'Time zone' },
  { typed: '/calls', needs: 'calls', text: 'incoming calls, newest first' },
  { typed: '/calls outgoing last 7 days', needs: 'calls', text: 'calls your agents made' },
  { typed: '/calls unreached', needs: 'calls', text: 'numbers dialed, and not reached since' },
  { typed: '/calls monday agent:anna', needs: 'calls', text: 'calls of one agent' },
  { typed: '/calls line:"Sales Berlin"', needs: 'calls', text: 'calls on one line' },
  { typed: '/calls +44 20 7946 0042', needs: 'calls', text: 'calls to a number' },
  { typed: '/calls report by:hour', needs: 'calls', text: 'report with a chart' },
  { typed: '/calls last month vs this month', needs: 'calls', text: 'comparison' },
  { typed: '/calls schedules', needs: 'calls', text: 'reports in a channel' },
  { typed: '/calls export last month', needs: 'export', text: 'calls as a CSV file' },
  { typed: '/calls timezone Europe/Berlin', needs: 'member', text: 'set the time zone of this channel' },
  { typed: '/calls lines', needs: 'admin', text: 'name your numbers' },
  { typed: '/calls connect', needs: 'admin', text: 'connect the phone account' },
  { typed: '/calls disconnect', needs: 'admin', text: 'disconnect it' },
  { typed: '/callboard audit', needs: 'admin', text: 'who changed what' },
  { typed: '/callboard forget', needs: 'admin', text: 'delete all stored data' },
]

const topics: Readonly<Record<string, readonly Needs[]>> = {
  Calls: ['calls', 'export'],
  Agents: ['agents'],
  Billing: ['billing'],
  Settings: ['member', 'admin'],
}

const searchHelp = [
  '*Days*: `today`, `yesterday`, `monday`, `5 Nov`, `26.11.`, `2026-11-05`, `2026-11-01..2026-11-05`, `since 5 Nov`, `last 7 days`, `november`, `this morning`',
  '*Filters*: `incoming`, `outgoing`, `missed`, `answered`, `from:DAY`, `to:DAY`, `hours:morning`, `longer:5m`, `shorter:30s`, `agent:NAME`, `agent:me`, `line:NAME`, `number:DIGITS`, `page:N`, in any order',
  '*Names*: all other words are the name of an agent or a line: `Anna Smith`, `"Sales London"`',
  `*Callers*: ${callerUnknownText} A missed call shows which of your numbers was called.`,
  '*In threads*: _More actions_ of a message > _Find calls by number_',
]

const ALIAS_HINT =
  '`/callboard calls`, `/callboard agents`, `/callboard billing`: the same commands if another app uses `/calls`.'

export const connectText = `${notConnectedText} Connect it, and people here can look up calls.`
export const nothingVisibleText = "You can't see calls, agents or billing here yet."

const describeCommand = ({ typed, text }: HelpCommand): string => `\`${blocks.escapeText(typed)}\` – ${text}`

const listAllowed = (person: Person, rules: AccessRecord): readonly HelpCommand[] =>
  commands.filter(({ needs }) => isAllowed(needs, person, rules))

const isExample = (command: HelpCommand): command is Required<HelpCommand> => command.label !== undefined

/** False for settings, which work without a phone account. */
const showsAccount = ({ needs }: HelpCommand): boolean => needs !== 'member' && needs !== 'admin'

const whomToAskText = ({ installation }: Actor, { administrators }: AccessRecord): string =>
  managersSentence(listManagers(installation, administrators))

function explainUnconnected(actor: Actor, rules: AccessRecord): blocks.Block {
  if (actor.person.isAdmin) return blocks.sectionWith(connectText, connectButton)
  return blocks.section(`${notConnectedText} ${whomToAskText(actor, rules)}`)
}

/** Shows the first things that this person can do, each with a button. */
export async function help(services: Services, { actor, tenant }: Interaction): Promise<blocks.Message> {
  const [rules, isConnected] = await Promise.all([
    services.guards.getRules(tenant),
    services.store.credentials.has(tenant),
  ])
  const allowed = listAllowed(actor.person, rules)
  const usable = isConnected ? allowed : allowed.filter((command) => !showsAccount(command))
  const examples = usable.filter(isExample).slice(0, MAX_EXAMPLES)
  const content: blocks.MessageBlock[] = [blocks.header('Callboard')]
  content.push(blocks.context('Only you can see this.'))
  if (!isConnected) content.push(explainUnconnected(actor, rules))
  else if (!allowed.some(showsAccount))
    content.push(blocks.section(`${nothingVisibleText} ${whomToAskText(actor, rules)}`))
  for (const [index, command] of examples.entries()) {
    const run = commandButton(`example-${index}`, command.label, command.typed)
    content.push(blocks.sectionWith(describeCommand(command), run))
  }
  content.push(...blocks.actionRow([commandButton('all', 'All commands', '/callboard help all')]))
  const lines = ['Callboard shows your phone account in Slack.', ...examples.map(describeCommand)]
  return { text: blocks.textOfLines(lines), blocks: content }
}

export async function allCommands({ guards }: Services, interaction: Interaction): Promise<blocks.Message> {
  const rules = await guards.getRules(interaction.tenant)
  const allowed = listAllowed(interaction.actor.person, rules)
  const content: blocks.MessageBlock[] = [blocks.header('All commands')]
  for (const [topic, topicNeeds] of Object.entries(topics)) {
    const lines = allowed.filter(({ needs }) => topicNeeds.includes(needs)).map(describeCommand)
    if (lines.length > 0) content.push(blocks.section([`*${topic}*`, ...lines].join('\n')))
  }
  if (allowed.some(({ needs }) => needs === 'calls')) {
    content.push(blocks.section(searchHelp.map(blocks.escapeText).join('\n')))
    content.push(...blocks.actionRow([callsActions.find.button('Find calls…')]))
  }
  content.push(blocks.context(ALIAS_HINT))
  const text = blocks.textOfLines(['All commands of Callboard:', ...allowed.map(describeCommand)])
  return { text, blocks: content }
}
