import { integer, type Random, weighted } from '../random.ts'
import type { Direction, SandboxAgent, SandboxCall } from '../types.ts'
import { DAY_MS } from './days.ts'
import { type DialledNumber, decimal, randomNumber } from './numbers.ts'

/** What the calls of one account are drawn from. */
export interface CallMaker {
  readonly agents: readonly SandboxAgent[]
  /** The account's own numbers, with what a minute on them costs. */
  readonly ownNumbers: readonly [DialledNumber, ...DialledNumber[]]
}

export interface CallFacts {
  readonly at: Date
  readonly direction: Direction
  /** The chance that it was answered. */
  readonly answerRate: number
  readonly agent?: SandboxAgent
}

/** The id is the day's number and a place within that day: the same call has the same id after a restart. */
export function callId(at: Date, place: number): string {
  return `${Math.floor(at.getTime() / DAY_MS)}${String(place).padStart(5, '0')}`
}

export function makeCall(maker: CallMaker, random: Random, id: string, facts: CallFacts): SandboxCall {
  const { at, direction } = facts
  const agent = facts.agent ?? busyAgent(maker, random)
  const line =
    direction === 'outgoing'
      ? randomNumber(random)
      : (maker.ownNumbers[integer(random, maker.ownNumbers.length)] ?? maker.ownNumbers[0])
  const answered = random() < facts.answerRate
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

function busyAgent(maker: CallMaker, random: Random): SandboxAgent | undefined {
  return maker.agents[
    weighted(
      random,
      maker.agents.map((_, index) => 1 / (index + 2)),
    )
  ]
}

/** Mostly a few minutes; one in a hundred goes on for more than an hour. */
function talkSeconds(random: Random): number {
  if (random() < 0.01) return 3600 + integer(random, 5400)
  return 4 + Math.min(3500, Math.floor(-Math.log(1 - random()) * 170))
}

function recordingName(at: Date, id: string): string {
  const stamp = at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${stamp}-${id}.wav`
}
