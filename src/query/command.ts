import type { types } from '@slack/bolt'
import { callsActions } from '../features/calls/actions.ts'
import type { Services } from '../services.ts'
import type { ButtonAction } from '../slack/blocks/actions.ts'
import { actionRow, escapeText, section, textMessage } from '../slack/blocks/blocks.ts'
import { commandAgain, commandButton, problemMessage } from '../slack/blocks/command-button.ts'
import type { Answer, MessageVariants } from '../slack/deliver/answers.ts'
import { offerOnFailure } from '../slack/deliver/apologies.ts'
import type { CommandRequest, Interaction, ToolAnswer } from '../slack/routing/routes.ts'
import {
  isPlainWord,
  joinWords,
  nameMentions,
  notUnderstoodText,
  splitWords,
  type Word,
} from '../slack/routing/words.ts'
import { whereReadable } from '../store/errors.ts'
import type { TenantKey } from '../store/tenant.ts'
import { AgentLabels, hasId } from '../telephony/agent-labels.ts'
import type { AgentSummary } from '../telephony/agent-list.ts'
import { LineNames, MAX_LINE_LENGTH } from '../telephony/lines.ts'
import { lowerMonths } from '../time/day-words.ts'
import type { LocalDay } from '../time/days.ts'
import { fold, takeStart } from '../util/text.ts'
import { AGENT_LENGTHS } from './fields.ts'
import type { ParsedFilters, ValueChoice } from './filters/filter.ts'
import { type FoundLine, matchLines, matchNames, prefersAgent, splitName } from './names.ts'
import { askOwnAgent } from './own-agent.ts'
import { type Grammar, type ParsedWords, parseWords } from './parse.ts'
import * as queries from './query.ts'
import { requestText } from './texts.ts'

export interface QueryParser<Query extends queries.NameFilters> {
  readonly typed: string
  readonly grammar: Grammar
  /** Applies defaults. The agent and the line are added to the result. */
  complete(filters: ParsedFilters, today: LocalDay): Query
  request(query: Query, today: LocalDay): string
  readonly show: ButtonAction<Query>
  readonly filter: ButtonAction<Query>
  /** Returns a button to show below a problem. */
  alternative(understood: Query): types.Button
  /** Returns a command that fits the words better. */
  otherCommand?(words: readonly Word[]): string | undefined
}

interface QueryCommand<Query extends queries.NameFilters> extends QueryParser<Query> {
  run(interaction: Interaction, query: Query): Promise<Answer | undefined>
}

export const helpButton = commandButton('help', 'Help', '/calls help')

interface Directory {
  readonly agents: readonly AgentSummary[]
  readonly lines: LineNames
}

/** Reads only what the words need. @throws {TelephonyError | StoreError | NotConnectedError} */
async function loadDirectory(
  { workspaces, agentList }: Services,
  tenant: TenantKey,
  { filters, names }: ParsedWords,
): Promise<Directory> {
  const isNeeded = (name: string | undefined) => name !== undefined || names.length > 0
  const lines = isNeeded(filters.line) ? await workspaces.lineNames(tenant) : LineNames.none
  if (!isNeeded(filters.agent)) return { lines, agents: [] }
  const agents = await agentList.list(await workspaces.account(tenant))
  return { lines, agents: agents.filter(hasId) }
}

/** Quotes `April Jones` if that is a name, because `April` is a month, too. */
function quoteNames(words: readonly Word[], { agents, lines }: Directory): readonly Word[] {
  const names = [...agents, ...lines.lines].map(({ name }) => splitName(name))
  const quoted: Word[] = []
  for (const [index, word] of words.entries()) {
    const previous = quoted.at(-1)
    const isBeforeYear = /^\d{4}$/.test(words[index + 1]?.value ?? '')
    if (previous && !isBeforeYear && areOneName([previous, word], names)) {
      const value = `${previous.value} ${word.value}`
      quoted[quoted.length - 1] = { written: `"${value}"`, key: undefined, value, quoted: true }
    } else {
      quoted.push(word)
    }
  }
  return quoted
}

/** Whether a name has all of these words, and one of them is a month. */
function areOneName(words: readonly Word[], names: readonly (readonly string[])[]): boolean {
  if (!words.every(isPlainWord) || !words.some(isMonthName)) return false
  const parts = words.flatMap(({ value }) => splitName(value))
  return names.some((name) => parts.every((part) => name.includes(part)))
}

const isMonthName = ({ value }: Word): boolean =>
  fold(value).length > 2 && lowerMonths.some((month) => month.startsWith(fold(value)))

/** Parses the words again if a name of two words has to be quoted. */
function parseQuoted(request: ParsedCommand, directory: Directory, grammar: Grammar): ParsedCommand {
  const { words, parsed, today } = request
  if (parsed.names.length === 0) return request
  const quotedWords = quoteNames(words, directory)
  if (quotedWords.length === words.length) return request
  return { words: quotedWords, parsed: parseWords(quotedWords, grammar, today), today }
}

/** Looks up three names at most: a second agent or line is unknown, too. */
function assignNames(
  { filters, names }: ParsedWords,
  { agents, lines }: Directory,
): { readonly filters: ParsedFilters } | { readonly unknown: string } {
  let assigned = filters
  for (const name of names) {
    const agentMatches = matchNames(agents, name)
    const lineMatches = matchNames(lines.lines, name)
    if (agentMatches.found.length === 0 && lineMatches.found.length === 0) return { unknown: name }
    const filter = prefersAgent(agentMatches, lineMatches) ? 'agent' : 'line'
    if (assigned[filter] !== undefined) return { unknown: name }
    assigned = { ...assigned, [filter]: name }
  }
  return { filters: assigned }
}

interface Choice<Query> {
  readonly text: string
  readonly query: Query
}

function listAgentChoices<Query extends queries.NameFilters>(
  query: Query,
  agents: readonly AgentSummary[],
  found: readonly AgentSummary[],
): readonly Choice<Query>[] {
  const labels = new AgentLabels(agents)
  return found.map((agent) => {
    const text = labels.get(agent)
    return { text, query: { ...query, agentId: agent.id, agentName: takeStart(text, AGENT_LENGTHS.name) } }
  })
}

const listLineChoices = <Query extends queries.NameFilters>(
  query: Query,
  lines: LineNames,
  found: readonly FoundLine[],
): readonly Choice<Query>[] =>
  found.map(({ number }) => ({
    text: lines.getDetail(number),
    query: { ...query, line: takeStart(number, MAX_LINE_LENGTH) },
  }))

interface Ambiguity<Query> {
  readonly noun: 'agent' | 'line'
  readonly name: string
  readonly query: Query
  readonly found: readonly Choice<Query>[]
  /** Offered if nothing was found. */
  readonly similar: readonly Choice<Query>[]
}

const MAX_BUTTONS = 10

function askWhich<Query extends queries.NameFilters>(
  { show, filter }: QueryParser<Query>,
  { noun, name, query, found, similar }: Ambiguity<Query>,
): Answer {
  const quoted = `"${escapeText(name)}"`
  const isUnknown = found.length === 0
  const choices = (isUnknown ? similar : found).slice(0, MAX_BUTTONS)
  const buttons = choices.map((choice, index) => show.named(String(index)).button(choice.text, choice.query))
  let text = `${found.length} ${noun}s match ${quoted}. Which one?`
  if (found.length > MAX_BUTTONS) {
    text += ` Here are the first ${MAX_BUTTONS}. *Filter…* lists them all.`
    buttons.push(filter.button('Filter…', query))
  }
  if (isUnknown) {
    text = `No ${noun} matches ${quoted}.`
    if (similar.length > 0) text += ' Did you mean this?'
    buttons.push(show.named('all').button(`All ${noun}s`, query))
  }
  // Screen readers and Slackbot get the text only, so it lists the names too.
  const names = choices.map((choice) => `"${escapeText(choice.text.replaceAll(/[\s"]+/g, ' ').trim())}"`)
  return {
    message: { text: `${text} ${names.join(', ')}`.trim(), blocks: [section(text), ...actionRow(buttons)] },
  }
}

function resolveNames<Query extends queries.NameFilters>(
  command: QueryParser<Query>,
  filters: ParsedFilters,
  { agents, lines }: Directory,
  query: Query,
): Resolved<Query> {
  const { line, agent } = filters
  let resolved = query
  if (line !== undefined) {
    const matches = matchLines(lines, line)
    const found = listLineChoices(resolved, lines, matches.found)
    const similar = listLineChoices(resolved, lines, matches.similar)
    const [first] = found
    if (!first || !matches.isClear)
      return { answer: askWhich(command, { noun: 'line', name: line, query, found, similar }) }
    resolved = first.query
  }
  if (agent === undefined) return { query: resolved }
  const matches = matchNames(agents, agent)
  const found = listAgentChoices(resolved, agents, matches.found)
  const similar = listAgentChoices(resolved, agents, matches.similar)
  const [first] = found
  if (first && matches.isClear) return { query: first.query }
  return { answer: askWhich(command, { noun: 'agent', name: agent, query: resolved, found, similar }) }
}

/** Words of a command, parsed for a day. */
interface ParsedCommand {
  readonly words: readonly Word[]
  readonly parsed: ParsedWords
  readonly today: LocalDay
}

const writeCommand = (typed: string, words: readonly Word[]): string => `${typed} ${joinWords(words)}`.trim()

/** @param nameWords words of names that may be meant */
function explain<Query extends queries.NameFilters>(
  command: QueryParser<Query>,
  { words, parsed, today }: ParsedCommand,
  problem: string,
  nameWords: readonly string[] = [],
): Answer {
  const { typed, complete } = command
  if (parsed.choices.length > 0) return askMeaning(typed, problem, parsed.choices)
  const suggested = parsed.suggest(nameWords)
  const corrected = suggested === undefined ? undefined : `${typed} ${suggested}`.trim()
  const nearest = command.otherCommand?.(words) ?? corrected
  const buttons = [command.alternative(complete(parsed.filters, today)), helpButton]
  return { message: problemMessage(problem, { command: nearest, buttons }) }
}

/** Asks for the meaning of a value such as `5/11`. */
function askMeaning(typed: string, question: string, choices: readonly ValueChoice[]): Answer {
  const buttons = choices.map(({ label, text }, index) =>
    commandButton(`meaning-${index}`, label, `${typed} ${text}`),
  )
  return { message: textMessage(escapeText(question), buttons) }
}

/** A query, or the answer to words that don't make one: a question, or a suggestion. */
type Resolved<Query> = { readonly query: Query } | { readonly answer: Answer }

/** Finds the agent and the line that the words name. */
async function resolveParsed<Query extends queries.NameFilters>(
  services: Services,
  command: QueryParser<Query>,
  interaction: Interaction,
  typedRequest: ParsedCommand,
): Promise<Resolved<Query>> {
  const { actor, tenant } = interaction
  const { grammar, typed, complete } = command
  const directory = await loadDirectory(services, tenant, typedRequest.parsed)
  const request = parseQuoted(typedRequest, directory, grammar)
  const { words, parsed, today } = request
  const assigned = assignNames(parsed, directory)
  if ('unknown' in assigned) return { answer: explainName(command, directory, request, assigned.unknown) }
  const { filters } = assigned
  let ownAgent: queries.AgentFilter | undefined
  if (fold(parsed.filters.agent ?? '') === 'me') {
    // If the record can't be read, the person is asked again.
    ownAgent = await whereReadable(services.store.ownAgents.get(tenant, actor.person.id))
    if (!ownAgent) return { answer: askOwnAgent(actor, directory.agents, writeCommand(typed, words)) }
  }
  const conflict = grammar.conflict?.(filters, today)
  if (conflict !== undefined) return { answer: explain(command, request, conflict) }
  const query = complete(filters, today)
  if (!ownAgent) return resolveNames(command, filters, directory, query)
  return resolveNames(command, { line: filters.line }, directory, { ...query, ...ownAgent })
}

/** Quotes the words that are in no name, or all of a name whose words are in several. */
function explainName<Query extends queries.NameFilters>(
  command: QueryParser<Query>,
  { agents, lines }: Directory,
  request: ParsedCommand,
  unknown: string,
): Answer {
  const nameWords = [...new Set([...agents, ...lines.lines].flatMap(({ name }) => splitName(name)))]
  const isKnown = (word: string) => splitName(word).every((part) => nameWords.includes(part))
  const unknownWords = unknown.startsWith('@') ? [] : unknown.split(' ').filter((word) => !isKnown(word))
  return explain(command, request, notUnderstoodText(unknownWords.join(' ') || unknown), nameWords)
}

/** Parses the words to a query, or explains what is wrong with them. */
async function resolveQuery<Query extends queries.NameFilters>(
  services: Services,
  command: QueryParser<Query>,
  { interaction, words: typed }: CommandRequest,
): Promise<Resolved<Query>> {
  const today = await queries.getToday(interaction, services)
  const words = await nameMentions(services.people, interaction.actor, typed)
  const parsed = parseWords(words, command.grammar, today)
  const request = { words, parsed, today }
  if (parsed.problem !== undefined) return { answer: explain(command, request, parsed.problem) }
  const { agent: agentId } = parsed.filters
  const makeOffers = () => ({
    retry: commandAgain(writeCommand(command.typed, words)),
    request: command.request({ ...command.complete(parsed.filters, today), agentId }, today),
  })
  return offerOnFailure(makeOffers, resolveParsed(services, command, interaction, request))
}

/** Creates a handler that runs the command or explains what is wrong with the words. */
export function queryCommand<Query extends queries.NameFilters>(
  services: Services,
  command: QueryCommand<Query>,
) {
  return async (request: CommandRequest): Promise<Answer | undefined> => {
    const resolved = await resolveQuery(services, command, request)
    return 'answer' in resolved ? resolved.answer : command.run(request.interaction, resolved.query)
  }
}

type ToolArgs = Readonly<Record<string, string | number | undefined>>

function toWords({ direction, status, range, ...keyed }: ToolArgs): readonly Word[] {
  const words = [...splitWords([direction, status, range].join(' '))]
  for (const [key, value] of Object.entries(keyed))
    if (value !== undefined)
      words.push({ written: `${key}:"${value}"`, key, value: String(value), quoted: true })
  return words
}

/** Parses a tool's arguments like the words of a command. */
export async function answerQuery<Query extends queries.NameFilters>(
  services: Services,
  command: QueryParser<Query>,
  interaction: Interaction,
  args: ToolArgs,
  answer: (query: Query) => Promise<MessageVariants>,
): Promise<ToolAnswer> {
  const resolved = await resolveQuery(services, command, { interaction, words: toWords(args) })
  return 'answer' in resolved ? { problem: resolved.answer.message.text } : answer(resolved.query)
}

export const listCommand = (
  options: Pick<QueryCommand<queries.ListQuery>, 'typed' | 'show'>,
): QueryParser<queries.ListQuery> => ({
  ...options,
  grammar: queries.callsGrammar,
  complete: queries.toListQuery,
  request: requestText,
  filter: callsActions.filter,
  alternative: (understood) => callsActions.filter.button('Find calls…', understood),
})
