import { helpButton, listCommand, queryCommand } from '../../query/command.ts'
import { callFilters } from '../../query/filters/call-filters.ts'
import { isOwn } from '../../query/filters/filters.ts'
import { menuOptions } from '../../query/menu-options.ts'
import { agentActions } from '../../query/menus.ts'
import { ownAgentRoutes } from '../../query/own-agent.ts'
import { parseWords, plainVocabulary } from '../../query/parse.ts'
import { callsGrammar, getToday, type ListQuery, toListQuery } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import type { RunCommand } from '../../slack/routing/commands.ts'
import {
  type ActionHandler,
  type ActionRoute,
  bind,
  type CommandRequest,
  type CommandRoute,
  type FeatureRoutes,
} from '../../slack/routing/routes.ts'
import { isPlainWord, joinWords, unknownWordsMessage, type Word } from '../../slack/routing/words.ts'
import type { LocalDay } from '../../time/days.ts'
import { fold, nearestWord } from '../../util/text.ts'
import { listActions } from '../alerts/actions.ts'
import { callsActions } from './actions.ts'
import { CallLists } from './call-lists.ts'
import { callsFilter } from './filter-form.ts'
import { allCommands, help } from './help.ts'
import { findNumber } from './number-shortcut.ts'
import { share, sharedPageRoutes } from './sharing.ts'
import type { CallListers, OpenCallLists } from './tools.ts'
import { UnreachedNumbers, unreachedParser } from './unreached.ts'

const subcommands =
  'alert alerts connect export help lines mine open report schedule schedules taken timezone unreached waiting disconnect'.split(
    ' ',
  )

const otherCommands: Readonly<Record<string, string>> = {
  agents: '/agents',
  billing: '/billing',
  forget: '/callboard forget',
}

export function correctSubcommand(words: readonly Word[]): string | undefined {
  const known = [...plainVocabulary(callFilters), ...subcommands]
  const corrected = words.map(({ key, quoted, value }) =>
    key === undefined && !quoted ? nearestWord(value, known) : undefined,
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
  return corrected && `/calls ${corrected}`
}

const commandNames = ['calls', 'agents', 'billing', 'access', 'audit', 'forget']

/** Suggests a list of calls, a subcommand of `/calls`, or another command. */
function suggestCommand(words: readonly Word[], today: LocalDay): string | undefined {
  const { problem, names } = parseWords(words, callsGrammar, today)
  const isList = problem === undefined && names.length === 0
  const callsWords = isList ? joinWords(words) : correctSubcommand(words)
  if (callsWords !== undefined) return `calls ${callsWords}`
  const [first, ...others] = words
  const name = nearestWord(first?.value ?? '', commandNames)
  return name && joinWords([{ written: name }, ...others])
}

/** Reads as `agent:me`, and is shown as typed. */
const ownWord: Word = { written: 'mine', key: 'agent', value: 'me', quoted: true }

const isOwnWord = (word: Word | undefined): boolean => isPlainWord(word) && isOwn(word.value)

function callsCommands(
  services: Services,
  { lists, openLists, unreached }: CallListers,
): readonly CommandRoute[] {
  async function answerHelp({ interaction, words }: CommandRequest): Promise<Answer> {
    if (words.length === 1 && fold(words[0]?.value ?? '') === 'all')
      return { message: await allCommands(services, interaction) }
    if (words.length > 0) return { message: unknownWordsMessage(words, '/calls help') }
    return { message: await help(services, interaction) }
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
  const listOwnCalls = queryCommand(services, {
    ...listCommand({ typed: '/calls', show: callsActions.show }),
    complete(filters): ListQuery {
      // Only incoming calls are called missed, and only they have a line.
      const usual = filters.status === 'missed' || filters.line !== undefined ? 'incoming' : 'both'
      return { ...toListQuery(filters), direction: filters.direction ?? usual }
    },
    run: (interaction, query) => lists.list(interaction, query),
  })
  const listUnreached = queryCommand(services, {
    ...unreachedParser,
    run: (interaction, query) => unreached.list(interaction, query),
  })
  const listOwn = ({ interaction, words }: CommandRequest): Promise<Answer | undefined> => {
    const [first, ...others] = words
    if (isOwnWord(first)) return listOwn({ interaction, words: others })
    if (fold(first?.value ?? '') === 'open' && others.length === 0)
      return openLists.list(interaction, { view: 'mine', page: 1 })
    if (fold(first?.value ?? '') === 'unreached')
      return listUnreached({ interaction, words: [ownWord, ...others] })
    return listOwnCalls({ interaction, words: [ownWord, ...words] })
  }

  return [
    { command: 'callboard', needs: 'member', handle: answerCallboard },
    { command: 'calls', word: 'help', moreWords: 'read', needs: 'member', handle: answerHelp },
    { command: 'calls', needs: 'calls', handle: listCalls },
    {
      command: 'calls',
      word: 'mine',
      moreWords: 'read',
      isMeant: ([first]) => isOwnWord(first),
      needs: 'calls',
      handle: listOwn,
    },
    {
      command: 'calls',
      word: 'unreached',
      otherWords: ['callback', 'callbacks', 'call back'],
      moreWords: 'read',
      needs: 'calls',
      handle: listUnreached,
    },
  ]
}

function bindActions(services: Services, { lists, unreached }: CallListers): readonly ActionRoute[] {
  /** Skips the page cache; only paging uses it. */
  const list = forCalls<ListQuery>(({ interaction, value }) => lists.list(interaction, value))
  const listUnreached = forCalls<ListQuery>(({ interaction, value }) => unreached.list(interaction, value))
  return bind(
    {
      ...callsActions,
      agentCalls: agentActions.calls,
      ofAlert: listActions.missed,
      ofEntry: listActions.missedEntry,
    },
    {
      page: forCalls(({ interaction, value }) => lists.list(interaction, value, { allowCached: true })),
      direction: list,
      show: list,
      retry: list,
      unreachedPage: listUnreached,
      unreached: listUnreached,
      agentCalls: forCalls(({ interaction, value: agentId }) =>
        lists.list(interaction, { direction: 'incoming', openedFrom: 'agents', page: 1, agentId }),
      ),
      filter: {
        needs: 'calls',
        opensModal: true,
        handle: ({ interaction, value, click }) => callsFilter.open(services, interaction, click, value),
      },
      find: {
        needs: 'calls',
        opensModal: true,
        handle: ({ interaction, click }) =>
          callsFilter.open(services, interaction, click, { direction: 'incoming', page: 1 }, 'Find calls'),
      },
      filterDates: forCalls(({ interaction, click }) => callsFilter.redraw(services, interaction, click)),
      answer: forCalls(async ({ interaction, value, click }) => {
        const load = () => lists.buildThreadAnswer(interaction, value)
        return (await share(services, interaction, click, load)) ?? textAnswer('Answered in the thread.')
      }),
      // Shown below messages that stay.
      share: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction, value, click }) =>
          share(services, interaction, click, () => lists.buildSharedPage(interaction, value)),
      },
      missed: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction, value }) => lists.list(interaction, { ...value, status: 'missed' }),
      },
      ofAlert: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction, value: { alert } }) => lists.listAlert(interaction, alert),
      },
      ofEntry: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction, value: { id } }) => lists.listAlert(interaction, id),
      },
    },
  )
}

const forCalls = <Value>(handle: ActionHandler<Value>['handle']): ActionHandler<Value> => ({
  needs: 'calls',
  handle,
})

/** @param openLists passed in, because alerts import this feature */
export function calls(services: Services, openLists: OpenCallLists, runCommand: RunCommand): FeatureRoutes {
  const lists = new CallLists(services)
  const listers = { lists, openLists, unreached: new UnreachedNumbers(services) }
  const ownAgent = ownAgentRoutes(services, runCommand)
  return {
    tools: [async () => (await import('./tools.ts')).callsTools(services, listers)],
    shortcuts: [findNumber(services, lists)],
    commands: callsCommands(services, listers),
    actions: [...ownAgent.actions, ...bindActions(services, listers), ...sharedPageRoutes(services)],
    submissions: [
      ...ownAgent.submissions,
      callsFilter.submission(services, (interaction, query) => lists.list(interaction, query)),
    ],
    options: menuOptions(services),
  }
}
