import { callFilters } from '../../query/filters/call-filters.ts'
import type { Filter } from '../../query/filters/filter.ts'
import { callerUnknownText } from '../../query/texts.ts'
import type { Services } from '../../services.ts'
import { isAllowed, listManagers, type Needs } from '../../slack/access/access-rules.ts'
import type { Message, MessageBlock } from '../../slack/blocks/blocks.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { connectButton } from '../../slack/blocks/shared-buttons.ts'
import { managersSentence, notConnectedText } from '../../slack/deliver/failures.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { callLinks } from './actions.ts'

interface HelpEntry {
  readonly needs: Needs
  readonly typed: string
  readonly about: string
  /** Text of the button that runs the command, in the first help. */
  readonly button?: string
}

/** Most useful first: help shows the first six with a button that a person may use. */
const commands: readonly HelpEntry[] = [
  {
    needs: 'calls',
    typed: '/calls missed yesterday',
    about: "yesterday's missed calls",
    button: 'Missed calls',
  },
  {
    needs: 'calls',
    typed: '/calls open',
    about: 'missed calls that wait, or that someone has',
    button: 'Open calls',
  },
  { needs: 'calls', typed: '/calls report', about: 'summary of the last 7 days', button: 'Report' },
  { needs: 'agents', typed: '/agents', about: 'your agents and their calls', button: 'Agents' },
  { needs: 'billing', typed: '/billing', about: 'what the phone account costs', button: 'Billing' },
  { needs: 'admin', typed: '/callboard access', about: 'who can see what', button: 'Access…' },
  {
    needs: 'calls',
    typed: '/calls alerts',
    about: 'missed calls in a channel, as they happen',
    button: 'Alerts',
  },
  { needs: 'calls', typed: '/calls mine', about: 'your own calls', button: 'Your calls' },
  { needs: 'billing', typed: '/billing post', about: 'the bill in a channel', button: 'Post the bill…' },
  { needs: 'billing', typed: '/billing schedules', about: 'the bill on a schedule', button: 'Schedules' },
  { needs: 'member', typed: '/calls timezone', about: 'the time zone here', button: 'Time zone' },
  { needs: 'calls', typed: '/calls', about: 'incoming calls, newest first' },
  { needs: 'calls', typed: '/calls outgoing last 7 days', about: 'calls your agents made' },
  {
    needs: 'calls',
    typed: '/calls unreached',
    about: 'numbers dialed without an answer, and not reached since',
  },
  { needs: 'calls', typed: '/calls monday agent:anna', about: 'calls of one agent' },
  { needs: 'calls', typed: '/calls line:"Sales Berlin"', about: 'calls on one line' },
  { needs: 'calls', typed: '/calls +44 20 7946 0042', about: 'calls to a number' },
  { needs: 'calls', typed: '/calls report by:hour', about: 'report with a chart' },
  { needs: 'calls', typed: '/calls last month vs this month', about: 'comparison' },
  { needs: 'calls', typed: '/calls schedules', about: 'reports in a channel' },
  { needs: 'export', typed: '/calls export last month', about: 'calls as a CSV file' },
  { needs: 'member', typed: '/calls timezone Europe/Berlin', about: 'set the time zone of this channel' },
  { needs: 'admin', typed: '/calls lines', about: 'name your numbers' },
  { needs: 'admin', typed: '/calls connect', about: 'connect the phone account' },
  { needs: 'admin', typed: '/calls disconnect', about: 'disconnect it' },
  { needs: 'admin', typed: '/callboard audit', about: 'who changed what' },
  { needs: 'admin', typed: '/callboard forget', about: 'delete all stored data' },
]
const MAX_EXAMPLES = 6

const topics: Readonly<Record<string, readonly Needs[]>> = {
  Calls: ['calls', 'export'],
  Agents: ['agents'],
  Billing: ['billing'],
  Settings: ['member', 'admin'],
}

const filterExamples = callFilters.flatMap((filter: Filter) => filter.help ?? []).map((word) => `\`${word}\``)

const searchWords = [
  '*Days*: `today`, `yesterday`, `monday`, `5 Nov`, `26.11.`, `2026-11-05`, `2026-11-01..2026-11-05`, `since 5 Nov`, `last 7 days`, `november`, `this morning`',
  `*Filters*: ${filterExamples.join(', ')}, in any order`,
  '*Names*: all other words are the name of an agent or a line: `Anna Smith`, `"Sales London"`',
  `*Callers*: ${callerUnknownText} A missed call shows which of your numbers was called.`,
  '*In threads*: _More actions_ of a message > _Find calls by number_',
]

const ALIAS_HINT =
  '`/callboard calls`, `/callboard agents`, `/callboard billing`: the same commands if another app uses `/calls`.'

const connectText = `${notConnectedText} Connect it, and people here can look up calls.`
const nothingVisibleText = "You can't see calls, agents or billing here yet."

const describeCommand = ({ typed, about }: HelpEntry): string => `\`${blocks.escapeText(typed)}\` – ${about}`

/** Lists the commands that the person may use. */
async function listCommands({ guards }: Services, { actor, tenant }: Interaction) {
  const rules = await guards.rules(tenant)
  const allowed = commands.filter(({ needs }) => isAllowed(needs, actor.person, rules))
  return { allowed, managers: managersSentence(listManagers(actor.installation, rules.administrators)) }
}

const showsAccount = ({ needs }: HelpEntry): boolean => needs !== 'member' && needs !== 'admin'

/** Shows the first things that this person can do, each with a button. */
export async function help(services: Services, interaction: Interaction): Promise<Message> {
  const [{ allowed, managers }, isConnected] = await Promise.all([
    listCommands(services, interaction),
    services.store.credentials.has(interaction.tenant),
  ])
  const usable = isConnected ? allowed : allowed.filter((command) => !showsAccount(command))
  const examples = usable.filter(({ button }) => button !== undefined).slice(0, MAX_EXAMPLES)
  const content: MessageBlock[] = [blocks.header('Callboard'), blocks.context('Only you can see this.')]
  if (!isConnected && interaction.actor.person.isAdmin)
    content.push(blocks.sectionWith(connectText, connectButton))
  else if (!isConnected) content.push(blocks.section(`${notConnectedText} ${managers}`))
  else if (!allowed.some(showsAccount)) content.push(blocks.section(`${nothingVisibleText} ${managers}`))
  for (const [index, command] of examples.entries()) {
    const run = commandButton(`example-${index}`, command.button ?? '', command.typed)
    content.push(blocks.sectionWith(describeCommand(command), run))
  }
  content.push(...blocks.actionRow([commandButton('all', 'All commands', '/callboard help all')]))
  const lines = examples.map(describeCommand)
  return {
    text: blocks.textOfLines(['Callboard shows your phone account in Slack.', ...lines]),
    blocks: content,
  }
}

/** Lists every command that this person may use, and the words of a search. */
export async function allCommands(services: Services, interaction: Interaction): Promise<Message> {
  const { allowed } = await listCommands(services, interaction)
  const content: MessageBlock[] = [blocks.header('All commands')]
  for (const [topic, topicNeeds] of Object.entries(topics)) {
    const lines = allowed.filter(({ needs }) => topicNeeds.includes(needs)).map(describeCommand)
    if (lines.length > 0) content.push(blocks.section([`*${topic}*`, ...lines].join('\n')))
  }
  if (allowed.some(({ needs }) => needs === 'calls')) {
    content.push(blocks.section(searchWords.map(blocks.escapeText).join('\n')))
    content.push(...blocks.actionRow([callLinks.find.button('Find calls…')]))
  }
  content.push(blocks.context(ALIAS_HINT))
  const text = blocks.textOfLines(['All commands of Callboard:', ...allowed.map(describeCommand)])
  return { text, blocks: content }
}
