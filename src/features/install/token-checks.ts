import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { slackErrorCode } from '../../slack/api/web-api.ts'
import { Rows } from '../../store/engine/rows.ts'
import { whereReadable } from '../../store/errors.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { epochMs, type InstallationRecord } from '../../store/workspaces.ts'
import { mapConcurrent } from '../../util/promises.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'

/** https://docs.slack.dev/reference/methods/auth.test#errors: the app was removed, or the workspace deleted. */
const REMOVED_CODES = ['account_inactive', 'token_revoked']
const CHECK_CONCURRENCY = 5
/** Outlasts the next checks, even if one fails. */
const REFUSAL_TTL_MS: Milliseconds = 3 * dayMs

/** One job a day. `day` counts from 1970. */
const dailyCheckSchema = z.object({ day: z.number() })
export type DailyCheck = z.infer<typeof dailyCheckSchema>

/** Finds installations that ended while Callboard was down: Slack doesn't report those again. */
export class TokenChecks {
  readonly queue = { name: 'token-checks', schema: dailyCheckSchema }
  readonly #services
  readonly #deleteInstallation
  readonly #refusals

  constructor(services: Services, deleteInstallation: (record: InstallationRecord) => Promise<void>) {
    this.#services = services
    this.#deleteInstallation = deleteInstallation
    const schema = z.object({ since: epochMs })
    this.#refusals = new Rows(services.store.database, 'refused-tokens', schema)
  }

  begin(): Promise<void> {
    const now = this.#services.now()
    return this.#enqueue(Math.floor(now / dayMs), now)
  }

  async run({ data }: Job<DailyCheck>, ending: AbortSignal): Promise<void> {
    const { store, now } = this.#services
    const keys = await Array.fromAsync(store.installations.tenants())
    await mapConcurrent(keys, CHECK_CONCURRENCY, async (key) => {
      ending.throwIfAborted()
      await this.#check(key)
    })
    await this.#enqueue(data.day + 1, now() + dayMs)
  }

  #enqueue(day: number, at: number): Promise<void> {
    return this.#services.jobs.enqueue(this.queue, `day ${day}`, { day }, new Date(at))
  }

  async #check(key: TenantKey): Promise<void> {
    const { store, log, now } = this.#services
    const record = await whereReadable(store.installations.get(key))
    if (!record) return
    const tokenState = await this.#testToken(record.botToken)
    if (tokenState === 'unknown') return
    if (tokenState === 'accepted') {
      await this.#refusals.delete(key, 'token')
      return
    }
    const refusal = await this.#refusals.get(key, 'token')
    const isOfThisToken = refusal && refusal.since >= record.installedAt
    if (!isOfThisToken) {
      await this.#refusals.set(key, 'token', { since: now() }, REFUSAL_TTL_MS)
      return
    }
    if (now() - refusal.since < dayMs) return
    // The app may have been installed again since the token was read.
    const latest = await whereReadable(store.installations.get(key))
    if (latest?.botToken !== record.botToken) return
    log.warn({ team: record.teamId, enterprise: record.enterpriseId }, 'Slack has refused a token for a day')
    await this.#deleteInstallation(record)
    await this.#refusals.delete(key, 'token')
  }

  async #testToken(token: string): Promise<'accepted' | 'refused' | 'unknown'> {
    try {
      await this.#services.backgroundWebApi.auth.test({ token })
      return 'accepted'
    } catch (error) {
      return REMOVED_CODES.includes(slackErrorCode(error) ?? '') ? 'refused' : 'unknown'
    }
  }
}
