import { actionRow, context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { Area } from '../../store/workspaces.ts'
import { callLinks } from './query.ts'

/** Commands with a button, and the area that they need. */
const helpExamples = [
  ['calls', '/calls missed yesterday', "yesterday's missed calls", 'Show missed calls'],
  ['calls', '/calls', 'incoming calls, newest first', 'Show incoming calls'],
  ['calls', '/calls outgoing last 7 days', 'calls your agents made', 'Show outgoing calls'],
  ['calls', '/calls report', 'summary of the last 7 days', 'Show report'],
  ['calls', '/calls alerts', 'missed calls in a channel, as they happen', 'Show alerts'],
  ['agents', '/agents', 'your agents and their calls', 'Show agents'],
  ['billing', '/billing', 'what the phone account costs', 'Show billing'],
] as const

const moreCommands = [
  '*More commands*',
  '`/calls monday agent:anna` – calls of one agent',
  '`/calls line:"Sales Berlin"` – calls on one line',
  '`/calls +44 20 7946 0042` – calls to a number',
  '`/calls export last month` – calls as a CSV file',
  '`/calls report by:hour` – report with a chart',
  '`/calls schedules` – reports in a channel',
  '`/calls timezone Europe/Berlin` – time zone of this channel',
  '`/billing post #finance` – the bill in a channel',
  '`/billing schedules` – the bill on a schedule',
]

const adminCommands = [
  '*For administrators*',
  '`/calls lines` – name your numbers',
  '`/calls connect` – connect the phone account',
  '`/calls disconnect` – disconnect it',
  '`/callboard access` – who can see what',
  '`/callboard audit` – who changed what',
  '`/callboard forget` – delete all stored data',
]

const words = [
  '*Days*: `today`, `yesterday`, `monday`, `5 Nov`, `2026-11-05`, `2026-11-01..2026-11-05`, `since 5 Nov`, `last 7 days`, `this week`, `last month`',
  '*Filters*: `incoming`, `outgoing`, `missed`, `answered`, `from:DAY`, `to:DAY`, `agent:NAME`, `line:NAME`, `number:DIGITS`, `page:N`, in any order',
  '*Names*: all other words are the name of an agent or a line: `Anna Smith`, `"Sales London"`',
  '*In threads*: _More actions_ of a message > _Find calls by number_',
]

const OTHER_NAME =
  '`/callboard calls`, `/callboard agents`, `/callboard billing`: the same commands if another app uses `/calls`.'

export const helpButton = commandButton('help', 'Help', '/calls help')

/** @param areas the areas that the person may see */
export function helpMessage(areas: readonly Area[]): Message {
  const rows = helpExamples
    .filter(([area]) => areas.includes(area))
    .map(([, command, about, text], index) => ({
      ...section(`\`${command}\` – ${about}`),
      accessory: commandButton(`example-${index}`, text, command),
    }))
  return {
    text: 'Callboard shows the calls, agents and billing of your phone account. Try /calls missed yesterday.',
    blocks: [
      header('Callboard'),
      context('Only you can see this.'),
      ...rows,
      ...[moreCommands, adminCommands, words].map((lines) => section(lines.map(escapeText).join('\n'))),
      ...actionRow([callLinks.find.button('Find calls…')]),
      context(OTHER_NAME),
    ],
  }
}
