import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { scopedKey, type TenantKey, tenantKey, type Workspace } from '../../store/tenant.ts'
import { type Cache, createCache, deleteByPrefix } from '../../util/cache.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'
import { findSlackCode, toSlackFailure } from '../api/slack-failure.ts'
import { flag, objectOrEmptyList } from '../api/slack-json.ts'
import type { Installation } from './installations.ts'

export interface Person {
  readonly id: string
  /** Display name. Not escaped. */
  readonly name: string
  readonly isMember: boolean
  /** Administers Callboard. `People` sets it for admins and owners of the workspace, `Guards` for others. */
  readonly isAdmin: boolean
  readonly zone: string | undefined
}

const profileSchema = z.object({ display_name: z.string().optional(), real_name: z.string().optional() })
const enterpriseUserSchema = z.object({ teams: z.array(z.string()).default([]) })

/** @see https://docs.slack.dev/reference/objects/user-object */
const userInfoSchema = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: flag,
    is_bot: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    is_stranger: flag,
    is_admin: flag,
    is_owner: flag,
    is_primary_owner: flag,
    tz: z.string().optional(),
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: objectOrEmptyList(profileSchema).default({}),
    enterprise_user: objectOrEmptyList(enterpriseUserSchema).optional(),
  }),
})

type User = z.infer<typeof userInfoSchema>['user']

/**
 * Ignores the roles that an organization's token returns: they are the organization's, and nothing returns a workspace's
 * (https://github.com/slackapi/bolt-js/issues/1566).
 */
function toPerson(user: User, { teamId }: Workspace, hasSlackRoles: boolean): Person {
  // On Enterprise, `team_id` may be the organization's id (E…).
  const isFromWorkspace = user.team_id === teamId || (user.enterprise_user?.teams.includes(teamId) ?? false)
  const isGuest = user.is_restricted || user.is_ultra_restricted || user.is_stranger
  const isMember = isFromWorkspace && !isGuest && !user.deleted && !user.is_bot
  const isAdmin = hasSlackRoles && isMember && (user.is_admin || user.is_owner || user.is_primary_owner)
  const { display_name, real_name } = user.profile
  const name = display_name || real_name || user.real_name || user.name || user.id
  return { id: user.id, name, isMember, isAdmin, zone: user.tz }
}

const NOT_FOUND_CODES = ['user_not_found', 'user_not_visible', 'users_not_found']

export const createPersonCache = (now: () => EpochMs): Cache<Person> =>
  createCache({ max: 10_000, ttlMs: minuteMs, now })

export class People {
  readonly #webApi
  readonly #cache

  constructor(webApi: WebClient, cache: Cache<Person>) {
    this.#webApi = webApi
    this.#cache = cache
  }

  /** Cached for a minute. An unknown person is no member. */
  async find(
    { botToken, hasSlackRoles }: Installation,
    workspace: Workspace,
    userId: string,
    { afresh = false } = {},
  ): Promise<Person> {
    const key = scopedKey(tenantKey(workspace), userId)
    const cached = afresh ? undefined : this.#cache.get(key)
    if (cached) return cached
    try {
      const response = await this.#webApi.users.info({ token: botToken, user: userId })
      const person = toPerson(userInfoSchema.parse(response).user, workspace, hasSlackRoles)
      this.#cache.set(key, person)
      return person
    } catch (cause) {
      const isUnknown = NOT_FOUND_CODES.includes(findSlackCode(cause) ?? '')
      if (!isUnknown) throw toSlackFailure('users.info', cause)
      this.#cache.delete(key)
      return { id: userId, name: userId, isMember: false, isAdmin: false, zone: undefined }
    }
  }

  forget(tenant: TenantKey): void {
    deleteByPrefix(this.#cache, scopedKey(tenant, ''))
  }
}
