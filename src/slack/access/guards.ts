import type { Log } from '../../log.ts'
import { isUnreadable, UnreadableRecordError, whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import { type TenantKey, tenantKey, type Workspace } from '../../store/tenant.ts'
import type { AccessRecord } from '../../store/workspaces.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import { defaultRules, findRefusal, listManagers, type Needs } from './access-rules.ts'
import type { Installation, Installations } from './installations.ts'
import type { People, Person } from './people.ts'

export interface Actor {
  readonly person: Person
  readonly workspace: Workspace
  readonly tenant: TenantKey
  readonly installation: Installation
}

type Scope = Omit<Actor, 'person'>

/** By default, roles are read afresh for these: losing one takes effect at once. Home needs `anyone`, and shows roles. */
const FRESH_ROLE_NEEDS: readonly Needs[] = ['admin', 'anyone', 'billing']

export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'
}

export class Guards {
  readonly #services
  /** Ids that were stored within the hour, by tenant. */
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

  async getInstallation(workspace: Workspace): Promise<Installation> {
    const { installations } = this.#services
    try {
      // An event of a whole organization has no team.
      const installation = workspace.teamId === '' ? undefined : await installations.find(workspace)
      if (installation) return installation
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause
      throw new NotInstalledError('the installation of this workspace is unreadable', { cause })
    }
    throw new NotInstalledError('no installation for this workspace')
  }

  /** Without a record, billing is for who connected the account, if known; an unreadable one restricts all. @throws {StoreError} */
  async getRules(tenant: TenantKey): Promise<AccessRecord> {
    const { store } = this.#services
    try {
      const rules = await store.access.get(tenant)
      if (rules) return rules
    } catch (error) {
      if (error instanceof UnreadableRecordError) return defaultRules('admins')
      throw error
    }
    const credentials = await whereReadable(store.credentials.get(tenant))
    if (!credentials) return { ...defaultRules('everyone'), billing: { who: 'admins', people: [] } }
    return { ...defaultRules('everyone'), billing: { who: 'people', people: [credentials.connectedBy] } }
  }

  /** Returns the actor if they may do this. @throws {NotAllowedError | NotInstalledError | StoreError | SlackFailure} */
  async admit(
    workspace: Workspace,
    userId: string,
    needs: Needs,
    { afresh }: { readonly afresh?: boolean } = {},
  ): Promise<Actor> {
    const installation = await this.getInstallation(workspace)
    const scope = { workspace, tenant: tenantKey(workspace), installation }
    const { person, refusal } = await this.#judge(scope, userId, needs, afresh)
    if (refusal) throw refusal
    this.#noteOrganization(scope)
    return { person, ...scope }
  }

  /** Whether a person who was admitted for something else may do this, too. @throws {StoreError | SlackFailure} */
  async may(actor: Actor, needs: Needs): Promise<boolean> {
    const { refusal } = await this.#judge(actor, actor.person.id, needs)
    return refusal === undefined
  }

  /** Returns the person with `isAdmin` also set for the installation's administrator and those that the rules name. */
  async #judge(scope: Scope, userId: string, needs: Needs, afresh = FRESH_ROLE_NEEDS.includes(needs)) {
    const { workspace, tenant, installation } = scope
    const user = await this.#services.people.find(installation, workspace, userId, { afresh })
    // No rule restricts admins and owners of the workspace, and none admits guests or strangers.
    const rules = user.isMember && !user.isAdmin ? await this.getRules(tenant) : undefined
    const managers = listManagers(installation, rules?.administrators ?? [])
    const isAdmin = user.isAdmin || (user.isMember && managers.people.includes(user.id))
    const person = { ...user, isAdmin }
    return { person, refusal: findRefusal(needs, person, rules, managers) }
  }

  /** Stores the organization in the background, at most once an hour: only payloads name it. */
  #noteOrganization({ workspace, tenant }: Scope): void {
    const { enterpriseId } = workspace
    if (enterpriseId === undefined || this.#organizations.get(tenant) === enterpriseId) return
    this.#organizations.set(tenant, enterpriseId)
    this.#services.store.noteOrganization(workspace, enterpriseId).catch((error: unknown) => {
      this.#organizations.delete(tenant)
      this.#services.log.warn({ err: error }, 'the organization of a workspace was not stored')
    })
  }
}
