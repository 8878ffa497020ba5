import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import { UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import { scopedKey, type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import { type AccessRecord, type Area, areas } from '../../store/workspaces.ts'
import { type Cache, createCache, deleteByPrefix } from '../../util/cache.ts'
import { type EpochMs, hourMs, minuteMs } from '../../util/units.ts'
import { flag, slackErrorCode, slackFailure } from '../api/web-api.ts'
import type { Installation, Installations } from './workspaces.ts'

export interface Actor {
  readonly person: Person
  readonly team: Tenant
  readonly tenant: TenantKey
  readonly installation: Installation
}

/** `anyone` admits guests, so its routes show nothing of the account. */
export type Needs = 'member' | 'admin' | 'anyone' | 'export' | Area

/** Roles aren't read from the cache for these, so that losing one takes effect at once. */
const FRESH_ROLE_NEEDS: readonly Needs[] = ['admin', 'anyone', 'billing']

export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'
}

export interface Managers {
  /** True if the admins and owners of the workspace are administrators, too. */
  readonly hasSlackRoles: boolean
  /** Ids of the installer and the named administrators. */
  readonly people: readonly string[]
}

export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  readonly needs
  readonly managers

  constructor(needs: Exclude<Needs, 'anyone'>, managers?: Managers) {
    super(`needs ${needs}`)
    this.needs = needs
    this.managers = managers
  }
}

/** @param administrators people named by other administrators */
export function listManagers(
  { administrator, hasSlackRoles }: Installation,
  administrators: readonly string[],
): Managers {
  const people = new Set(administrator === undefined ? administrators : [administrator, ...administrators])
  return { hasSlackRoles, people: [...people] }
}

function defaultRules(who: 'everyone' | 'admins'): AccessRecord {
  const rule = { who, people: [] }
  return { calls: rule, recordings: rule, agents: rule, billing: rule, exports: who, administrators: [] }
}

const isArea = (needs: string): needs is Area => areas.some((area) => area === needs)

/** @param person with `isAdmin` also set for administrators that the rules name */
export const areasFor = (rules: AccessRecord, person: Person): readonly Area[] =>
  areas.filter((area) => {
    const { who, people } = rules[area]
    return person.isAdmin || who === 'everyone' || (who === 'people' && people.includes(person.id))
  })

export class Guards {
  readonly #services
  readonly #organizations: Cache<string>

  constructor(services: {
    store: Pick<Store, 'access' | 'credentials' | 'noteOrganization' | 'on'>
    installations: Installations
    people: People
    log: Pick<Log, 'warn'>
    now: () => EpochMs
  }) {
    this.#services = services
    this.#organizations = createCache({ max: 20_000, ttlMs: hourMs, now: services.now })
    services.store.on('tenant-deleted', (tenant) => this.#organizations.delete(tenant))
  }

  async installation(team: Tenant): Promise<Installation> {
    const installation = team.teamId === '' ? undefined : await this.#services.installations.find(team)
    if (!installation) throw new NotInstalledError('no installation for this workspace')
    return installation
  }

  /** Without a record, only billing is restricted; an unreadable record restricts everything. @throws {StoreError} */
  async rules(tenant: TenantKey): Promise<AccessRecord> {
    // Concurrent reads reach PostgreSQL as one query.
    const { store } = this.#services
    const [rules, credentials] = await Promise.all([
      store.access.get(tenant).catch((error: unknown) => {
        if (error instanceof UnreadableRecordError) return defaultRules('admins')
        throw error
      }),
      whereReadable(store.credentials.get(tenant)),
    ])
    if (rules) return rules
    const connectedBy = credentials?.connectedBy
    const people = connectedBy === undefined ? [] : [connectedBy]
    return {
      ...defaultRules('everyone'),
      billing: { who: connectedBy === undefined ? 'admins' : 'people', people },
    }
  }

  async areas({ tenant, person }: Pick<Actor, 'tenant' | 'person'>): Promise<readonly Area[]> {
    return areasFor(await this.rules(tenant), person)
  }

  /** Guests, strangers and people of another workspace get no account data anywhere. */
  async admit(
    team: Tenant,
    userId: string,
    needs: Needs,
    { afresh = FRESH_ROLE_NEEDS.includes(needs) } = {},
  ): Promise<Actor> {
    const installation = await this.installation(team)
    const tenant = tenantKey(team)
    const user = await this.#services.people.find(installation, team, userId, { afresh })
    if (needs !== 'anyone' && !user.isMember) throw new NotAllowedError('member')
    // No rule restricts admins and owners of the workspace.
    const rules = user.isMember && !user.isAdmin ? await this.rules(tenant) : undefined
    const managers = listManagers(installation, rules?.administrators ?? [])
    const isAdmin = user.isAdmin || (user.isMember && managers.people.includes(user.id))
    const person = { ...user, isAdmin }
    if (needs === 'admin' && !isAdmin) throw new NotAllowedError('admin', managers)
    const area = needs === 'export' ? 'calls' : needs
    if (rules && isArea(area) && !areasFor(rules, person).includes(area))
      throw new NotAllowedError(area, managers)
    if (needs === 'export' && rules && !isAdmin && rules.exports !== 'everyone')
      throw new NotAllowedError('export', managers)
    this.#noteOrganization(team, tenant)
    return { person, team, tenant, installation }
  }

  /** @throws what `admit` throws, except NotAllowedError */
  async may({ team, person }: Actor, needs: Needs): Promise<boolean> {
    try {
      await this.admit(team, person.id, needs)
      return true
    } catch (error) {
      if (error instanceof NotAllowedError) return false
      throw error
    }
  }

  /** Only payloads name a workspace's organization. Runs in the background. */
  #noteOrganization(team: Tenant, tenant: TenantKey): void {
    const { enterpriseId } = team
    if (enterpriseId === undefined || this.#organizations.get(tenant) === enterpriseId) return
    this.#organizations.set(tenant, enterpriseId)
    this.#services.store.noteOrganization(team, enterpriseId).catch((error: unknown) => {
      this.#organizations.delete(tenant)
      this.#services.log.warn({ err: error }, 'the organization of a workspace was not stored')
    })
  }
}

export interface Person {
  readonly id: string
  /** Display name. Not escaped. */
  readonly name: string
  readonly isMember: boolean
  /** Administers Callboard; `People` only knows the workspace's admins and owners. */
  readonly isAdmin: boolean
  readonly zone: string | undefined
}

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
    profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).default({}),
    enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).optional(),
  }),
})

/**
 * Ignores the roles that an organization's token returns: they are the organization's, and nothing returns a workspace's
 * (https://github.com/slackapi/bolt-js/issues/1566).
 */
function toPerson({ user }: z.infer<typeof userInfoSchema>, tenant: Tenant, hasSlackRoles: boolean): Person {
  // On Enterprise, `team_id` may be the organization's id (E…).
  const belongs =
    user.team_id === tenant.teamId || (user.enterprise_user?.teams.includes(tenant.teamId) ?? false)
  const isGuest = user.is_restricted || user.is_ultra_restricted || user.is_stranger
  const isMember = belongs && !isGuest && !user.deleted && !user.is_bot
  const isAdmin = hasSlackRoles && isMember && (user.is_admin || user.is_owner || user.is_primary_owner)
  const { display_name, real_name } = user.profile
  const name = display_name || real_name || user.real_name || user.name || user.id
  return { id: user.id, name, isMember, isAdmin, zone: user.tz }
}

const NOT_FOUND_CODES = ['user_not_found', 'user_not_visible', 'users_not_found']
export const LOOKUP_CONCURRENCY = 5

export class People {
  readonly #webApi: WebClient
  readonly #cache: Cache<Person>

  constructor(options: { webApi: WebClient; now: () => EpochMs; cacheSource?: People }) {
    this.#webApi = options.webApi
    this.#cache = options.cacheSource
      ? options.cacheSource.#cache
      : createCache({ max: 10_000, ttlMs: minuteMs, now: options.now })
  }

  /** Cached for a minute. An unknown person is no member. */
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
      if (NOT_FOUND_CODES.includes(slackErrorCode(cause) ?? '')) {
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
