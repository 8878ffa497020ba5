import { pick, seededRandom } from './random.ts'
import { callId } from './seeds/call-maker.ts'
import { DAY_MS } from './seeds/days.ts'
import type { SandboxCall } from './types.ts'

/** Places within a day's ids that no other call reaches: a hundred thousand for each second. */
const FIRST_PLACE = 10_000 * 100_000

/** What may be said of a call that is missed now. */
export interface MissedCall {
  /** One of the account's own numbers, as the service writes it; one of them where it isn't said. */
  readonly line?: string | undefined
  /** Nobody's where it isn't said: a filter by agent doesn't find it then. */
  readonly agentId?: string | undefined
}

/**
 * Makes incoming calls that are missed at the moment when they are asked for. Their ids and lines depend on the second and on
 * how many came before in it: another run has the same ones at the same times, and a later run no id of an earlier one.
 */
export class MissedCallMaker {
  readonly #seed: number
  readonly #lines: readonly string[]
  readonly #agentIds: readonly string[]
  #second = Number.NaN
  #made = 0

  constructor(
    seed: number,
    account: { readonly lines: readonly string[]; readonly agentIds: readonly string[] },
  ) {
    this.#seed = seed
    this.#lines = account.lines
    this.#agentIds = account.agentIds
  }

  /** @throws RangeError for a line or an agent that the account doesn't have */
  make(now: Date, { line, agentId }: MissedCall): SandboxCall {
    if (line !== undefined && !this.#lines.includes(line))
      throw new RangeError('the account has no such line')
    if (agentId !== undefined && !this.#agentIds.includes(agentId))
      throw new RangeError('the account has no such agent')
    const second = Math.floor(now.getTime() / 1000)
    this.#made = second === this.#second ? this.#made + 1 : 0
    this.#second = second
    const at = new Date(second * 1000)
    const place = FIRST_PLACE + (second % (DAY_MS / 1000)) * 100_000 + this.#made
    const [first = '', ...others] = this.#lines
    return {
      id: callId(at, place),
      direction: 'incoming',
      number: line ?? pick(seededRandom(this.#seed, second, this.#made), [first, ...others]),
      at,
      seconds: 0,
      answered: false,
      cost: '0',
      recording: '',
      agentId: agentId ?? '',
    }
  }
}
