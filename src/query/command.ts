import type { types } from '@slack/bolt'
import { callsActions } from '../features/calls/actions.ts'
import type { Services } from '../services.ts'
import type { ButtonAction } from '../slack/blocks/actions.ts'
import * as blocks from '../slack/blocks/blocks.ts'
import { commandButton, problemMessage, tryAgainButton } from '../slack/blocks/buttons.ts'
import type { Answer, MessageVariants } from '../slack/deliver/answers.ts'
import { offerOnFailure } from '../slack/deliver/apologies.ts'
import type { CommandRequest, Interaction, ToolAnswer } from '../slack/routing/routes.ts'
import { joinWords, nameMentions, notUnderstoodText, splitWords, type Word } from '../slack/routing/words.ts'
import { whereReadable } from '../store/errors.ts'
import type { LocalDay } from '../time/days.ts'
import type { NameMatches } from '../util/names.ts'
import { fold } from '../util/text.ts'
import { type Choice, type Directory, loadDirectory } from './directory.ts'
import { callFilters } from './filters/call-filters.ts'
import type { Filter, ParsedFilters } from './filters/filter.ts'
import { askOwnAgent } from './own-agent.ts'
import { type ParsedWords, parseWords } from './parse.ts'
import * as queries from './query.ts'
import { requestText } from './texts.ts'

export interface QueryCommand<Query extends queries.NameFilters> {
  /** `/calls export` */
  readonly name: string
  readonly grammar: readonly Filter[]
  /** Says why the filters can't be combined. */
  conflict?(filters: ParsedFilters, today: LocalDay): string | undefined
  /** Applies defaults. The agent and the line are added to the result. */
  complete(filters: ParsedFilters, today: LocalDay): Query
  /** `missed calls, 9–15 Nov` */
  describe(query: Query, today: LocalDay): string
  /** Runs a query that was chosen. */
  readonly show: ButtonAction<Query>
  /** Opens the form. */
  readonly filter: ButtonAction<Query>
  /** Returns a button to show below a problem. */
  alternative(understood: Query): types.Button
  /** Returns a command that fits the words better. */
  otherCommand?(words: readonly Word[]): string | undefined
}

const helpButton = commandButton('help', 'Help', '/calls help')

/** Words of a command, parsed for a day. */
interface ParsedCommand {
  readonly words: readonly Word[]
  readonly parsed: ParsedWords
  readonly today: LocalDay
}

/** A query, or a question or suggestion if the words don't make one. */
type Resolved<Query> = { readonly query: Query } | { readonly answer: Answer }

const MAX_BUTTONS = 10

/** Finds the query that the words of a command ask for. */
class QueryResolver<Query extends queries.NameFilters> {
  readonly #services
  readonly #command

  constructor(services: Services, command: QueryCommand<Query>) {
    this.#services = services
    this.#command = command
  }

  async resolve({ interaction, words: typed }: CommandRequest): Promise<Resolved<Query>> {
    const { describe, complete } = this.#command
    const today = await queries.getToday(interaction, this.#services)
    const words = await nameMentions(this.#services.people, interaction.actor, typed)
    const input = this.#parse(words, today)
    const { filters, problem } = input.parsed
    if (problem !== undefined) return { answer: this.#explain(input, problem) }
    const makeOffers = () => ({
      retry: tryAgainButton(this.#write(words)),
      // The agent wasn't looked up, so it is described as typed.
      request: describe({ ...complete(filters, today), agentId: filters.agent }, today),
    })
    return offerOnFailure(makeOffers, this.#resolveNames(interaction, input))
  }

  #parse(words: readonly Word[], today: LocalDay): ParsedCommand {
    return { words, parsed: parseWords(words, this.#command.grammar, today), today }
  }

  async #resolveNames(interaction: Interaction, unquoted: ParsedCommand): Promise<Resolved<Query>> {
    const { complete, conflict } = this.#command
    const { today } = unquoted
    const directory = await loadDirectory(this.#services, interaction.tenant, unquoted.parsed)
    // Parsed again, because names that are quoted now aren't read as days.
    const input = this.#parse(directory.quoteNames(unquoted.words), today)
    const assigned = directory.assignNames(input.parsed)
    if ('unknown' in assigned) {
      const problem = notUnderstoodText(assigned.unknown)
      return { answer: this.#explain(input, problem, directory.listNameWords()) }
    }
    const { filters } = assigned
    const problem = conflict?.(filters, today)
    if (problem !== undefined) return { answer: this.#explain(input, problem) }
    const query = complete(filters, today)
    const { line, agent } = filters
    const withLine = line === undefined ? { query } : this.#select(directory, 'line', line, query)
    if ('answer' in withLine || agent === undefined) return withLine
    if (fold(agent) !== 'me') return this.#select(directory, 'agent', agent, withLine.query)
    const { actor, tenant } = interaction
    // If the record can't be read, the person is asked again.
    const ownAgent = await whereReadable(this.#services.store.ownAgents.get(tenant, actor.person.id))
    if (!ownAgent) return { answer: askOwnAgent(actor, directory.agents, this.#write(input.words)) }
    return { query: { ...withLine.query, ...ownAgent } }
  }

  /** Adds the agent or the line to the query if the name is clear. */
  #select(directory: Directory, noun: 'agent' | 'line', name: string, query: Query): Resolved<Query> {
    const matches = directory.match(noun, name)
    if (!matches.isClear) return { answer: this.#askWhich(noun, name, query, matches) }
    return { query: { ...query, ...matches.found[0]?.filters } }
  }

  #askWhich(noun: 'agent' | 'line', name: string, query: Query, matches: NameMatches<Choice>): Answer {
    const { show, filter } = this.#command
    const { found, similar } = matches
    const isUnknown = found.length === 0
    const choices = (isUnknown ? similar : found).slice(0, MAX_BUTTONS)
    const buttons = choices.map(({ text, filters }, index) =>
      show.named(String(index)).button(text, { ...query, ...filters }),
    )
    if (isUnknown) buttons.push(show.named('all').button(`All ${noun}s`, query))
    if (found.length > MAX_BUTTONS) buttons.push(filter.button('Filter…', query))
    const text = askWhichText(noun, name, matches)
    // Screen readers and Slackbot get the text only, so it lists the names too.
    const names = choices.map(
      (choice) => `"${blocks.escapeText(choice.text.replaceAll(/[\s"]+/g, ' ').trim())}"`,
    )
    const content = [blocks.section(text), ...blocks.actionRow(buttons)]
    return { message: { text: `${text} ${names.join(', ')}`.trim(), blocks: content } }
  }

  /** @param nameWords words of names that may be meant */
  #explain(input: ParsedCommand, problem: string, nameWords: readonly string[] = []): Answer {
    const { words, parsed, today } = input
    const { name, complete, alternative, otherCommand } = this.#command
    const readings = parsed.choices.map((text) => `${name} ${text}`)
    if (readings.length > 0) {
      const buttons = readings.map((reading, index) => commandButton(`meaning-${index}`, reading, reading))
      return { message: problemMessage(problem, { buttons }) }
    }
    const suggested = parsed.suggest(nameWords)
    const corrected = suggested === undefined ? undefined : `${name} ${suggested}`.trim()
    const buttons = [alternative(complete(parsed.filters, today)), helpButton]
    return { message: problemMessage(problem, { command: otherCommand?.(words) ?? corrected, buttons }) }
  }

  #write(words: readonly Word[]): string {
    return `${this.#command.name} ${joinWords(words)}`.trim()
  }
}

function askWhichText(noun: 'agent' | 'line', name: string, { found, similar }: NameMatches<Choice>): string {
  const quoted = `"${blocks.escapeText(name)}"`
  if (found.length > 0) return `${found.length} ${noun}s match ${quoted}. Which one?`
  if (similar.length > 0) return `No ${noun} matches ${quoted}. Did you mean this?`
  return `No ${noun} matches ${quoted}.`
}

/** Creates a handler that runs the command or explains what is wrong with the words. */
export function handleQuery<Query extends queries.NameFilters>(
  services: Services,
  command: QueryCommand<Query>,
  run: (interaction: Interaction, query: Query) => Promise<Answer | undefined>,
) {
  const resolver = new QueryResolver(services, command)
  return async (request: CommandRequest): Promise<Answer | undefined> => {
    const resolved = await resolver.resolve(request)
    if ('answer' in resolved) return resolved.answer
    return run(request.interaction, resolved.query)
  }
}

type ToolArgs = Readonly<Record<string, string | number | undefined>>

/** Writes the direction, the result and the days without a key, because people type them like that. */
function toWords({ direction, status, range, ...keyed }: ToolArgs): readonly Word[] {
  const words = [...splitWords([direction, status, range].join(' '))]
  for (const [key, value] of Object.entries(keyed)) {
    if (value === undefined) continue
    words.push({ written: `${key}:"${value}"`, key, value: String(value), isQuoted: true })
  }
  return words
}

/** Parses a tool's arguments like the words of a command. */
export async function answerQuery<Query extends queries.NameFilters>(
  services: Services,
  command: QueryCommand<Query>,
  interaction: Interaction,
  args: ToolArgs,
  run: (query: Query) => Promise<MessageVariants>,
): Promise<ToolAnswer> {
  const resolver = new QueryResolver(services, command)
  const resolved = await resolver.resolve({ interaction, words: toWords(args) })
  if ('answer' in resolved) return { problem: resolved.answer.message.text }
  return run(resolved.query)
}

export const createCallsCommand = (
  options: Pick<QueryCommand<queries.ListQuery>, 'name' | 'show'>,
): QueryCommand<queries.ListQuery> => ({
  ...options,
  grammar: callFilters,
  conflict({ line, number }) {
    if (line === undefined || number === undefined) return undefined
    return 'Choose line: or number:, not both.'
  },
  complete: queries.toListQuery,
  describe: requestText,
  filter: callsActions.filter,
  alternative: (understood) => callsActions.filter.button('Find calls…', understood),
})
