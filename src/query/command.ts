import type { types } from '@slack/bolt'
import { callsActions } from '../features/calls/actions.ts'
import type { Services } from '../services.ts'
import type { ButtonAction } from '../slack/blocks/actions.ts'
import * as blocks from '../slack/blocks/blocks.ts'
import { commandAgain, commandButton, problemMessage } from '../slack/blocks/buttons.ts'
import type { Answer, MessageVariants } from '../slack/deliver/answers.ts'
import { offerOnFailure } from '../slack/deliver/apologies.ts'
import type { CommandRequest, Interaction, ToolAnswer } from '../slack/routing/routes.ts'
import { joinWords, nameMentions, notUnderstoodText, splitWords, type Word } from '../slack/routing/words.ts'
import { whereReadable } from '../store/errors.ts'
import type { LocalDay } from '../time/days.ts'
import type { NameMatches } from '../util/names.ts'
import { fold } from '../util/text.ts'
import { type Choice, loadDirectory } from './directory.ts'
import { callFilters } from './filters/call-filters.ts'
import type { Filter, ParsedFilters } from './filters/filter.ts'
import { askOwnAgent } from './own-agent.ts'
import { type ParsedWords, parseWords } from './parse.ts'
import * as queries from './query.ts'
import { requestText } from './texts.ts'

export interface QueryParser<Query extends queries.NameFilters> {
  readonly typed: string
  readonly grammar: readonly Filter[]
  /** Says why the filters can't be combined. */
  conflict?(filters: ParsedFilters, today: LocalDay): string | undefined
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
  readonly #parser

  constructor(services: Services, parser: QueryParser<Query>) {
    this.#services = services
    this.#parser = parser
  }

  async resolve({ interaction, words: typed }: CommandRequest): Promise<Resolved<Query>> {
    const { request, complete } = this.#parser
    const today = await queries.getToday(interaction, this.#services)
    const words = await nameMentions(this.#services.people, interaction.actor, typed)
    const command = this.#parse(words, today)
    const { filters, problem } = command.parsed
    if (problem !== undefined) return { answer: this.#explain(command, problem) }
    const makeOffers = () => ({
      retry: commandAgain(this.#write(words)),
      request: request({ ...complete(filters, today), agentId: filters.agent }, today),
    })
    return offerOnFailure(makeOffers, this.#resolveNames(interaction, command))
  }

  #parse(words: readonly Word[], today: LocalDay): ParsedCommand {
    return { words, parsed: parseWords(words, this.#parser.grammar, today), today }
  }

  /** Finds the agent and the line that the words name. */
  async #resolveNames({ actor, tenant }: Interaction, typed: ParsedCommand): Promise<Resolved<Query>> {
    const { complete, conflict } = this.#parser
    const { today } = typed
    const directory = await loadDirectory(this.#services, tenant, typed.parsed)
    const command = this.#parse(directory.quoteNames(typed.words), today)
    const { filters, unknown } = directory.assignNames(command.parsed)
    if (unknown !== undefined) {
      const { nameWords } = directory
      return { answer: this.#explain(command, notUnderstoodText(unknown), nameWords) }
    }
    const problem = conflict?.(filters, today)
    if (problem !== undefined) return { answer: this.#explain(command, problem) }
    let query = complete(filters, today)
    for (const noun of ['line', 'agent'] as const) {
      const name = filters[noun]
      if (name === undefined) continue
      if (noun === 'agent' && fold(name) === 'me') {
        // If the record can't be read, the person is asked again.
        const ownAgent = await whereReadable(this.#services.store.ownAgents.get(tenant, actor.person.id))
        if (!ownAgent) return { answer: askOwnAgent(actor, directory.agents, this.#write(command.words)) }
        return { query: { ...query, ...ownAgent } }
      }
      const matches = directory.match(noun, name)
      if (!matches.isClear) return { answer: this.#askWhich(noun, name, query, matches) }
      query = { ...query, ...matches.found[0]?.filters }
    }
    return { query }
  }

  #askWhich(noun: 'agent' | 'line', name: string, query: Query, matches: NameMatches<Choice>): Answer {
    const { show, filter } = this.#parser
    const { found, similar } = matches
    const quoted = `"${blocks.escapeText(name)}"`
    const isUnknown = found.length === 0
    const choices = (isUnknown ? similar : found).slice(0, MAX_BUTTONS)
    const buttons = choices.map(({ text, filters }, index) =>
      show.named(String(index)).button(text, { ...query, ...filters }),
    )
    let text = `${found.length} ${noun}s match ${quoted}. Which one?`
    if (found.length > MAX_BUTTONS) buttons.push(filter.button('Filter…', query))
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
  #explain(command: ParsedCommand, problem: string, nameWords: readonly string[] = []): Answer {
    const { words, parsed, today } = command
    const { typed, complete, alternative, otherCommand } = this.#parser
    const readings = parsed.choices.map((text) => `${typed} ${text}`)
    const buttons = readings.map((reading, index) => commandButton(`meaning-${index}`, reading, reading))
    if (buttons.length > 0) return { message: problemMessage(problem, { buttons }) }
    const suggested = parsed.suggest(nameWords)
    const corrected = suggested === undefined ? undefined : `${typed} ${suggested}`.trim()
    buttons.push(alternative(complete(parsed.filters, today)), helpButton)
    return { message: problemMessage(problem, { command: otherCommand?.(words) ?? corrected, buttons }) }
  }

  #write(words: readonly Word[]): string {
    return `${this.#parser.typed} ${joinWords(words)}`.trim()
  }
}

/** Creates a handler that runs the command or explains what is wrong with the words. */
export function queryCommand<Query extends queries.NameFilters>(
  services: Services,
  parser: QueryParser<Query>,
  run: (interaction: Interaction, query: Query) => Promise<Answer | undefined>,
) {
  const resolver = new QueryResolver(services, parser)
  return async (request: CommandRequest): Promise<Answer | undefined> => {
    const resolved = await resolver.resolve(request)
    if ('answer' in resolved) return resolved.answer
    return run(request.interaction, resolved.query)
  }
}

type ToolArgs = Readonly<Record<string, string | number | undefined>>

function toWords({ direction, status, range, ...keyed }: ToolArgs): readonly Word[] {
  const words = [...splitWords([direction, status, range].join(' '))]
  for (const [key, value] of Object.entries(keyed))
    if (value !== undefined)
      words.push({ written: `${key}:"${value}"`, key, value: String(value), isQuoted: true })
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
  if ('answer' in resolved) return { problem: resolved.answer.message.text }
  return answer(resolved.query)
}

export const listCommand = (
  options: Pick<QueryParser<queries.ListQuery>, 'typed' | 'show'>,
): QueryParser<queries.ListQuery> => ({
  ...options,
  grammar: callFilters,
  conflict: ({ line, number }) =>
    line !== undefined && number !== undefined ? 'Choose line: or number:, not both.' : undefined,
  complete: queries.toListQuery,
  request: requestText,
  filter: callsActions.filter,
  alternative: (understood) => callsActions.filter.button('Find calls…', understood),
})
