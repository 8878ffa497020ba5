import {
  actionRow,
  type Block,
  context,
  escapeText,
  header,
  type Message,
  section,
  sections,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { callLinks } from '../../slack/blocks/links.ts'
import { type Column, fillTable, tableBlock, tableLines } from '../../slack/blocks/table.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { Area } from '../../store/workspaces.ts'

/** What people mostly want, as they would type it, and what it takes to see. */
const examples = [
  ['calls', '/calls missed yesterday', "yesterday's missed calls", 'Show missed calls'],
  ['calls', '/calls', 'incoming calls, newest first', 'Show incoming calls'],
  ['calls', '/calls outgoing last 7 days', 'calls your agents made', 'Show outgoing calls'],
  ['calls', '/calls report', 'summary of the last 7 days', 'Show report'],
  ['calls', '/calls alerts', 'missed calls in a channel, as they happen', 'Show alerts'],
  ['agents', '/agents', 'your agents and their calls', 'Show agents'],
  ['billing', '/billing', 'what the phone account costs', 'Show billing'],
] as const

/** Each command once, with the words that it is mostly given; short enough for both columns to fit a phone. */
const commands = [
  ['/calls missed yesterday', 'Missed calls'],
  ['/calls outgoing last 7 days', 'Calls your agents made'],
  ['/calls monday agent:anna', "One agent's calls"],
  ['/calls line:"Sales Berlin"', 'Calls on one line'],
  ['/calls +44 20 7946 0042', 'Calls to a number'],
  ['/calls export last month', 'Calls as a CSV file'],
  ['/calls report by:hour', 'Figures and a chart'],
  ['/calls alerts', 'Missed calls in a channel'],
  ['/calls schedules', 'Reports in a channel'],
  ['/calls timezone Europe/Berlin', "The channel's time zone"],
  ['/calls lines', 'Names for your numbers*'],
  ['/calls connect', 'Connecting the account*'],
  ['/calls disconnect', 'Disconnecting it*'],
  ['/agents anna', 'Agents'],
  ['/billing', 'The bill'],
  ['/billing post #finance', 'The bill in a channel'],
  ['/billing schedules', 'The bill on a schedule'],
  ['/callboard access', 'Access rules*'],
  ['/callboard audit', 'Audit log*'],
  ['/callboard forget', 'Deleting everything*'],
] as const

const columns: readonly Column<(typeof commands)[number], undefined>[] = [
  { title: 'Command', align: 'left', isEssential: true, isWrapped: true, text: ([command]) => command },
  { title: 'Use it for', align: 'left', isEssential: true, isWrapped: true, text: ([, about]) => about },
]

const words = [
  '* Administrators only.',
  '*Days*: `today`, `yesterday`, `monday`, `5 Nov`, `2026-11-05`, `2026-11-01..2026-11-05`, `since 5 Nov`, `last 7 days`, `this week`, `last month`',
  '*Filters*: `incoming`, `outgoing`, `missed`, `answered`, `from:DAY`, `to:DAY`, `agent:NAME`, `line:NAME`, `number:DIGITS`, `page:N`, in any order',
  '*Names*: all other words are the name of an agent or a line: `Anna Smith`, `"Sales London"`',
  '*In threads*: _More actions_ of a message > _Find calls by number_',
]

const otherName =
  '`/callboard calls`, `/callboard agents`, `/callboard billing`: the same commands if another app uses `/calls`.'

/** The way out of a command that isn't known. */
export const helpButton = commandButton('help', 'Help', '/calls help')

const wordsButton = commandButton('words', 'All commands', '/calls help words')

/** The home of all help: examples to click. @param areas what the person may see */
export function helpMessage(areas: readonly Area[]): Message {
  const rows = examples
    .filter(([area]) => areas.includes(area))
    .map(([, command, about, text], index) => ({
      ...section(`\`${command}\` – ${about}`),
      accessory: commandButton(`example-${index}`, text, command),
    }))
  return {
    text: 'Callboard shows the calls, agents and billing of your phone account. Try /calls missed yesterday.',
    blocks: [
      header('Callboard'),
      context('Only you can see replies.'),
      ...rows,
      ...actionRow([callLinks.find.button('Find calls…'), wordsButton]),
      context(otherName),
    ],
  }
}

/** Every command by an example, and the words that they take. */
export function commandsAnswer(): Answer {
  const table = fillTable(columns, commands, undefined)
  const message = (rows: readonly Block[]): Message => ({
    text: 'All commands of Callboard.',
    blocks: [
      header('All commands'),
      ...rows,
      section(words.map(escapeText).join('\n')),
      ...actionRow([helpButton]),
      context(otherName),
    ],
  })
  return {
    message: message([tableBlock(table, {})]),
    otherwise: [() => message(sections(tableLines(table)))],
  }
}
