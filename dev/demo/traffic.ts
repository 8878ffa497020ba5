import type { RequestLog } from '../service/request-log.ts'
import type { Interaction, Slack } from '../slack/slack.ts'
import type { Exchange, Step } from './api-types.ts'

export interface Traffic {
  /** Records an interaction from here until the next one is begun. */
  begin(title: string): (interaction: Interaction) => void
  /** The last interactions, the newest first. */
  latest(): readonly Exchange[]
}

interface Record {
  readonly id: number
  readonly title: string
  readonly calls: number
  readonly requests: number
  readonly violations: number
  interaction: Interaction | undefined
}

const kept = 20

/** What Slack would send, what the app answered, and whom it called meanwhile. No token, key or secret is among it. */
export function createTraffic(options: {
  readonly slack: Slack
  readonly requests: RequestLog
  /** Whatever is masked wherever it stands: keys, secrets, passwords. */
  readonly secrets: readonly string[]
}): Traffic {
  const { slack, requests } = options
  // The longest first: one may be a part of another.
  const secrets = [...options.secrets].filter((one) => one !== '').sort((a, b) => b.length - a.length)

  function masked(value: unknown): unknown {
    if (typeof value === 'string')
      return secrets.reduce((text, secret) => text.replaceAll(secret, '••••'), value)
    if (Array.isArray(value)) return value.map(masked)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)]))
  }

  const records: Record[] = []
  let count = 0

  function stepsOf(record: Record, next: Record | undefined): Step[] {
    const calls = slack.calls.slice(record.calls, next?.calls).map((call) => ({
      what: call.method === 'response_url' ? 'POST response_url' : `Slack ${call.method}`,
      outcome: call.error ?? 'ok',
      ms: call.ms,
      detail: masked(call.args),
    }))
    const all = requests.entries()
    const first = requests.count() - all.length
    const asked = all.slice(
      Math.max(0, record.requests - first),
      next === undefined ? undefined : Math.max(0, next.requests - first),
    )
    const service = asked.map((seen) => ({
      what: `${seen.method} ${seen.operation} of the service`,
      outcome: seen.status === undefined ? 'no answer' : `HTTP ${seen.status}`,
      ms: seen.ms,
      detail: { key: '••••', secret: '••••', ...seen.params },
    }))
    return [...service, ...calls]
  }

  function warningsOf({ interaction, violations }: Record, next: Record | undefined): string[] {
    const broken = slack.violations
      .slice(violations, next?.violations)
      .map(({ where, path, rule }) => `${where}: ${path} ${rule}`)
    const dropped =
      interaction?.dropped === undefined ? [] : ['Slack dropped the message in this acknowledgement.']
    const late = interaction?.timedOut
      ? ['The acknowledgement came later than 3 s: Slack shows a timeout.']
      : []
    return [...broken, ...dropped, ...late]
  }

  return {
    begin(title) {
      count += 1
      const record: Record = {
        id: count,
        title,
        calls: slack.calls.length,
        requests: requests.count(),
        violations: slack.violations.length,
        interaction: undefined,
      }
      records.push(record)
      if (records.length > kept) records.shift()
      return (interaction) => {
        record.interaction = interaction
      }
    },
    latest: () =>
      records
        .map((record, index): Exchange => {
          const next = records[index + 1]
          const { interaction } = record
          return {
            id: record.id,
            title: record.title,
            sent: masked(interaction?.payload ?? {}),
            acknowledged: {
              status: interaction?.status ?? 0,
              ms: interaction?.ackMs ?? 0,
              body: masked(interaction?.ackBody ?? ''),
            },
            steps: stepsOf(record, next),
            warnings: warningsOf(record, next),
          }
        })
        .reverse(),
  }
}
