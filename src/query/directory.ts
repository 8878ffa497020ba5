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
    const names = this.#listNames()
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
      if (isUnknown || assigned[filter] !== undefined) return { filters, unknown: name }
      assigned[filter] = name
    }
    return { filters: assigned }
  }

  matchAgents(name: string): NameMatches<Choice> {
    const labels = new AgentLabels(this.agents)
    return mapMatches(matchNames(this.agents, name), (agent) => {
      const text = labels.get(agent)
      return { text, filters: { agentId: agent.id, agentName: takeStart(text, AGENT_LENGTHS.name) } }
    })
  }

  matchLines(name: string): NameMatches<Choice> {
    return mapMatches(matchLines(this.#lines, name), ({ number }) => ({
      text: this.#lines.getDetail(number),
      filters: { line: takeStart(number, MAX_LINE_LENGTH) },
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

/** Whether a name has all of these words, and one of them is a month. */
function areOneName(words: readonly Word[], names: readonly (readonly string[])[]): boolean {
  if (!words.every(isPlainWord) || !words.some(isMonthName)) return false
  const parts = words.flatMap(({ value }) => splitName(value))
  return names.some((name) => parts.every((part) => name.includes(part)))
}

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
