import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { UndecryptableError } from '../../store/errors.ts'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'
import type { Store } from '../../store/store.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import { type InFlight, once, timedOut, withTimeout } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { SlackUnavailableError, slackFailure } from './web-api.ts'

export interface Installation {
  readonly botToken: string
  /** The person whom it makes an administrator, where it is known who installed it. */
  readonly administrator: string | undefined
  /** Whether the roles that its token is shown make administrators: where they are the workspace's. */
  readonly hasSlackRoles: boolean
  /** Of its bot, of its bot's user and of the app, as far as they are known: a message of one of them is its own. */
  readonly ids: readonly string[]
}

export interface Installations {
  /**
   * The installation that serves a tenant; `undefined` where there is none: there is no fallback token, ever.
   * @throws {SlackUnavailableError | TokenRefusedError | StoreError} where it can't be looked up
   */
  find(tenant: Tenant): Promise<Installation | undefined>
}

const authTest = z.object({
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
  user_id: z.string().optional(),
  bot_id: z.string().optional(),
})

/** One workspace: `SLACK_BOT_TOKEN`. Which workspace it belongs to is asked of Slack once, when it is first needed. */
export function singleInstallation(webApi: WebClient, botToken: string): Installations {
  const findOwner = once(async () => {
    try {
      return authTest.parse(await webApi.auth.test({ token: botToken }))
    } catch (cause) {
      throw slackFailure('auth.test failed', cause)
    }
  })

  return {
    async find({ teamId, enterpriseId }) {
      const {
        is_enterprise_install: isOrganisations,
        enterprise_id,
        team_id,
        user_id,
        bot_id,
      } = await findOwner()
      const isOwn = isOrganisations
        ? enterprise_id !== undefined && enterprise_id === enterpriseId
        : team_id === teamId
      const ids = [user_id, bot_id].filter((id) => id !== undefined)
      // Nobody is known to have installed it. So Slack's roles are all there is to begin with, even a whole organisation's.
      return isOwn ? { botToken, administrator: undefined, hasSlackRoles: true, ids } : undefined
    },
  }
}

/** https://docs.slack.dev/authentication/using-token-rotation: a token lives 12 hours, a refresh token works once. */
const refreshResponse = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
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

/**
 * Those that were made by OAuth; a workspace's own comes before its organisation's. A token that is about to expire is made
 * a new one, once for any number of callers in any process.
 */
export function storedInstallations(services: {
  store: Pick<Store, 'installations' | 'claims'>
  /** The patient one: a refresh token is spent once Slack has it, whether its answer is waited for or not. */
  webApi: WebClient
  inFlight: InFlight
  oauth: { readonly clientId: string; readonly clientSecret: string }
  now: () => EpochMs
}): Installations {
  const { store, webApi, inFlight, oauth, now } = services
  const { installations: records, claims } = store

  async function find({ enterpriseId, teamId }: Tenant): Promise<Installation | undefined> {
    const keys = [
      ...(teamId === '' ? [] : [installationKey({ teamId })]),
      ...(enterpriseId === undefined ? [] : [installationKey({ enterpriseId })]),
    ]
    for (const key of keys) {
      const record = await read(key)
      if (record === 'unreadable') return undefined
      const fresh = record && (await freshen(key, record))
      if (!fresh) continue
      const { botToken, administrator = fresh.installer } = fresh
      const hasSlackRoles = fresh.teamId !== undefined
      const ids = [fresh.botUserId, fresh.appId].filter((id) => id !== undefined)
      return { botToken, administrator: administrator || undefined, hasSlackRoles, ids }
    }
    return undefined
  }

  /** One that can't be read serves nobody until it is made anew, and no other one's token stands in for it. */
  async function read(key: TenantKey): Promise<InstallationRecord | 'unreadable' | undefined> {
    try {
      return await records.get(key)
    } catch (error) {
      if (error instanceof UndecryptableError) return 'unreadable'
      throw error
    }
  }

  /**
   * The installation with a token that is good for a while: from two hours before it expires one caller makes it a new
   * one, and the others go on with the old one; so does that one where Slack takes its time. `undefined`: it was deleted
   * meanwhile.
   * @throws {SlackUnavailableError | TokenRefusedError} where there is none that is good
   */
  async function freshen(
    key: TenantKey,
    record: InstallationRecord,
  ): Promise<InstallationRecord | undefined> {
    const { expiresAt, refreshToken } = record
    if (expiresAt === undefined || refreshToken === undefined) return record
    if (expiresAt - now() > refreshBeforeMs) return record
    const isGood = expiresAt > now()
    // `/T…/…`: it is deleted with everything else of the workspace.
    const claim = `${key.slice(key.indexOf('/'))}/${expiresAt}`
    if (!(await claims.claim(scope, claim, claimTtlMs)))
      return isGood ? record : renewedByAnother(key, record)
    // Read again under the claim: another caller may have been done in between, and a refresh token dies with its use.
    const current = await records.get(key)
    if (current?.botToken !== record.botToken) return current
    const refreshing = refresh(key, refreshToken).catch(async (cause: unknown) => {
      await claims.release(scope, claim)
      throw slackFailure('the token could not be refreshed', cause)
    })
    inFlight.add(refreshing.catch(() => {}))
    if (!isGood) return refreshing
    const renewed = await withTimeout(refreshing, goOnAfterMs).catch(() => record)
    return renewed === timedOut ? record : renewed
  }

  async function refresh(key: TenantKey, spent: string): Promise<InstallationRecord | undefined> {
    const response = await webApi.oauth.v2.access({
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
      grant_type: 'refresh_token',
      refresh_token: spent,
    })
    const {
      access_token: botToken,
      refresh_token: refreshToken,
      expires_in,
    } = refreshResponse.parse(response)
    const expiresAt = now() + expires_in * 1000
    // The refresh token is spent: where the new one is not kept, the installation is lost.
    for (let left = writeTries; ; left -= 1) {
      try {
        const changed = await records.change(key, (current) =>
          // Not where it was installed anew while Slack answered; one that was deleted stays so.
          current.refreshToken === spent ? { ...current, botToken, refreshToken, expiresAt } : undefined,
        )
        return changed ?? (await records.get(key))
      } catch (error) {
        if (left <= 1) throw error
        await sleep(writeAgainMs)
      }
    }
  }

  async function renewedByAnother(key: TenantKey, old: InstallationRecord): Promise<InstallationRecord> {
    for (const start = performance.now(); performance.now() - start < waitMs; await sleep(50)) {
      const record = await records.get(key)
      if (record && record.botToken !== old.botToken) return record
    }
    throw new SlackUnavailableError('Slack: the token has expired, and no new one came in time')
  }

  return { find }
}
