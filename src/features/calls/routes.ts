import { callFilters } from '../../query/call-filters.ts'
import { helpButton, listCommand, queryCommand } from '../../query/command.ts'
import { menuOptions } from '../../query/fields.ts'
import type { Filter } from '../../query/filters.ts'
import { agentEntries } from '../../query/menus.ts'
import { ownAgentRoutes } from '../../query/own-agent.ts'
import { parseWords, plainVocabulary } from '../../query/parse.ts'
import { callsGrammar, type ListQuery } from '../../query/query.ts'
import { getToday } from '../../query/today.ts'
import type { Services } from '../../services.ts'
import { actionRow, context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import {
  type ActionHandler,
  bind,
  type CommandRequest,
  type CommandRoute,
  type FeatureRoutes,
  type Interaction,
} from '../../slack/routing/routes.ts'
import { joinWords, type Word } from '../../slack/routing/split-words.ts'
import { unknownWordsMessage } from '../../slack/routing/words.ts'
import type { Area } from '../../store/workspaces.ts'
import type { LocalDay } from '../../time/days.ts'
import { suggest } from '../../util/suggest.ts'
import { fold } from '../../util/text.ts'
import { listActions } from '../alerts/actions.ts'
import { callLinks, callsActions, reportedCallsActions } from './actions.ts'
import { CallLists } from './call-lists.ts'
import { callsFilter } from './filter-form.ts'
import { findNumber } from './number-shortcut.ts'
import { share, sharedPageRoutes } from './sharing.ts'
import type { OpenCallLists } from './tools.ts'

/** Permission, command, description, and text of the button. */
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
  '`/calls mine` – your own calls',
  '`/calls open` – missed calls that wait, or that someone has',
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

const filterExamples = callFilters.flatMap((filter: Filter) => filter.help ?? []).map((word) => `\`${word}\``)

const wordHelp = [
  '*Days*: `today`, `yesterday`, `monday`, `5 Nov`, `2026-11-05`, `2026-11-01..2026-11-05`, `since 5 Nov`, `last 7 days`, `this week`, `last month`',
  `*Filters*: ${filterExamples.join(', ')}, in any order`,
  '*Names*: all other words are the name of an agent or a line: `Anna Smith`, `"Sales London"`',
  '*In threads*: _More actions_ of a message > _Find calls by number_',
]

const ALIAS_HINT =
  '`/callboard calls`, `/callboard agents`, `/callboard billing`: the same commands if another app uses `/calls`.'

/** @param areas of the account that the person may see; only the examples depend on them */
function helpMessage(areas: readonly Area[]): Message {
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
      ...[moreCommands, adminCommands, wordHelp].map((lines) => section(lines.map(escapeText).join('\n'))),
      ...actionRow([callLinks.find.button('Find calls…')]),
      context(ALIAS_HINT),
    ],
  }
}

const subcommands =
  'alert alerts connect export help lines mine open report schedule schedules taken timezone waiting disconnect'.split(
    ' ',
  )

const otherCommands: Readonly<Record<string, string>> = {
  agents: '/agents',
  billing: '/billing',
  audit: '/callboard audit',
  forget: '/callboard forget',
}

export function correctSubcommand(words: readonly Word[]): string | undefined {
  const known = [...plainVocabulary(callFilters), ...subcommands]
  const corrected = words.map(({ key, quoted, value }) =>
    key === undefined && !quoted ? suggest([value], known)?.[0] : undefined,
  )
  const at = corrected.findIndex((word) => word !== undefined && subcommands.includes(word))
  if (corrected[at] === undefined) return undefined
  // `/calls help` takes no other words, and a suggestion drops none.
  if (corrected[at] === 'help' && words.length > 1) return undefined
  return words.map(({ written }, i) => (i === at ? corrected[i] : written)).join(' ')
}

function findOtherCommand(words: readonly Word[]): string | undefined {
  const [first, ...others] = words
  const name = fold(first?.value ?? '')
  if (Object.hasOwn(otherCommands, name)) return `${otherCommands[name]} ${joinWords(others)}`.trim()
  const corrected = correctSubcommand(words)
  if (corrected !== undefined) return `/calls ${corrected}`
  // Only reports have `by:`.
  return words.some(({ key }) => key === 'by') ? `/calls report ${joinWords(words)}` : undefined
}

const commandNames = ['calls', 'agents', 'billing', 'access', 'audit', 'forget']

/** Suggests a list of calls, a subcommand of `/calls`, or another command. */
function suggestCommand(words: readonly Word[], today: LocalDay): string | undefined {
  const { problem, names } = parseWords(words, callsGrammar, today)
  const isList = problem === undefined && names.length === 0
  const callsWords = isList ? joinWords(words) : correctSubcommand(words)
  if (callsWords !== undefined) return `calls ${callsWords}`
  const [first, ...others] = words
  const [name] = suggest([first?.value ?? ''], commandNames) ?? []
  return name && joinWords([{ written: name }, ...others])
}

/** Reads as `agent:me`, and is shown as typed. */
const ownWord: Word = { written: 'mine', key: 'agent', value: 'me', quoted: true }

function callsCommands(
  services: Services,
  lists: CallLists,
  openLists: OpenCallLists,
): readonly CommandRoute[] {
  async function answerHelp({ interaction: { actor }, words }: CommandRequest): Promise<Answer> {
    if (words.length > 0) return { message: unknownWordsMessage(words, '/calls help') }
    return { message: helpMessage(await services.guards.areas(actor)) }
  }

  async function answerCallboard({ interaction, words }: CommandRequest): Promise<Answer> {
    const [first, ...others] = words
    if (!first || fold(first.value) === 'help') return answerHelp({ interaction, words: others })
    const suggested = suggestCommand(words, await getToday(interaction, services))
    return { message: unknownWordsMessage(words, suggested && `/callboard ${suggested}`, [helpButton]) }
  }

  const listCalls = queryCommand(services, {
    ...listCommand({ typed: '/calls', show: callsActions.show }),
    run: (interaction, query) => lists.list(interaction, query),
    otherCommand: findOtherCommand,
  })
  const listOwn = ({ interaction, words }: CommandRequest) => {
    const [first, ...others] = words
    if (fold(first?.value ?? '') === 'open' && others.length === 0)
      return openLists.list(interaction, { view: 'mine', page: 1 })
    return listCalls({ interaction, words: [ownWord, ...words] })
  }

  return [
    { command: 'callboard', needs: 'member', handle: answerCallboard },
    { command: 'calls', word: 'help', moreWords: 'read', needs: 'member', handle: answerHelp },
    { command: 'calls', needs: 'calls', handle: listCalls },
    { command: 'calls', word: 'mine', moreWords: 'read', needs: 'calls', handle: listOwn },
  ]
}

/** @param openLists of the alerts, which import this feature */
export function calls(services: Services, openLists: OpenCallLists): FeatureRoutes {
  const lists = new CallLists(services)
  const ownAgent = ownAgentRoutes(services)
  /** Skips the page cache; only paging uses it. */
  const list = (interaction: Interaction, query: ListQuery) => lists.list(interaction, query)
  const listQuery: ActionHandler<ListQuery> = {
    needs: 'calls',
    handle: ({ interaction, value }) => list(interaction, value),
  }

  return {
    tools: [async () => (await import('./tools.ts')).callsTools(services, lists, openLists)],
    shortcuts: [findNumber(services, lists)],
    commands: callsCommands(services, lists, openLists),
    actions: [
      ...ownAgent.actions,
      ...bind(callsActions, {
        page: {
          needs: 'calls',
          handle: ({ interaction, value }) => lists.list(interaction, value, { allowCached: true }),
        },
        direction: listQuery,
        show: listQuery,
        retry: listQuery,
        share: {
          needs: 'calls',
          replacesOriginal: false,
          handle: ({ interaction, value, click }) =>
            share(services, interaction, click, () => lists.buildSharedPage(interaction, value)),
        },
        filter: {
          needs: 'calls',
          opensModal: true,
          handle: ({ interaction, value, click }) => callsFilter.open(services, interaction, click, value),
        },
      }),
      ...bind(callLinks, {
        find: {
          needs: 'calls',
          opensModal: true,
          handle({ interaction, click }) {
            const query = { direction: 'incoming', page: 1 } as const
            return callsFilter.open(services, interaction, click, query, 'Find calls')
          },
        },
      }),
      // They are in an alert's message, so the message stays.
      ...bind(listActions, {
        missed: {
          needs: 'calls',
          replacesOriginal: false,
          handle: ({ interaction, value }) => lists.listAlert(interaction, value.alert),
        },
        missedEntry: {
          needs: 'calls',
          replacesOriginal: false,
          handle: ({ interaction, value }) => lists.listAlert(interaction, value.id),
        },
      }),
      ...bind(
        { agentCalls: agentEntries.calls },
        {
          agentCalls: {
            needs: 'calls',
            handle: ({ interaction, value: agentId }) =>
              list(interaction, { direction: 'incoming', openedFrom: 'agents', page: 1, agentId }),
          },
        },
      ),
      ...sharedPageRoutes(services),
      ...bind(reportedCallsActions, {
        missed: {
          needs: 'calls',
          replacesOriginal: false,
          handle: ({ interaction, value }) => list(interaction, { ...value, status: 'missed' }),
        },
      }),
    ],
    submissions: [...ownAgent.submissions, callsFilter.submission(services, list)],
    options: menuOptions(services),
  }
}
