import { dayMs } from '../../../src/util/units.ts'
import { integer, pick, type Random, weighted } from '../random.ts'
import type { Direction, SandboxAgent, SandboxCall } from '../types.ts'
import { type DialedNumber, decimal, randomNumber } from './numbers.ts'

/** Source of an account's calls. Each day always has the same calls. */
export interface CallSource {
  /** The first day with calls. */
  readonly firstDay: number
  readonly others: readonly SandboxCall[]
  readonly ofDay: (day: number) => readonly SandboxCall[]
}

/** The id consists of the day's number and the position within that day, so it is the same after a restart. */
export function callId(at: Date, place: number): string {
  return `${Math.floor(at.getTime() / dayMs)}${String(place).padStart(5, '0')}`
}

export class CallMaker {
  readonly #agents: readonly SandboxAgent[]
  readonly #ownNumbers: readonly [DialedNumber, ...DialedNumber[]]

  /** @param ownNumbers the account's numbers, with the price of a minute on each */
  constructor(agents: readonly SandboxAgent[], ownNumbers: readonly [DialedNumber, ...DialedNumber[]]) {
    this.#agents = agents
    this.#ownNumbers = ownNumbers
  }

  make(
    random: Random,
    id: string,
    options: {
      readonly at: Date
      readonly direction: Direction
      readonly answerRate: number
      readonly agent?: SandboxAgent
    },
  ): SandboxCall {
    const { at, direction, answerRate, agent = this.#busyAgent(random) } = options
    const line = direction === 'outgoing' ? randomNumber(random) : pick(random, this.#ownNumbers)
    const answered = random() < answerRate
    const seconds = answered ? talkSeconds(random) : 0
    const recorded = answered && random() < 0.45
    return {
      id,
      direction,
      number: line.number,
      at,
      seconds,
      answered,
      cost: decimal(Math.ceil(seconds / 60) * line.rate),
      recording: recorded ? recordingName(at, id) : '',
      agentId: agent?.id ?? '',
    }
  }

  #busyAgent(random: Random): SandboxAgent | undefined {
    const weights = this.#agents.map((_, index) => 1 / (index + 2))
    return this.#agents[weighted(random, weights)]
  }
}

/** Mostly a few minutes; one percent of the calls last more than an hour. */
function talkSeconds(random: Random): number {
  if (random() < 0.01) return 3600 + integer(random, 5400)
  return 4 + Math.min(3500, Math.floor(-Math.log(1 - random()) * 170))
}

function recordingName(at: Date, id: string): string {
  const stamp = at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${stamp}-${id}.wav`
}
