import type { Services } from '../services.ts'
import { isPlainWord, type Word } from '../slack/routing/words.ts'
import type { TenantKey } from '../store/tenant.ts'
import { AgentLabels, hasId } from '../telephony/agent-labels.ts'
import type { AgentSummary } from '../telephony/agent-list.ts'
import { LineNames, MAX_LINE_LENGTH, matchLines } from '../telephony/lines.ts'
import { lowerMonths } from '../time/day-words.ts'
import { matchNames, type NameMatches, ranks, splitName } from '../util/names.ts'
import { fold, takeStart } from '../util/text.ts'
import { AGENT_LENGTHS } from './fields.ts'
import type { ParsedFilters } from './filters/filter.ts'
import type { ParsedWords } from './parse.ts'
import type { NameFilters } from './query.ts'

/** An agent or a line, with the filters that select it. */
export interface Choice {
  readonly text: string
  readonly filters: NameFilters
}

/** The agents and lines of an account. */
export class Directory {
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
    for (const word of words) {
      const previous = quoted.at(-1)
      const value = `${previous?.value} ${word.value}`
      const folded = ` ${splitName(value).join(' ')} `
      const hasMonth = isPlainWord(previous) && [previous, word].some(isMonthName)
      if (hasMonth && isPlainWord(word) && names.some((name) => name.includes(folded)))
        quoted.splice(-1, 1, { written: `"${value}"`, key: undefined, value, quoted: true })
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
    return mapMatches(matchNames(this.agents, name), (agent) => {
      const text = labels.get(agent)
      return { text, filters: { agentId: agent.id, agentName: takeStart(text, AGENT_LENGTHS.name) } }
    })
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
  const lines = isNeeded(filters.line) ? await workspaces.lineNames(tenant) : LineNames.none
  if (!isNeeded(filters.agent)) return new Directory([], lines)
  const agents = await agentList.list(await workspaces.account(tenant))
  return new Directory(agents.filter(hasId), lines)
}
