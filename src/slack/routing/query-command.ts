import type { types } from '@slack/bolt'
import { AGENT_LENGTHS, type Asked } from '../../grammar/filters.ts'
import {
  type Grammar,
  meantBy,
  nearestPlain,
  type Problem,
  readWords,
  unrecognised,
} from '../../grammar/read-words.ts'
import { joinWords, splitWords, type Word } from '../../grammar/words.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { AgentList, AgentSummary } from '../../telephony/agent-list.ts'
import { agentsLike } from '../../telephony/agent-list.ts'
import type { LocalDay } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { capital, nearestWord } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Workspaces } from '../access/workspaces.ts'
import type { ButtonAction } from '../blocks/action.ts'
import { actionRow, cut, escapeText, LIMITS, section } from '../blocks/blocks.ts'
import { commandAgain, commandButton, problemsMessage } from '../blocks/command-button.ts'
import type { Answer } from '../deliver/answer.ts'
import type { Interaction } from './routes.ts'

export interface OfAgent {
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
}

export interface QueryCommand<Query extends OfAgent> {
  readonly typed: string
  readonly grammar: Grammar
  /** With what is usual where nothing is said; of all agents and lines. */
  complete(asked: Asked, today: LocalDay): Query
  /** The same for one of the account's own numbers; `undefined` where that can't be looked for. */
  ofLine(query: Query, number: string): Query | undefined
  request(query: Query, today: LocalDay): string
  run(interaction: Interaction, query: Query): Promise<Answer | undefined>
  readonly show: ButtonAction<Query>
  readonly filter: ButtonAction<Query>
  /** Offered below what is not understood. @param understood the query of the rest */
  waysOn(understood: Query): readonly types.Button[]
  /** The command that was probably meant in place of this one by words that aren't all understood, as it is typed. */
  instead?(words: readonly Word[], today: LocalDay, isFirstUnknown: boolean): string | undefined
}

export async function todayOf(
  { actor, tenant, channel }: Interaction,
  { workspaces, now }: { readonly workspaces: Workspaces; readonly now: () => EpochMs },
): Promise<LocalDay> {
  const { zone } = await workspaces.zone(tenant, channel, actor.person)
  return localDay(zone, new Date(now()))
}

/** Words that nobody knows may be the name of an agent or a line. Nothing is asked for to find out. */
function nameButtons(
  { typed, grammar }: Pick<QueryCommand<never>, 'typed' | 'grammar'>,
  words: readonly Word[],
  problems: readonly Problem[],
  today: LocalDay,
): readonly types.Button[] {
  // What is wrong with a day is no name.
  if (problems.some(({ at, text }) => !words[at] || text !== unrecognised(words[at]))) return []
  const unknown = problems.flatMap(({ at, meant }) => (meant === '' ? [] : (words[at] ?? [])))
  const name = unknown.map(({ value }) => value).join(' ')
  const others = words.filter((_, at) => problems.every((one) => one.at !== at))
  const isKnown = (word: Word) => readWords([word], grammar, today).problems.length === 0
  if (unknown.some((word) => word.key !== undefined || isKnown(word)) || !/^\p{L}/u.test(name)) return []
  return ['agent', 'line'].flatMap((key) => {
    const all = joinWords([...others, { written: `${key}:"${name}"` }])
    const isUnderstood = readWords(splitWords(all), grammar, today).problems.length === 0
    return isUnderstood ? [commandButton(key, `${capital(key)} "${name}"`, `${typed} ${all}`)] : []
  })
}

/** What is wrong with the words, and the way on: what was meant, or the form with what was understood. */
function answerProblems<Query extends OfAgent>(
  command: Pick<QueryCommand<Query>, 'typed' | 'grammar' | 'waysOn' | 'instead'>,
  words: readonly Word[],
  found: { readonly problems: readonly Problem[]; readonly meant: string | undefined },
  understood: Query,
  today: LocalDay,
): Answer {
  const { problems, meant } = found
  const buttons = command.waysOn(understood)
  const first = problems.find(({ at }) => at === 0)
  const instead = command.instead?.(words, today, first !== undefined)
  const texts = [...new Set(problems.map(({ text }) => text))]
  // The words behind the first one are for that command to understand.
  if (instead)
    return { message: problemsMessage(first ? [first.text] : texts, { command: instead, buttons }) }
  if (meant !== undefined)
    return { message: problemsMessage(texts, { command: `${command.typed} ${meant}`.trim(), buttons }) }
  const names = nameButtons(command, words, problems, today)
  return { message: problemsMessage(texts, { buttons: [...names, ...buttons] }) }
}

const mostButtons = 10

interface Choice<Query> {
  readonly text: string
  readonly query: Query
}

/** Which one is meant, where a name is that of several or of none: each button carries the rest of the query. */
function askWhich<Query extends OfAgent>(
  { show, filter }: Pick<QueryCommand<Query>, 'show' | 'filter'>,
  { noun, name, query }: { readonly noun: 'agent' | 'line'; readonly name: string; readonly query: Query },
  choices: readonly Choice<Query>[],
  near: readonly Choice<Query>[],
): Answer {
  const written = `"${escapeText(name)}"`
  if (choices.length === 0) {
    const meant = near.slice(0, mostButtons)
    const text = `No ${noun} matches ${written}.${meant.length > 0 ? ' Did you mean this?' : ''}`
    const buttons = meant.map((one, index) => show.named(String(index)).button(one.text, one.query))
    const all = show.named('all').button(`All ${noun}s`, query)
    return { message: { text, blocks: [section(text), ...actionRow([...buttons, all])] } }
  }
  const isLong = choices.length > mostButtons
  const more = isLong ? ` Here are the first ${mostButtons}. *Filter…* lists them all.` : ''
  const text = `${choices.length} ${noun}s match ${written}. Which one?${more}`
  const buttons = [
    ...choices
      .slice(0, mostButtons)
      .map((choice, index) => show.named(String(index)).button(choice.text, choice.query)),
    ...(isLong ? [filter.button('Filter…', query)] : []),
  ]
  // Whoever has it read out, or asks through Slackbot, hears which there are: as names, whatever stands in them.
  const names = choices
    .slice(0, mostButtons)
    .map((choice) => `"${escapeText(choice.text.replaceAll(/[\s"]+/g, ' ').trim())}"`)
  return { message: { text: `${text} ${names.join(', ')}`, blocks: [section(text), ...actionRow(buttons)] } }
}

/** The query, for each of these agents; those of one name are told apart by their ids. */
function agentChoices<Query extends OfAgent>(
  query: Query,
  agents: readonly Pick<AgentSummary, 'id' | 'name'>[],
): readonly Choice<Query>[] {
  const labelOf = ({ id, name }: Pick<AgentSummary, 'id' | 'name'>) => {
    const isAlone = agents.filter((other) => other.name === name).length === 1
    if (isAlone && name !== '') return name
    const own = `(${cut(id, AGENT_LENGTHS.id)})`
    return `${cut(name, LIMITS.buttonText - own.length - 1)} ${own}`.trim()
  }
  return agents.map((agent) => ({
    text: labelOf(agent),
    query: { ...query, agentId: agent.id, agentName: agent.name.slice(0, AGENT_LENGTHS.name) },
  }))
}

/** The name, or the part of one, that was probably meant. */
const nearestName = (written: string, names: readonly string[]): string | undefined =>
  nearestWord(
    written,
    names.map((name) => name.toLowerCase()),
  ) ?? nearestWord(written, [...new Set(names.flatMap((name) => name.toLowerCase().split(/\s+/)))])

/** Menus have no room for the agent's name: it is looked up again. @throws {TelephonyError | StoreError | NotConnectedError} */
export async function withAgentName<Query extends OfAgent>(
  { workspaces, agentList }: { workspaces: Pick<Workspaces, 'account'>; agentList: Pick<AgentList, 'list'> },
  tenant: TenantKey,
  query: Query,
): Promise<Query> {
  if (query.agentId === undefined || query.agentName !== undefined) return query
  const agent = (await agentList.list(await workspaces.account(tenant))).find(
    ({ id }) => id === query.agentId,
  )
  return agent ? { ...query, agentName: agent.name.slice(0, AGENT_LENGTHS.name) } : query
}

/** Reads the words, looks up the line and the agent that they name, and runs the command; or says what is not understood. */
export function queryCommand<Query extends OfAgent>(
  services: { readonly workspaces: Workspaces; readonly agentList: AgentList; readonly now: () => EpochMs },
  command: QueryCommand<Query>,
): (interaction: Interaction, words: readonly Word[]) => Promise<Answer | undefined> {
  const { workspaces, agentList } = services
  const { grammar, typed } = command

  return async (interaction, words) => {
    const today = await todayOf(interaction, services)
    const { asked, following, ...found } = readWords(words, grammar, today)
    const query = command.complete(asked, today)
    if (found.problems.length > 0) return answerProblems(command, words, found, query, today)

    /** The query for what a name means, or what to ask the person first. */
    async function look(
      noun: 'agent' | 'line',
      own: Query,
      known: readonly string[],
      choicesFor: (name: string) => readonly Choice<Query>[],
    ): Promise<{ readonly query: Query } | { readonly answer: Answer }> {
      const name = asked[noun] ?? ''
      const choices = choicesFor(name)
      const [choice, ...others] = choices
      if (choice && others.length === 0) return { query: choice.query }
      // Words behind a name that stands by itself are no part of it, where they may be a slip of the keyboard.
      const places = choices.length === 0 ? (following.get(noun) ?? []) : []
      const problems = places.map((at): Problem => problemAt(words, at, grammar, today))
      const meant = meantBy(words, problems, grammar, today)
      const alone = meant === undefined ? [] : choicesFor(words[(places[0] ?? 0) - 1]?.value ?? '')
      if (alone[0] === undefined) {
        const nearest = choices.length === 0 ? nearestName(name, known) : undefined
        const near = nearest === undefined ? [] : choicesFor(nearest)
        return { answer: askWhich(command, { noun, name, query: own }, choices, near) }
      }
      const understood = alone.length === 1 ? alone[0].query : own
      return { answer: answerProblems(command, words, { problems, meant }, understood, today) }
    }

    const named = asked.agent === undefined ? query : { ...query, agentId: asked.agent }
    const retry = commandAgain(`${typed} ${joinWords(words)}`.trim())
    interaction.fallback = { retry, request: command.request(named, today) }
    let known = query
    if (asked.line !== undefined) {
      const names = await workspaces.lineNames(interaction.tenant)
      const lineNames = names.lines.map(({ name }) => name)
      const ofLine = await look('line', known, lineNames, (name) =>
        names.matching(name).flatMap(({ number }) => {
          const own = command.ofLine(query, number)
          return own ? [{ text: names.detailOf(number), query: own }] : []
        }),
      )
      if ('answer' in ofLine) return ofLine.answer
      known = ofLine.query
    }
    if (asked.agent !== undefined) {
      const agents = await agentList.list(await workspaces.account(interaction.tenant))
      const agentNames = agents.map(({ name }) => name)
      const ofAgent = await look('agent', known, agentNames, (name) =>
        name === '' ? [] : agentChoices(known, agentsLike(agents, name)),
      )
      if ('answer' in ofAgent) return ofAgent.answer
      known = ofAgent.query
    }
    return command.run(interaction, known)
  }
}

function problemAt(words: readonly Word[], at: number, grammar: Grammar, today: LocalDay): Problem {
  const word = words[at]
  if (!word) return { at, count: 1, text: '' }
  return { at, count: 1, text: unrecognised(word), meant: nearestPlain(word, grammar, today) }
}
