import type { Services } from '../services.ts'
import { isPlainWord, type Word } from '../slack/routing/words.ts'
import type { TenantKey } from '../store/tenant.ts'
import { AgentLabels, hasId } from '../telephony/agent-labels.ts'
import type { AgentSummary } from '../telephony/agent-list.ts'
import { LineNames, MAX_LINE_LENGTH, matchLines } from '../telephony/lines.ts'
import { type Account, TelephonyError } from '../telephony/types.ts'
import { lowerMonths } from '../time/day-words.ts'
import { matchNames, type NameMatches, ranks, splitName } from '../util/names.ts'
import { fold, takeStart } from '../util/text.ts'
import { AGENT_LENGTHS, type ParsedFilters } from './filters/filter.ts'
import type { ParsedWords } from './parse.ts'
import type { AgentFilter, NameFilters } from './query.ts'

/** An agent or a line, with the filters that select it. */
export interface Choice {
  readonly text: string
  readonly filters: NameFilters
}

export const toAgentFilter = (agent: AgentSummary, labels: AgentLabels) => ({
  agentId: agent.id,
  agentName: takeStart(labels.get(agent), AGENT_LENGTHS.name),
})

/** The agents and lines of an account. */
export class Directory {
  readonly agents: readonly AgentSummary[]
  readonly #lines

  constructor(agents: readonly AgentSummary[], lines: LineNames) {
    this.agents = agents
    this.#lines = lines
  }

  /** Lists the folded words of all names. */
  listNameWords(): readonly string[] {
    return [...new Set(this.#listNames().flat())]
  }

  /** Quotes `April Jones` if that is a name, because `April` is a month, too. */
  quoteNames(words: readonly Word[]): readonly Word[] {
    const quoted: Word[] = []
    for (const [index, word] of words.entries()) {
      const previous = quoted.at(-1)
      // In `Jones April 2026`, April is the month.
      const isBeforeYear = /^\d{4}$/.test(words[index + 1]?.value ?? '')
      const isPair = isPlainWord(previous) && isPlainWord(word) && !isBeforeYear
      if (isPair && this.#isNameWithMonth(previous, word)) {
        const value = `${previous.value} ${word.value}`
        quoted.splice(-1, 1, { written: `"${value}"`, key: undefined, value, isQuoted: true })
      } else {
        quoted.push(word)
      }
    }
    return quoted
  }

  /** Whether the words are next to each other in a name, and one of them is a month. */
  #isNameWithMonth(first: Word, second: Word): boolean {
    if (!isMonthName(first) && !isMonthName(second)) return false
    // Spaces at both ends keep parts of words from matching.
    const pair = ` ${splitName(`${first.value} ${second.value}`).join(' ')} `
    return this.#listNames().some((parts) => ` ${parts.join(' ')} `.includes(pair))
  }

  /** Decides which name is an agent's and which a line's. A second one of either is unknown. */
  assignNames(parsed: ParsedWords): { readonly filters: ParsedFilters } | { readonly unknown: string } {
    const assigned = { ...parsed.filters }
    for (const name of parsed.names) {
      const agentMatches = matchNames(this.agents, name)
      const lineMatches = matchNames(this.#lines.lines, name)
      const isUnknown = agentMatches.found.length === 0 && lineMatches.found.length === 0
      // An agent with all of the words comes before any line. Otherwise the better match counts.
      const hasAllWords = agentMatches.rank <= ranks.words
      const noun = hasAllWords || agentMatches.rank <= lineMatches.rank ? 'agent' : 'line'
      if (isUnknown || assigned[noun] !== undefined) return { unknown: this.#findUnknown(name) }
      assigned[noun] = name
    }
    return { filters: assigned }
  }

  /** Returns the words that occur in no name, or all of them if each occurs in one. */
  #findUnknown(name: string): string {
    // A mention is the name of one person.
    if (name.startsWith('@')) return name
    const nameWords = this.listNameWords()
    const isKnown = (word: string) => splitName(word).every((part) => nameWords.includes(part))
    const words = name.split(' ').filter((word) => !isKnown(word))
    return words.join(' ') || name
  }

  match(noun: 'agent' | 'line', name: string): NameMatches<Choice> {
    if (noun === 'line') {
      return mapMatches(matchLines(this.#lines, name), ({ number }) => ({
        text: this.#lines.getDetail(number),
        filters: { line: takeStart(number, MAX_LINE_LENGTH) },
      }))
    }
    const labels = new AgentLabels(this.agents)
    return mapMatches(matchNames(this.agents, name), (agent) => ({
      text: labels.get(agent),
      filters: toAgentFilter(agent, labels),
    }))
  }

  #listNames(): readonly (readonly string[])[] {
    return [...this.agents, ...this.#lines.lines].map(({ name }) => splitName(name))
  }
}

const mapMatches = <T>(matches: NameMatches<T>, toChoice: (item: T) => Choice): NameMatches<Choice> => ({
  ...matches,
  found: matches.found.map(toChoice),
  similar: matches.similar.map(toChoice),
})

function isMonthName({ value }: Word): boolean {
  const folded = fold(value)
  return folded.length > 2 && lowerMonths.some((month) => month.startsWith(folded))
}

/** Reads only what the words need. @throws {TelephonyError | StoreError | NotConnectedError} */
export async function loadDirectory(services: Services, tenant: TenantKey, { filters, names }: ParsedWords) {
  const { workspaces, agentList } = services
  // A name without a key may be that of an agent or of a line.
  const isNeeded = (name: string | undefined) => name !== undefined || names.length > 0
  const lines = isNeeded(filters.line) ? await workspaces.getLineNames(tenant) : LineNames.none
  if (!isNeeded(filters.agent)) return new Directory([], lines)
  const account = await workspaces.getAccount(tenant)
  const { agents } = await agentList.get(account)
  return new Directory(agents.filter(hasId), lines)
}

/** Menus have no room for an agent's name. @throws {TelephonyError | StoreError | NotConnectedError} */
export async function withAgentName<Query extends AgentFilter>(
  { workspaces, agentList }: Services,
  tenant: TenantKey,
  query: Query,
): Promise<Query> {
  if (query.agentId === undefined || query.agentName !== undefined) return query
  const account = await workspaces.getAccount(tenant)
  const { agents } = await agentList.get(account)
  const agent = agents.find(({ id }) => id === query.agentId)
  if (!agent) return query
  return { ...query, ...toAgentFilter(agent, new AgentLabels(agents)) }
}

/** Returns names by login. Empty if the phone service fails, because lists can do without them. */
export async function findAgentNames({ agentList, log }: Services, account: Account) {
  try {
    const { namesByLogin } = await agentList.get(account)
    return namesByLogin
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    log.info({ outcome: error.outcome }, 'calls are shown without names of agents')
    return new Map<string, string>()
  }
}
