import { actionRow, context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { callLinks } from '../../slack/blocks/links.ts'
import type { Area } from '../../store/workspaces.ts'

/** What people mostly want, as they would type it, and what it takes to see. */
const examples = [
  ['calls', '/calls missed yesterday', 'the calls that nobody took', 'Show missed calls'],
  ['calls', '/calls', 'incoming calls, newest first', 'Show incoming calls'],
  ['calls', '/calls outgoing last 7 days', 'the calls that your agents made', 'Show outgoing calls'],
  ['calls', '/calls report', 'summary of the last 7 days', 'Show report'],
  ['calls', '/calls alert', 'missed calls, posted in a channel as they happen', 'Set up an alert'],
  ['agents', '/agents', "your agents, with each one's calls", 'Show agents'],
  ['billing', '/billing', 'what the phone account costs', 'Show billing'],
] as const

const usage = [
  '`/calls [incoming|outgoing] [missed|answered] [RANGE] [from:DAY] [to:DAY] [agent:NAME-OR-ID] [line:NAME-OR-NUMBER] [number:DIGITS] [page:N]`',
  '`/calls report [RANGE] [incoming|outgoing] [agent:NAME-OR-ID] [line:NAME-OR-NUMBER] [by:line|agent|hour|weekday|day]` – how many calls were answered and missed, with a chart (last 7 days, by line)',
  '`/calls alert`, `/calls alerts` – missed calls, posted in a channel as they happen: set up an alert; edit, pause, mute or delete alerts',
  '`/calls schedule`, `/calls schedules` – reports, posted in a channel on a schedule: set up a schedule; edit, pause or delete schedules',
  '`/calls lines` – names for your own phone numbers (administrators)',
  '`/calls export [what /calls takes]` – all of those calls as a CSV file, in a direct message',
  '_Find calls by number_, under _More actions_ of a message – the calls of the phone numbers in it, in threads too',
  '`/calls timezone [ZONE]` – the time zone of this channel: shows it, or sets it for everyone here (`Europe/Berlin`, `+05:30`, `default`)',
  "`/calls connect`, `/calls disconnect` – the phone account's API key and secret (administrators)",
  '`/agents [NAME] [page:N]`',
  '`/billing`, `/billing post [#channel]`, `/billing schedule`, `/billing schedules`, `/billing settings`, `/billing audit`',
  '`/callboard forget` – deletes everything that Callboard keeps of this workspace (administrators)',
]

const words = [
  '`RANGE`: `today`, `yesterday`, `this week`, `last week`, `this month`, `last month`, `last 7 days`, a `DAY`, `2026-11-01..2026-11-05`, `since yesterday`',
  '`DAY`: `2026-11-05`, `5 Nov`, `today`, `yesterday`, `monday`. Words come in any order.',
  '`DIGITS`: four or more of the number called or dialled, however it is written: `number:0042`, `number:+44 20 7946 0042`, or `+44 20 7946 0042` alone. Without a `RANGE`, the last 30 days.',
]

const otherName =
  '`/callboard calls`, `/callboard agents`, `/callboard billing`: the same commands if another app uses `/calls`.'

/** The way out of a command that isn't known. */
export const helpButton = commandButton('help', 'Help', '/calls help')

const wordsButton = commandButton('words', 'All words', '/calls help words')

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
      context('Answers are for you: only you can see them.'),
      ...rows,
      ...actionRow([callLinks.find.button('Find calls…'), wordsButton]),
      context(otherName),
    ],
  }
}

/** The grammar. */
export const wordsMessage: Message = {
  text: 'All words of the commands /calls, /agents and /billing.',
  blocks: [
    header('All words'),
    section(usage.map(escapeText).join('\n')),
    section(words.map(escapeText).join('\n')),
    ...actionRow([helpButton]),
    context(otherName),
  ],
}
