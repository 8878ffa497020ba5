import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Claims } from '../../store/claims.ts'
import type { InstallationRecord } from '../../store/installations.ts'
import type { Repository } from '../../store/repository.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { InFlight } from '../../util/in-flight.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'
import { SlackUnavailableError, slackFailure } from './web-api.ts'

/** https://docs.slack.dev/authentication/using-token-rotation: a token lives 12 hours, a refresh token works once. */
const refreshResponse = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Seconds. */
  expires_in: z.number(),
})

const refreshBeforeMs: Milliseconds = 2 * 60 * 60_000
/** Longer than the call and all the tries to write what it brought. */
const claimTtlMs: Milliseconds = 30_000
/** While the token is good: nobody loses a `trigger_id` over a new one. */
const goOnAfterMs: Milliseconds = 500
const waitMs: Milliseconds = 2000
const writeTries = 20
const writeAgainMs: Milliseconds = 500
const scope = 'token-refresh'

/** Makes a token that is about to expire a new one, once for any number of callers in any process. */
export class TokenRotation {
  readonly #services

  constructor(services: {
    records: Repository<InstallationRecord>
    claims: Claims
    /** The patient one: a refresh token is spent once Slack has it, whether its answer is waited for or not. */
    webApi: WebClient
    /** What has to be finished before the process ends. */
    underWay: InFlight
    oauth: { readonly clientId: string; readonly clientSecret: string }
    now: () => EpochMs
  }) {
    this.#services = services
  }

  /**
   * The installation with a token that is good for a while: from two hours before it expires one caller makes it a new
   * one, and the others go on with the old one; so does that one where Slack takes its time. `undefined`: it was deleted
   * meanwhile.
   * @throws {SlackUnavailableError | TokenRefusedError} where there is none that is good
   */
  async freshen(key: TenantKey, record: InstallationRecord): Promise<InstallationRecord | undefined> {
    const { expiresAt, refreshToken } = record
    if (expiresAt === undefined || refreshToken === undefined) return record
    if (expiresAt - this.#services.now() > refreshBeforeMs) return record
    const isGood = expiresAt > this.#services.now()
    // `/T…/…`: it is deleted with everything else of the workspace.
    const claim = `${key.slice(key.indexOf('/'))}/${expiresAt}`
    if (!(await this.#services.claims.claim(scope, claim, claimTtlMs))) {
      return isGood ? record : this.#renewedByAnother(key, record)
    }
    // Read again under the claim: another caller may have been done in between, and a refresh token dies with its use.
    const current = await this.#services.records.get(key)
    if (current?.botToken !== record.botToken) return current
    const refreshing = this.#refresh(key, current, claim)
    this.#services.underWay.add(refreshing.catch(() => {}))
    if (!isGood) return refreshing
    const renewed = await withTimeout(refreshing, goOnAfterMs).catch(() => record)
    return renewed === timedOut ? record : renewed
  }

  async #refresh(
    key: TenantKey,
    record: InstallationRecord,
    claim: string,
  ): Promise<InstallationRecord | undefined> {
    try {
      return await this.#renew(key, record)
    } catch (cause) {
      await this.#services.claims.release(scope, claim)
      throw slackFailure('the token could not be refreshed', cause)
    }
  }

  async #renew(key: TenantKey, record: InstallationRecord): Promise<InstallationRecord | undefined> {
    const { webApi, oauth, now } = this.#services
    const response = await webApi.oauth.v2.access({
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
      grant_type: 'refresh_token',
      refresh_token: record.refreshToken ?? '',
    })
    const {
      access_token: botToken,
      refresh_token: refreshToken,
      expires_in,
    } = refreshResponse.parse(response)
    const expiresAt = now() + expires_in * 1000
    return this.#write(key, (current) =>
      // Not where it was installed anew while Slack answered.
      current.refreshToken === record.refreshToken
        ? { ...current, botToken, refreshToken, expiresAt }
        : undefined,
    )
  }

  /** The refresh token is spent: where the new one is not kept, the installation is lost. One that was deleted stays so. */
  async #write(
    key: TenantKey,
    change: (current: InstallationRecord) => InstallationRecord | undefined,
  ): Promise<InstallationRecord | undefined> {
    for (let left = writeTries; ; left -= 1) {
      try {
        return await this.#services.records.change(key, change)
      } catch (error) {
        if (left <= 1) throw error
        await sleep(writeAgainMs)
      }
    }
  }

  /** What another caller makes of it, as long as one may wait. */
  async #renewedByAnother(key: TenantKey, old: InstallationRecord): Promise<InstallationRecord> {
    for (const start = performance.now(); performance.now() - start < waitMs; await sleep(50)) {
      const record = await this.#services.records.get(key)
      if (record && record.botToken !== old.botToken) return record
    }
    throw new SlackUnavailableError('Slack: the token has expired, and no new one came in time')
  }
}
