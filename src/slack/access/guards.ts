import type { Log } from '../../log.ts'
import { UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import { type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import { type AccessRecord, type AccessRule, type Area, areas } from '../../store/workspaces.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Installation, Installations } from '../api/installations.ts'
import { type Managers, NotAllowedError, NotInstalledError } from './errors.ts'
import type { People, Person } from './people.ts'

export interface Actor {
  readonly person: Person
  /** The workspace's ids in Slack. */
  readonly team: Tenant
  /** Key of the workspace's records. */
  readonly tenant: TenantKey
  readonly installation: Installation
}

/**
 * Permission that a route requires. An area includes `member`, and `export` includes `calls`. `anyone` admits guests, too: the
 * route shows them nothing of the account.
 */
export type Needs = 'member' | 'admin' | 'anyone' | 'export' | Area

/** Needs for which the person's role isn't taken from the cache, so that losing it has an effect at once. */
const FRESH_ROLE_NEEDS: readonly Needs[] = ['admin', 'anyone', 'billing']

/** Lists the administrators: the installer, the people named by administrators, and those whom Slack's roles make one. */
export function listManagers(
  { administrator, hasSlackRoles }: Installation,
  administrators: readonly string[],
): Managers {
  const people = new Set(administrator === undefined ? administrators : [administrator, ...administrators])
  return { hasSlackRoles, people: [...people] }
}

const ADMINS_ONLY: AccessRule = { who: 'admins', people: [] }

/** Rules of a workspace whose record can't be read: only its installer and Slack's admins and owners have access. */
const RESTRICTED: AccessRecord = {
  calls: ADMINS_ONLY,
  recordings: ADMINS_ONLY,
  agents: ADMINS_ONLY,
  billing: ADMINS_ONLY,
  exports: 'admins',
  administrators: [],
}

const EVERYONE: AccessRule = { who: 'everyone', people: [] }

/** Rules of a workspace without a record. */
const OPEN: Omit<AccessRecord, 'billing'> = {
  calls: EVERYONE,
  recordings: EVERYONE,
  agents: EVERYONE,
  exports: 'everyone',
  administrators: [],
}

const isArea = (needs: string): needs is Area => areas.some((area) => area === needs)

/** Lists the areas that the rules open to a person. @param person after `isAdmin` was completed by the rules */
export const areasFor = (rules: AccessRecord, person: Person): readonly Area[] =>
  areas.filter((area) => {
    const { who, people } = rules[area]
    return person.isAdmin || who === 'everyone' || (who === 'people' && people.includes(person.id))
  })

/** Authorizes people by their role in Slack and by the workspace's access rules. */
export class Guards {
  readonly #services
  /** Organization of each tenant that was stored within the last hour. */
  readonly #organizations: Cache<string>

  constructor(services: {
    store: Pick<Store, 'access' | 'credentials' | 'noteOrganization' | 'on'>
    installations: Installations
    people: People
    log: Pick<Log, 'warn'>
    now: () => EpochMs
  }) {
    this.#services = services
    this.#organizations = createCache({ max: 20_000, ttlMs: 60 * 60_000, now: services.now })
    services.store.on('tenant-deleted', (tenant) => this.#organizations.delete(tenant))
  }

  /** @throws {NotInstalledError | SlackUnavailableError | TokenRefusedError | StoreError} */
  async installation(team: Tenant): Promise<Installation> {
    const installation = team.teamId === '' ? undefined : await this.#services.installations.find(team)
    if (!installation) throw new NotInstalledError('no installation for this workspace')
    return installation
  }

  /**
   * Returns the access rules of a workspace. Without a record: calls, recordings and agents for everyone, billing for admins
   * and the person who connected. Fails closed: a record that can't be read restricts everything. @throws {StoreError}
   */
  async rules(tenant: TenantKey): Promise<AccessRecord> {
    // At the same time, because PostgreSQL then gets one query.
    const { store } = this.#services
    const [rules, credentials] = await Promise.all([
      store.access.get(tenant).catch((error: unknown) => {
        if (error instanceof UnreadableRecordError) return RESTRICTED
        throw error
      }),
      whereReadable(store.credentials.get(tenant)),
    ])
    if (rules) return rules
    const connectedBy = credentials?.connectedBy
    const billing: AccessRule =
      connectedBy === undefined ? ADMINS_ONLY : { who: 'people', people: [connectedBy] }
    return { ...OPEN, billing }
  }

  async areas({ tenant, person }: Pick<Actor, 'tenant' | 'person'>): Promise<readonly Area[]> {
    return areasFor(await this.rules(tenant), person)
  }

  /**
   * Admits a person, or throws. Guests, strangers and people of another workspace get no account data anywhere.
   * @throws {NotInstalledError | NotAllowedError | SlackUnavailableError | TokenRefusedError | StoreError}
   */
  async admit(
    team: Tenant,
    userId: string,
    needs: Needs,
    { afresh = FRESH_ROLE_NEEDS.includes(needs) } = {},
  ): Promise<Actor> {
    const installation = await this.installation(team)
    const tenant = tenantKey(team)
    const found = await this.#services.people.find(installation, team, userId, { afresh })
    if (needs !== 'anyone' && !found.isMember) throw new NotAllowedError('member')
    // No rule restricts admins and owners of the workspace.
    const rules = found.isMember && !found.isAdmin ? await this.rules(tenant) : undefined
    const managers = listManagers(installation, rules?.administrators ?? [])
    const isAdmin = found.isAdmin || (found.isMember && managers.people.includes(found.id))
    const person = { ...found, isAdmin }
    if (needs === 'admin' && !isAdmin) throw new NotAllowedError('admin', managers)
    const area = needs === 'export' ? 'calls' : needs
    if (rules && isArea(area) && !areasFor(rules, person).includes(area))
      throw new NotAllowedError(area, managers)
    if (needs === 'export' && rules && !isAdmin && rules.exports !== 'everyone')
      throw new NotAllowedError('export', managers)
    this.#noteOrganization(team, tenant)
    return { person, team, tenant, installation }
  }

  /** Returns whether an admitted person has another permission, too. @throws what `admit` throws, except NotAllowedError */
  async may({ team, person }: Actor, needs: Needs): Promise<boolean> {
    try {
      await this.admit(team, person.id, needs)
      return true
    } catch (error) {
      if (error instanceof NotAllowedError) return false
      throw error
    }
  }

  /** Stores the organization of a workspace, which only payloads name. Runs in the background. */
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
