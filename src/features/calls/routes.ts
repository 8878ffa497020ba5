import { createCallsCommand, handleQuery, type QueryCommand } from '../../query/command.ts'
import { menuRoutes } from '../../query/fields.ts'
import { callFilters } from '../../query/filters/call-filters.ts'
import { isOwn } from '../../query/filters/filters.ts'
import { ownAgentRoutes } from '../../query/own-agent.ts'
import { plainVocabulary } from '../../query/parse.ts'
import { type ListQuery, toListQuery } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import type { RunCommand } from '../../slack/routing/commands.ts'
import * as routing from '../../slack/routing/routes.ts'
import { isPlainWord, joinWords, unknownWordsMessage, type Word } from '../../slack/routing/words.ts'
import { fold, nearestWord } from '../../util/text.ts'
import { agentCallsAction } from '../agents/actions.ts'
import { showCallsActions } from '../alerts/actions.ts'
import type { OpenLists } from '../alerts/open/list.ts'
import { callsActions } from './actions.ts'
import { CallLists } from './call-lists.ts'
import { callsFilter } from './filter-form.ts'
import { allCommands, help } from './help.ts'
import { findNumber } from './number-shortcut.ts'
import { share, sharedPageRoutes } from './sharing.ts'
import { callsTool } from './tools.ts'
import { unreachedCommand } from './unreached.ts'

/** Suggested for a misspelled word of `/calls`. */
const subcommandText =
  'alert alerts connect disconnect export help lines mine open report schedule schedules taken timezone unreached waiting'
const subcommands = subcommandText.split(' ')

/** Commands that people look for under `/calls`. */
const otherCommands: ReadonlyMap<string, string> = new Map([
  ['agents', '/agents'],
  ['billing', '/billing'],
  ['forget', '/callboard forget'],
])

/** Returns a command to suggest for words that no search has. */
function findOtherCommand(words: readonly Word[]): string | undefined {
  const [first, ...others] = words
  const otherCommand = otherCommands.get(fold(first?.value ?? ''))
  if (otherCommand === undefined) return correctSubcommand(words)
  return `${otherCommand} ${joinWords(others)}`.trim()
}

/** Corrects the first word that was meant as a subcommand, not as a word of a search. */
function correctSubcommand(words: readonly Word[]): string | undefined {
  const vocabulary = [...plainVocabulary(callFilters), ...subcommands]
  for (const [index, word] of words.entries()) {
    if (!isPlainWord(word)) continue
    const nearest = nearestWord(word.value, vocabulary)
    if (nearest === undefined || !subcommands.includes(nearest)) continue
    // `/calls help` takes no other words, and a suggestion drops none.
    if (nearest === 'help' && words.length > 1) return undefined
    return `/calls ${joinWords(words.with(index, { ...word, written: nearest }))}`
  }
  return undefined
}

function createHelpCommands(services: Services): readonly routing.CommandRoute[] {
  async function handle({ interaction, words }: routing.CommandRequest): Promise<Answer> {
    if (words.length === 0) return { message: await help(services, interaction) }
    const isAll = words.length === 1 && fold(words[0]?.value ?? '') === 'all'
    if (isAll) return { message: await allCommands(services, interaction) }
    return { message: unknownWordsMessage(words, '/calls help') }
  }
  const route = { word: 'help', moreWords: 'read', needs: 'member', handle } as const
  return [
    { ...route, command: 'callboard', isMeant: (words) => words.length === 0 },
    { ...route, command: 'calls' },
  ]
}

const callsCommand = createCallsCommand({ name: '/calls', show: callsActions.show })

const ownCallsCommand: QueryCommand<ListQuery> = {
  ...callsCommand,
  complete(filters) {
    // Only incoming calls are called missed, and only they have a line.
    const usualDirection = filters.status === 'missed' || filters.line !== undefined ? 'incoming' : 'both'
    return { ...toListQuery(filters), direction: filters.direction ?? usualDirection }
  },
}

/** Reads as `agent:me`, and is shown as `mine`. */
const ownWord: Word = { written: 'mine', key: 'agent', value: 'me', isQuoted: true }

const isOwnWord = (word: Word): boolean => isPlainWord(word) && isOwn(word.value)

function createListCommands(services: Services, lists: CallLists): readonly routing.CommandRoute[] {
  const unreachedWords = ['unreached', 'callback', 'callbacks', 'call back']
  const showList = (interaction: routing.Interaction, query: ListQuery) => lists.list(interaction, query)
  const listCalls = handleQuery(services, { ...callsCommand, otherCommand: findOtherCommand }, showList)
  const listOwnCalls = handleQuery(services, { ...ownCallsCommand, otherCommand: findOtherCommand }, showList)
  const listUnreached = handleQuery(services, unreachedCommand, (interaction, query) =>
    lists.listUnreached(interaction, query),
  )

  const listOwn = ({ interaction, words }: routing.CommandRequest) =>
    listOwnCalls({ interaction, words: [ownWord, ...words.filter((word) => !isOwnWord(word))] })
  // `/callboard` has one route for all lists.
  const listAny = (request: routing.CommandRequest) =>
    request.words.some(isOwnWord) ? listOwn(request) : listCalls(request)

  const route = { command: 'calls', moreWords: 'read', needs: 'calls' } as const
  return [
    { command: 'calls', needs: 'calls', handle: listCalls },
    { command: 'callboard', needs: 'calls', handle: listAny },
    { ...route, word: 'mine', isMeant: (words) => words.some(isOwnWord), handle: listOwn },
    { ...route, word: 'unreached', aliases: unreachedWords, handle: listUnreached },
  ]
}

type Handle<Value> = routing.ActionHandler<Value>['handle']
const forCalls = <Value>(handle: Handle<Value>): routing.ActionHandler<Value> => ({ needs: 'calls', handle })

/** Answers below the clicked message, which stays: everyone sees it, or its buttons lead to other lists, too. */
const answerBelow = <Value>(handle: Handle<Value>) => ({ ...forCalls(handle), replacesOriginal: false })

const inModal = <Value>(handle: Handle<Value>) => ({ ...forCalls(handle), opensModal: true })

function bindActions(services: Services, lists: CallLists): readonly routing.ActionRoute[] {
  const showList = forCalls<ListQuery>(({ interaction, value }) => lists.list(interaction, value))
  const showUnreached = forCalls<ListQuery>(({ interaction, value }) =>
    lists.listUnreached(interaction, value),
  )
  const alertActions = { alertCalls: showCallsActions.show, alertEntryCalls: showCallsActions.showEntry }
  return routing.bind(
    { ...callsActions, ...alertActions, agentCalls: agentCallsAction },
    {
      page: forCalls(({ interaction, value }) => lists.list(interaction, value, { allowCached: true })),
      direction: showList,
      show: showList,
      retry: showList,
      unreachedPage: showUnreached,
      unreached: showUnreached,
      agentCalls: forCalls(({ interaction, value: agentId }) =>
        lists.list(interaction, { direction: 'incoming', openedFrom: 'agents', page: 1, agentId }),
      ),
      missed: answerBelow(({ interaction, value }) =>
        lists.list(interaction, { ...value, status: 'missed' }),
      ),
      alertCalls: answerBelow(({ interaction, value }) => lists.listAlert(interaction, value.alert)),
      alertEntryCalls: answerBelow(({ interaction, value }) => lists.listAlert(interaction, value.id)),
      share: answerBelow(({ interaction, value, click }) =>
        share(services, interaction, click, () => lists.buildSharedPage(interaction, value)),
      ),
      answerInThread: forCalls(async ({ interaction, value, click }) => {
        const load = () => lists.buildThreadAnswer(interaction, value)
        const problem = await share(services, interaction, click, load)
        return problem ?? textAnswer('Answered in the thread.')
      }),
      find: inModal(({ interaction, click }) =>
        callsFilter.open(services, interaction, click, { direction: 'incoming', page: 1 }),
      ),
      filter: inModal(({ interaction, click, value }) =>
        callsFilter.open(services, interaction, click, value),
      ),
      filterDates: forCalls(({ interaction, click }) => callsFilter.redraw(services, interaction, click)),
    },
  )
}

export function calls(services: Services, openLists: OpenLists, run: RunCommand): routing.FeatureRoutes {
  const lists = new CallLists(services)
  const ownAgent = ownAgentRoutes(services, run)
  const showList = (interaction: routing.Interaction, query: ListQuery) => lists.list(interaction, query)
  return {
    tools: [async () => [callsTool(services, lists, openLists)]],
    shortcuts: [findNumber(services, lists)],
    commands: [...createHelpCommands(services), ...createListCommands(services, lists)],
    actions: [...ownAgent.actions, ...bindActions(services, lists), ...sharedPageRoutes(services)],
    submissions: [...ownAgent.submissions, callsFilter.createSubmission(services, showList)],
    options: menuRoutes(services),
  }
}
