import { isDeepStrictEqual } from 'node:util'
import type { LoggedRequest, RequestLog } from '../service/request-log.ts'
import type { Call, Exchange, Slack } from '../slack/slack.ts'
import type { TrafficEntry, TrafficStep } from './api-types.ts'

/** An interaction, with the lengths of the logs at its start. */
interface Recording {
  readonly id: number
  readonly title: string
  readonly calls: number
  readonly requests: number
  readonly violations: number
  exchange: Exchange | undefined
}

const KEPT = 20
const MASK = '••••'

/** Records Slack's requests, the app's answers and the requests it sent meanwhile, without tokens, keys and secrets. */
export class TrafficLog {
  readonly #slack: Slack
  readonly #requests: RequestLog
  readonly #secrets: readonly string[]
  readonly #recordings: Recording[] = []
  #count = 0

  /** @param secrets keys, secrets and passwords to mask */
  constructor(slack: Slack, requests: RequestLog, secrets: readonly string[]) {
    this.#slack = slack
    this.#requests = requests
    // Longest first, because one may contain another.
    this.#secrets = secrets.filter((one) => one !== '').sort((a, b) => b.length - a.length)
  }

  /** Records everything until the next recording begins. */
  async record(title: string, send: () => Promise<Exchange>): Promise<Exchange> {
    this.#count += 1
    const recording: Recording = {
      id: this.#count,
      title,
      calls: this.#slack.calls.length,
      requests: this.#requests.count(),
      violations: this.#slack.violations.length,
      exchange: undefined,
    }
    this.#recordings.push(recording)
    if (this.#recordings.length > KEPT) this.#recordings.shift()
    recording.exchange = await send()
    return recording.exchange
  }

  /** Returns the newest first. */
  latest(): readonly TrafficEntry[] {
    return this.#recordings
      .map((recording, index) => this.#toEntry(recording, this.#recordings[index + 1]))
      .reverse()
  }

  #toEntry(recording: Recording, next: Recording | undefined): TrafficEntry {
    const { id, title, exchange } = recording
    return {
      id,
      title,
      path: exchange?.path ?? '',
      sent: this.#masked(exchange?.payload ?? {}),
      acknowledged: {
        status: exchange?.status ?? 0,
        ms: exchange?.ackMs ?? 0,
        body: this.#masked(exchange?.ackBody ?? ''),
      },
      steps: this.#toSteps(recording, next),
      warnings: this.#getWarnings(recording, next),
    }
  }

  #toSteps(recording: Recording, next: Recording | undefined): TrafficStep[] {
    const entries = this.#requests.entries()
    // The log drops its oldest entries.
    const dropped = this.#requests.count() - entries.length
    const requests = entries.slice(
      Math.max(0, recording.requests - dropped),
      next && Math.max(0, next.requests - dropped),
    )
    const calls = this.#slack.calls.slice(recording.calls, next?.calls)
    const steps = [...requests.map(stepOfRequest), ...calls.map((call) => this.#stepOfCall(call))]
    return steps.reduce(withStep, [])
  }

  #stepOfCall({ method, error, ms, args }: Call): TrafficStep {
    const what = method === 'response_url' ? 'POST response_url' : `Slack ${method}`
    return { what, outcome: error ?? 'ok', ms, detail: this.#masked(args) }
  }

  #getWarnings({ exchange, violations }: Recording, next: Recording | undefined): string[] {
    const broken = this.#slack.violations
      .slice(violations, next?.violations)
      .map(({ where, path, rule }) => `${where}: ${path} ${rule}`)
    if (exchange?.dropped !== undefined) broken.push('Slack dropped the message in this acknowledgement.')
    if (exchange?.timedOut) broken.push('The acknowledgement came later than 3 s: Slack shows a timeout.')
    return broken
  }

  #masked(value: unknown): unknown {
    if (typeof value === 'string')
      return this.#secrets.reduce((text, secret) => text.replaceAll(secret, MASK), value)
    if (Array.isArray(value)) return value.map((one) => this.#masked(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#masked(one)]))
  }
}

/** Merges repeated requests, such as polls for missed calls, into one step. */
function withStep(steps: readonly TrafficStep[], step: TrafficStep): TrafficStep[] {
  const last = steps.at(-1)
  const isSame =
    last?.what === step.what && last.outcome === step.outcome && isDeepStrictEqual(last.detail, step.detail)
  return isSame ? [...steps.slice(0, -1), { ...step, times: (last.times ?? 1) + 1 }] : [...steps, step]
}

const stepOfRequest = ({ method, operation, status, ms, params }: LoggedRequest): TrafficStep => ({
  what: `${method} ${operation} of the service`,
  outcome: status === undefined ? 'no answer' : `HTTP ${status}`,
  ms,
  detail: { key: MASK, secret: MASK, ...params },
})
