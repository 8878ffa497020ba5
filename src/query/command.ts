import type { types } from '@slack/bolt'
import { callsActions } from '../features/calls/actions.ts'
import type { Services } from '../services.ts'
import type { ButtonAction } from '../slack/blocks/actions.ts'
import * as blocks from '../slack/blocks/blocks.ts'
import { commandAgain, commandButton, problemMessage } from '../slack/blocks/command-button.ts'
import type { Answer, MessageVariants } from '../slack/deliver/answers.ts'
import { offerOnFailure } from '../slack/deliver/apologies.ts'
import type { CommandRequest, Interaction, ToolAnswer } from '../slack/routing/routes.ts'
import { joinWords, nameMentions, notUnderstoodText, splitWords, type Word } from '../slack/routing/words.ts'
import { whereReadable } from '../store/errors.ts'
import type { LocalDay } from '../time/days.ts'
import { type NameMatches, splitName } from '../util/names.ts'
import { fold } from '../util/text.ts'
import { type Choice, type Directory, loadDirectory } from './directory.ts'
import type { ParsedFilters, ValueChoice } from './filters/filter.ts'
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
  readonly #parser

  constructor(services: Services, parser: QueryParser<Query>) {
    this.#services = services
    this.#parser = parser
  }

  async resolve({ interaction, words: typed }: CommandRequest): Promise<Resolved<Query>> {
    const { grammar, request, complete } = this.#parser
    const today = await queries.getToday(interaction, this.#services)
    const words = await nameMentions(this.#services.people, interaction.actor, typed)
    const parsed = parseWords(words, grammar, today)
    const command = { words, parsed, today }
    if (parsed.problem !== undefined) return { answer: this.#explain(command, parsed.problem) }
    const { agent: agentId } = parsed.filters
    const makeOffers = () => ({
      retry: commandAgain(this.#write(words)),
      request: request({ ...complete(parsed.filters, today), agentId }, today),
    })
    return offerOnFailure(makeOffers, this.#resolveParsed(interaction, command))
  }

  /** Finds the agent and the line that the words name. */
  async #resolveParsed(
    { actor, tenant }: Interaction,
    typedCommand: ParsedCommand,
  ): Promise<Resolved<Query>> {
    const { grammar, complete } = this.#parser
    const directory = await loadDirectory(this.#services, tenant, typedCommand.parsed)
    const command = this.#quoteNames(typedCommand, directory)
    const { words, parsed, today } = command
    const { filters, unknown } = directory.assignNames(parsed)
    if (unknown !== undefined) return { answer: this.#explainName(directory, command, unknown) }
    let ownAgent: queries.AgentFilter | undefined
    if (fold(parsed.filters.agent ?? '') === 'me') {
      // If the record can't be read, the person is asked again.
      ownAgent = await whereReadable(this.#services.store.ownAgents.get(tenant, actor.person.id))
      if (!ownAgent) return { answer: askOwnAgent(actor, directory.agents, this.#write(words)) }
    }
    const conflict = grammar.conflict?.(filters, today)
    if (conflict !== undefined) return { answer: this.#explain(command, conflict) }
    const query = complete(filters, today)
    if (!ownAgent) return this.#resolveNames(filters, directory, query)
    return this.#resolveNames({ line: filters.line }, directory, { ...query, ...ownAgent })
  }

  /** Parses the words again if a name of two words has to be quoted. */
  #quoteNames(command: ParsedCommand, directory: Directory): ParsedCommand {
    const { words, parsed, today } = command
    if (parsed.names.length === 0) return command
    const quotedWords = directory.quoteNames(words)
    if (quotedWords.length === words.length) return command
    return { words: quotedWords, parsed: parseWords(quotedWords, this.#parser.grammar, today), today }
  }

  #resolveNames({ line, agent }: ParsedFilters, directory: Directory, query: Query): Resolved<Query> {
    let resolved = query
    if (line !== undefined) {
      const matches = directory.matchLines(line)
      if (!matches.isClear) return { answer: this.#askWhich('line', line, query, matches) }
      resolved = { ...query, ...matches.found[0]?.filters }
    }
    if (agent === undefined) return { query: resolved }
    const matches = directory.matchAgents(agent)
    if (!matches.isClear) return { answer: this.#askWhich('agent', agent, resolved, matches) }
    return { query: { ...resolved, ...matches.found[0]?.filters } }
  }

  #askWhich(
    noun: 'agent' | 'line',
    name: string,
    query: Query,
    { found, similar }: NameMatches<Choice>,
  ): Answer {
    const { show, filter } = this.#parser
    const quoted = `"${blocks.escapeText(name)}"`
    const isUnknown = found.length === 0
    const choices = (isUnknown ? similar : found).slice(0, MAX_BUTTONS)
    const buttons = choices.map(({ text, filters }, index) =>
      show.named(String(index)).button(text, { ...query, ...filters }),
    )
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
    const names = choices.map(
      (choice) => `"${blocks.escapeText(choice.text.replaceAll(/[\s"]+/g, ' ').trim())}"`,
    )
    return {
      message: {
        text: `${text} ${names.join(', ')}`.trim(),
        blocks: [blocks.section(text), ...blocks.actionRow(buttons)],
      },
    }
  }

  /** @param nameWords words of names that may be meant */
  #explain(
    { words, parsed, today }: ParsedCommand,
    problem: string,
    nameWords: readonly string[] = [],
  ): Answer {
    const { typed, complete, alternative, otherCommand } = this.#parser
    if (parsed.choices.length > 0) return askMeaning(typed, problem, parsed.choices)
    const suggested = parsed.suggest(nameWords)
    const corrected = suggested === undefined ? undefined : `${typed} ${suggested}`.trim()
    const buttons = [alternative(complete(parsed.filters, today)), helpButton]
    return { message: problemMessage(problem, { command: otherCommand?.(words) ?? corrected, buttons }) }
  }

  /** Quotes the words that occur in no name. If each occurs in one, quotes them all. */
  #explainName({ nameWords }: Directory, command: ParsedCommand, unknown: string): Answer {
    const isKnown = (word: string) => splitName(word).every((part) => nameWords.includes(part))
    const unknownWords = unknown.startsWith('@') ? [] : unknown.split(' ').filter((word) => !isKnown(word))
    return this.#explain(command, notUnderstoodText(unknownWords.join(' ') || unknown), nameWords)
  }

  #write(words: readonly Word[]): string {
    return `${this.#parser.typed} ${joinWords(words)}`.trim()
  }
}

/** Asks for the meaning of a value such as `5/11`. */
function askMeaning(typed: string, question: string, choices: readonly ValueChoice[]): Answer {
  const buttons = choices.map(({ label, text }, index) =>
    commandButton(`meaning-${index}`, label, `${typed} ${text}`),
  )
  return { message: blocks.textMessage(blocks.escapeText(question), buttons) }
}

/** Creates a handler that runs the command or explains what is wrong with the words. */
export function queryCommand<Query extends queries.NameFilters>(
  services: Services,
  command: QueryCommand<Query>,
) {
  const resolver = new QueryResolver(services, command)
  return async (request: CommandRequest): Promise<Answer | undefined> => {
    const resolved = await resolver.resolve(request)
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
  parser: QueryParser<Query>,
  interaction: Interaction,
  args: ToolArgs,
  answer: (query: Query) => Promise<MessageVariants>,
): Promise<ToolAnswer> {
  const resolver = new QueryResolver(services, parser)
  const resolved = await resolver.resolve({ interaction, words: toWords(args) })
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
