import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Claims } from '../../store/claims.ts'
import type { InstallationRecord } from '../../store/installations.ts'
import type { Records } from '../../store/records.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { SlackUnavailableError } from '../blocks/errors.ts'
import { slackFailure } from './web-api.ts'

/** https://docs.slack.dev/authentication/using-token-rotation: a token lives 12 hours, a refresh token works once. */
const answer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Seconds. */
  expires_in: z.number(),
})

const refreshBeforeMs = 2 * 60 * 60_000
const claimedForMs = 15_000
const waitMs = 2000
const keepTries = 20
const keepAgainMs = 500
const scope = 'token-refresh'

export interface RotationDeps {
  readonly records: Records<InstallationRecord>
  readonly claims: Claims
  readonly webApi: WebClient
  readonly clientId: string
  readonly clientSecret: string
  /** Epoch ms. */
  readonly now: () => number
}

/**
 * The installation with a token that is good for a while: two hours before it expires, one of any number of callers in
 * any process makes it a new one, and the others go on with the old one.
 * @throws {SlackUnavailableError} where there is none that is good
 */
export function createRotation(deps: RotationDeps) {
  const { records, claims, webApi, now } = deps

  async function refresh(key: TenantKey, record: InstallationRecord): Promise<InstallationRecord> {
    const given = await webApi.oauth.v2.access({
      client_id: deps.clientId,
      client_secret: deps.clientSecret,
      grant_type: 'refresh_token',
      refresh_token: record.refreshToken ?? '',
    })
    const { access_token: botToken, refresh_token: refreshToken, expires_in } = answer.parse(given)
    const renewed = { ...record, botToken, refreshToken, expiresAt: now() + expires_in * 1000 }
    await untilKept(() => records.set(renewed, key))
    return renewed
  }

  /** The refresh token is spent: where the new one is not kept, the installation is lost. */
  async function untilKept(keep: () => Promise<void>): Promise<void> {
    for (let left = keepTries; ; left -= 1) {
      try {
        return await keep()
      } catch (error) {
        if (left <= 1) throw error
        await sleep(keepAgainMs)
      }
    }
  }

  /** What another caller makes of it, as long as one may wait. */
  async function renewedByAnother(key: TenantKey, old: InstallationRecord): Promise<InstallationRecord> {
    for (const start = performance.now(); performance.now() - start < waitMs; await sleep(50)) {
      const record = await records.get(key)
      if (record && record.botToken !== old.botToken) return record
    }
    throw new SlackUnavailableError('the token has expired, and no new one came in time')
  }

  return async (key: TenantKey, record: InstallationRecord): Promise<InstallationRecord> => {
    const { expiresAt, refreshToken } = record
    if (expiresAt === undefined || refreshToken === undefined) return record
    if (expiresAt - now() > refreshBeforeMs) return record
    const isGood = expiresAt > now()
    const claim = `${key}/${expiresAt}`
    if (!(await claims.claim(scope, claim, claimedForMs))) {
      return isGood ? record : renewedByAnother(key, record)
    }
    // Read again under the claim: another caller may have been done in between, and a refresh token dies with its use.
    const current = (await records.get(key)) ?? record
    if (current.botToken !== record.botToken) return current
    try {
      return await refresh(key, current)
    } catch (cause) {
      await claims.release(scope, claim)
      if (isGood) return record
      throw slackFailure('the token could not be refreshed', cause)
    }
  }
}
