import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { scopedKey, type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import { type Cache, createCache, deleteByPrefix } from '../../util/cache.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'
import type { Installation } from '../api/installations.ts'
import { slackErrorCode, slackFailure } from '../api/web-api.ts'

export interface Person {
  readonly id: string
  /** Display name. Not escaped. */
  readonly name: string
  readonly isMember: boolean
  /** Administers Callboard. `People` only knows who is an admin or owner of the workspace. */
  readonly isAdmin: boolean
  readonly zone: string | undefined
}

/** @see https://docs.slack.dev/reference/objects/user-object */
const userInfoSchema = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: z.boolean().default(false),
    is_bot: z.boolean().default(false),
    is_restricted: z.boolean().default(false),
    is_ultra_restricted: z.boolean().default(false),
    is_stranger: z.boolean().default(false),
    is_admin: z.boolean().default(false),
    is_owner: z.boolean().default(false),
    is_primary_owner: z.boolean().default(false),
    tz: z.string().optional(),
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).default({}),
    enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).optional(),
  }),
})

/**
 * Ignores the roles that an organization's token returns: they are the organization's, and `users.info` has no argument that
 * asks for a workspace's (https://github.com/slackapi/bolt-js/issues/1566). `admin.teams.admins.list` needs an organization
 * admin's own token.
 */
function toPerson({ user }: z.infer<typeof userInfoSchema>, tenant: Tenant, hasSlackRoles: boolean): Person {
  // On Enterprise, `team_id` may be an organization's id (E…), which is never a workspace's.
  const belongs =
    user.team_id === tenant.teamId || (user.enterprise_user?.teams.includes(tenant.teamId) ?? false)
  const isGuest = user.is_restricted || user.is_ultra_restricted || user.is_stranger
  const isMember = belongs && !isGuest && !user.deleted && !user.is_bot
  const isAdmin = hasSlackRoles && isMember && (user.is_admin || user.is_owner || user.is_primary_owner)
  const { display_name, real_name } = user.profile
  const name = display_name || real_name || user.real_name || user.name || user.id
  return { id: user.id, name, isMember, isAdmin, zone: user.tz }
}

const notFoundCodes = ['user_not_found', 'user_not_visible', 'users_not_found']
export const LOOKUP_CONCURRENCY = 5

export class People {
  readonly #webApi: WebClient
  readonly #cache: Cache<Person>

  /** @param options.cacheSource shares its cache */
  constructor(options: { webApi: WebClient; now: () => EpochMs; cacheSource?: People }) {
    this.#webApi = options.webApi
    this.#cache = options.cacheSource
      ? options.cacheSource.#cache
      : createCache({ max: 10_000, ttlMs: minuteMs, now: options.now })
  }

  /**
   * Finds a person in the tenant's workspace; cached for a minute. An unknown person is no member.
   * @throws {SlackUnavailableError | TokenRefusedError} if Slack doesn't respond
   */
  async find(
    { botToken, hasSlackRoles }: Installation,
    team: Tenant,
    userId: string,
    { afresh = false } = {},
  ): Promise<Person> {
    const key = scopedKey(tenantKey(team), userId)
    const remembered = afresh ? undefined : this.#cache.get(key)
    if (remembered) return remembered
    try {
      const response = await this.#webApi.users.info({ token: botToken, user: userId })
      const person = toPerson(userInfoSchema.parse(response), team, hasSlackRoles)
      this.#cache.set(key, person)
      return person
    } catch (cause) {
      if (notFoundCodes.includes(slackErrorCode(cause) ?? '')) {
        this.#cache.delete(key)
        return { id: userId, name: userId, isMember: false, isAdmin: false, zone: undefined }
      }
      throw slackFailure('users.info failed', cause)
    }
  }

  forget(tenant: TenantKey): void {
    deleteByPrefix(this.#cache, `${tenant}/`)
  }
}
