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
class Directory {
  readonly agents: readonly AgentSummary[]
  readonly #lines

  constructor(agents: readonly AgentSummary[], lines: LineNames) {
    this.agents = agents
    this.#lines = lines
  }

  /** Folded words of all names. */
  get nameWords(): readonly string[] {
    return [...new Set(this.#listNames().flat())]
  }

  /** Quotes `April Jones` if that is a name, because `April` is a month, too. */
  quoteNames(words: readonly Word[]): readonly Word[] {
    const names = this.#listNames().map((parts) => ` ${parts.join(' ')} `)
    const quoted: Word[] = []
    for (const [index, word] of words.entries()) {
      const previous = quoted.at(-1)
      const isBeforeYear = /^\d{4}$/.test(words[index + 1]?.value ?? '')
      const value = `${previous?.value} ${word.value}`
      const folded = ` ${splitName(value).join(' ')} `
      const hasMonth = isPlainWord(previous) && [previous, word].some(isMonthName)
      const isInName = isPlainWord(word) && names.some((name) => name.includes(folded))
      if (hasMonth && isInName && !isBeforeYear)
        quoted.splice(-1, 1, { written: `"${value}"`, key: undefined, value, isQuoted: true })
      else quoted.push(word)
    }
    return quoted
  }

  /** Looks up three names at most: a second agent or line is unknown, too. */
  assignNames({ filters, names }: ParsedWords): { filters: ParsedFilters; unknown?: string } {
    const assigned = { ...filters }
    for (const name of names) {
      const agentMatches = matchNames(this.agents, name)
      const lineMatches = matchNames(this.#lines.lines, name)
      // An agent with all of the words comes before any line. Otherwise the better match counts.
      const isAgent = agentMatches.rank <= Math.max(lineMatches.rank, ranks.words)
      const filter = isAgent ? 'agent' : 'line'
      const isUnknown = agentMatches.found.length === 0 && lineMatches.found.length === 0
      if (isUnknown || assigned[filter] !== undefined) return { filters, unknown: this.#findUnknown(name) }
      assigned[filter] = name
    }
    return { filters: assigned }
  }

  /** Returns the words that occur in no name, or all of them if each occurs in one. */
  #findUnknown(name: string): string {
    if (name.startsWith('@')) return name
    const { nameWords } = this
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

const isMonthName = ({ value }: Word): boolean =>
  fold(value).length > 2 && lowerMonths.some((month) => month.startsWith(fold(value)))

/** Reads only what the words need. @throws {TelephonyError | StoreError | NotConnectedError} */
export async function loadDirectory(
  { workspaces, agentList }: Services,
  tenant: TenantKey,
  { filters, names }: ParsedWords,
): Promise<Directory> {
  const isNeeded = (name: string | undefined) => name !== undefined || names.length > 0
  const lines = isNeeded(filters.line) ? await workspaces.getLineNames(tenant) : LineNames.none
  if (!isNeeded(filters.agent)) return new Directory([], lines)
  const { agents } = await agentList.get(await workspaces.getAccount(tenant))
  return new Directory(agents.filter(hasId), lines)
}

/** Menus have no room for an agent's name. @throws {TelephonyError | StoreError | NotConnectedError} */
export async function withAgentName<Query extends AgentFilter>(
  { workspaces, agentList }: Services,
  tenant: TenantKey,
  query: Query,
): Promise<Query> {
  if (query.agentId === undefined || query.agentName !== undefined) return query
  const { agents } = await agentList.get(await workspaces.getAccount(tenant))
  const agent = agents.find(({ id }) => id === query.agentId)
  if (!agent) return query
  return { ...query, ...toAgentFilter(agent, new AgentLabels(agents)) }
}

/** Returns names by login. Empty if the phone service fails, because lists can do without them. */
export async function findAgentNames(
  { agentList, log }: Services,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  try {
    const { namesByLogin } = await agentList.get(account)
    return namesByLogin
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    log.info({ outcome: error.outcome }, 'calls are shown without names of agents')
    return new Map()
  }
}
