import { addDays, utcDay } from '../time/days.ts'
import { toUtcOffset } from '../time/zones.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { AccountCache, type TenantDeletions } from './account-cache.ts'
import type { TelephonyClient } from './client.ts'
import { ReadingCutError } from './errors.ts'
import type { WriteNumber } from './numbers.ts'
import type { Account } from './types.ts'

export interface NamedLine {
  /** In the service's notation. */
  readonly number: string
  readonly name: string
}

/** Returns a number's digits for comparison: `+49 30 1234` and `0049301234` have the same. */
export const lineKey = (number: string): string => {
  const digits = number.replaceAll(/\D/g, '').replace(/^00/, '')
  return digits === '' ? number.trim() : digits
}

const MIN_DIGITS = 4
/** Fewer digits may be a part of a number, or lack the country code. */
const MIN_WHOLE_DIGITS = 11

export class LineNames {
  static readonly none = new LineNames()

  readonly lines: readonly NamedLine[]
  /** Formats a number for people. */
  readonly write: WriteNumber
  readonly #names: ReadonlyMap<string, string>

  constructor(lines: readonly NamedLine[] = [], write: WriteNumber = (number) => number) {
    this.lines = lines
    this.write = write
    this.#names = new Map(lines.map(({ number, name }) => [lineKey(number), name]))
  }

  readonly getName = (number: string): string | undefined =>
    this.#names.size === 0 ? undefined : this.#names.get(lineKey(number))

  /** Returns the name, or the number if it has none. */
  readonly getLabel = (number: string): string => this.getName(number) ?? this.write(number)

  /** Returns `Sales Berlin · +49 30 23125042`, or the number alone. */
  readonly getDetail = (number: string): string => {
    const [name, written] = [this.getName(number), this.write(number)]
    return name === undefined ? written : `${name} · ${written}`
  }

  /** Describes searched digits: a line's name or a whole number; `undefined` for a part of a number. */
  readonly getMeaning = (digits: string): string | undefined => {
    const whole = digits.length < MIN_WHOLE_DIGITS ? undefined : this.write(`+${digits}`)
    return this.getName(digits) ?? (whole === `+${digits}` ? undefined : whole)
  }

  /** Returns all numbers once, those with a name first. */
  numbersWith(others: readonly string[]): readonly string[] {
    const byKey = new Map<string, string>()
    for (const number of [...this.lines.map((line) => line.number), ...others.toSorted()]) {
      const key = lineKey(number)
      if (key !== '' && !byKey.has(key)) byKey.set(key, number)
    }
    return [...byKey.values()]
  }

  /** Finds lines by name, part of a name or digits, whole names first. A number without a name is a line, too. */
  matching(text: string): readonly { readonly number: string; readonly name?: string }[] {
    const lower = text.trim().toLowerCase()
    const exact = this.lines.filter(({ name }) => name.toLowerCase() === lower)
    if (exact.length > 0) return exact
    const named = this.lines.filter(({ name }) => name.toLowerCase().includes(lower))
    const isNumber = /^[+\d][\d\s()./-]*$/.test(text.trim())
    if (named.length > 0 || !isNumber || text.replaceAll(/\D/g, '').length < MIN_DIGITS) return named
    const numbered = this.lines.filter(({ number }) => isOfLine(number, text))
    return numbered.length > 0 ? numbered : [{ number: text.replaceAll(/[^+\d]/g, '') }]
  }
}

/** Whether the number is that line's, which may be abbreviated to its last digits. */
export function isOfLine(number: string, line: string): boolean {
  const own = lineKey(number)
  const written = line.replaceAll(/\D/g, '')
  return own === lineKey(line) || (written.length >= MIN_DIGITS && own.endsWith(written))
}

const DAYS_READ = 30
/** Further calls seldom contain another number, and Slack's menus wait for 3 s only. */
const MAX_CALLS_READ = 1000
const READ_TIMEOUT_MS: Milliseconds = 2000
const LINES_TTL_MS: Milliseconds = 5 * 60_000
const MAX_NUMBER_BYTES = 10_000_000

/** Lists the account's own numbers: those on the bill, and those that were called recently. */
export class LineList {
  readonly #telephony
  readonly #now
  readonly #cache: AccountCache<readonly string[]>

  constructor(services: {
    telephony: Pick<TelephonyClient, 'billing' | 'readCalls'>
    store: TenantDeletions
    now: () => EpochMs
  }) {
    const { telephony, store, now } = services
    this.#telephony = telephony
    this.#now = now
    this.#cache = new AccountCache(store, { maxBytes: MAX_NUMBER_BYTES, ttlMs: LINES_TTL_MS, now })
  }

  /** Cached for five minutes. @throws {TelephonyError} */
  async numbers(account: Account): Promise<readonly string[]> {
    return this.#cache.get(account, 'lines') ?? this.#cache.keep(account, 'lines', this.#read(account))
  }

  async #read(account: Account): Promise<readonly string[]> {
    const [called, { addOns }] = await Promise.all([this.#called(account), this.#telephony.billing(account)])
    return [...new Set([...addOns.numbers.map(({ number }) => number), ...called])]
  }

  /** Returns the numbers that recent incoming calls went to. */
  async #called(account: Account): Promise<readonly string[]> {
    const to = utcDay(new Date(this.#now()))
    const from = addDays(to, 1 - DAYS_READ)
    const query = { direction: 'incoming', offset: toUtcOffset(0), from, to } as const
    const numbers = new Set<string>()
    const options = { budget: AbortSignal.timeout(READ_TIMEOUT_MS), limit: MAX_CALLS_READ }
    try {
      for await (const { calls } of this.#telephony.readCalls(account, [query], options))
        for (const { number } of calls) numbers.add(number)
    } catch (error) {
      // The numbers found so far are sufficient.
      if (!(error instanceof ReadingCutError)) throw error
    }
    return [...numbers]
  }
}
