import { addDays, utcDay } from '../time/days.ts'
import { toUtcOffset } from '../time/offsets.ts'
import { joinNames } from '../util/text.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { AccountCache, type TenantDeletions } from './account-cache.ts'
import type { TelephonyClient } from './client.ts'
import { ReadingCutError } from './errors.ts'
import type { WriteNumber } from './numbers.ts'
import type { Account } from './types.ts'

export interface NamedLine {
  /** As the service writes it. */
  readonly number: string
  readonly name: string
}

/** The digits that tell one number from another, whichever way it is written: `+49 30 1234` and `0049301234` are the same. */
export const lineKey = (number: string): string => {
  const digits = number.replaceAll(/\D/g, '').replace(/^00/, '')
  return digits === '' ? number.trim() : digits
}

const leastDigits = 4
/** Fewer may be a part of a number, or a number without its country's code. */
const leastWhole = 11

export class LineNames {
  static readonly none = new LineNames()

  readonly lines: readonly NamedLine[]
  /** A number, as people write it. */
  readonly write: WriteNumber
  readonly #names: ReadonlyMap<string, string>

  constructor(lines: readonly NamedLine[] = [], write: WriteNumber = (number) => number) {
    this.lines = lines
    this.write = write
    this.#names = new Map(lines.map(({ number, name }) => [lineKey(number), name]))
  }

  readonly nameOf = (number: string): string | undefined =>
    this.#names.size === 0 ? undefined : this.#names.get(lineKey(number))

  /** Its name alone, as lists have it; or the number. */
  readonly labelOf = (number: string): string => this.nameOf(number) ?? this.write(number)

  /** `Sales Berlin · +49 30 23125042`, or the number alone. */
  readonly detailOf = (number: string): string => {
    const [name, written] = [this.nameOf(number), this.write(number)]
    return name === undefined ? written : `${name} · ${written}`
  }

  /** What digits that are looked for mean: a line's name, or a whole number, or several; `undefined` for a part of one. */
  readonly meaningOf = (digits: string): string | undefined => {
    const all = digits.split(',')
    if (all.length > 1)
      return joinNames(
        all.map((one) => this.meaningOf(one) ?? one),
        { word: 'or' },
      )
    const whole = digits.length < leastWhole ? undefined : this.write(`+${digits}`)
    return this.nameOf(digits) ?? (whole === `+${digits}` ? undefined : whole)
  }

  /** All numbers that are known, each once: those that have a name first. @param others without names */
  with(others: readonly string[]): readonly string[] {
    const byKey = new Map<string, string>()
    for (const number of [...this.lines.map((line) => line.number), ...others.toSorted()]) {
      const key = lineKey(number)
      if (key !== '' && !byKey.has(key)) byKey.set(key, number)
    }
    return [...byKey.values()]
  }

  /**
   * The lines that a name, a part of one, or the digits of a number mean: those of that whole name alone, where there are
   * some. A number need not have a name; it is taken as it is written then.
   */
  matching(text: string): readonly { readonly number: string; readonly name?: string }[] {
    const lower = text.trim().toLowerCase()
    const exact = this.lines.filter(({ name }) => name.toLowerCase() === lower)
    if (exact.length > 0) return exact
    const named = this.lines.filter(({ name }) => name.toLowerCase().includes(lower))
    const isNumber = /^[+\d][\d\s()./-]*$/.test(text.trim())
    if (named.length > 0 || !isNumber || text.replaceAll(/\D/g, '').length < leastDigits) return named
    const numbered = this.lines.filter(({ number }) => isOfLine(number, text))
    return numbered.length > 0 ? numbered : [{ number: text.replaceAll(/[^+\d]/g, '') }]
  }
}

/** Whether a call was to that line: by all of its digits, or by its last ones where fewer were written. */
export function isOfLine(number: string, line: string): boolean {
  const own = lineKey(number)
  const written = line.replaceAll(/\D/g, '')
  return own === lineKey(line) || (written.length >= leastDigits && own.endsWith(written))
}

const days = 30
/** More seldom tell of another number, and somebody waits: Slack has a menu wait for 3 s. */
const mostCalls = 1000
const readForMs: Milliseconds = 2000
const keptForMs: Milliseconds = 5 * 60_000

/** The account's own numbers, as far as they show: those that are paid for, and those that were called of late. */
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
    this.#cache = new AccountCache(store, { max: 500, ttlMs: keptForMs, now })
  }

  /** Kept for five minutes. @throws {TelephonyError} */
  async numbers(account: Account): Promise<readonly string[]> {
    return this.#cache.get(account, 'lines') ?? this.#cache.keep(account, 'lines', this.#read(account))
  }

  async #read(account: Account): Promise<readonly string[]> {
    const [called, { addOns }] = await Promise.all([this.#called(account), this.#telephony.billing(account)])
    return [...new Set([...addOns.numbers.map(({ number }) => number), ...called])]
  }

  /** Those that incoming calls went to, as far as the newest ones tell. */
  async #called(account: Account): Promise<readonly string[]> {
    const to = utcDay(new Date(this.#now()))
    const query = { direction: 'incoming', offset: toUtcOffset(0), from: addDays(to, 1 - days), to } as const
    const numbers = new Set<string>()
    const options = { budget: AbortSignal.timeout(readForMs), limit: mostCalls }
    try {
      for await (const { calls } of this.#telephony.readCalls(account, [query], options))
        for (const { number } of calls) numbers.add(number)
    } catch (error) {
      // Those that were found by then will do.
      if (!(error instanceof ReadingCutError)) throw error
    }
    return [...numbers]
  }
}
