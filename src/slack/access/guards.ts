import { type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import type { Installation, Installations } from '../api/installations.ts'
import { type AccessRules, isArea } from './access-rules.ts'
import { type Managers, NotAllowedError, NotInstalledError } from './errors.ts'
import type { People, Person } from './people.ts'

/** A person who was let in, and the workspace where. */
export interface Actor {
  readonly person: Person
  readonly team: Tenant
  /** What everything of the workspace is kept under. */
  readonly tenant: TenantKey
  readonly installation: Installation
}

/** A member, who manages Callboard, anyone (whose role decides what there is to see), or whom the workspace lets see an area. */
export type Needs = 'member' | 'admin' | 'anyone' | Area

/** Where a role that was taken away must count at once, Slack is asked afresh. */
const afreshFor: readonly Needs[] = ['admin', 'anyone', 'billing']

export class Guards {
  readonly #services

  constructor(services: { installations: Installations; people: People; accessRules: AccessRules }) {
    this.#services = services
  }

  /** @throws {NotInstalledError | SlackUnavailableError | TokenRefusedError | StoreError} */
  async installation(team: Tenant): Promise<Installation> {
    const installation = team.teamId === '' ? undefined : await this.#services.installations.find(team)
    if (!installation) throw new NotInstalledError('no installation for this workspace')
    return installation
  }

  /**
   * Lets a person in, or throws. Guests, strangers and people of another workspace get no account data anywhere.
   * @throws {NotInstalledError | NotAllowedError | SlackUnavailableError | TokenRefusedError | StoreError}
   */
  async admit(team: Tenant, userId: string, needs: Needs): Promise<Actor> {
    const installation = await this.installation(team)
    const tenant = tenantKey(team)
    const afresh = afreshFor.includes(needs)
    const found = await this.#services.people.find(installation, team, userId, { afresh })
    if (needs !== 'anyone' && !found.isMember) throw new NotAllowedError('member')
    const person = { ...found, isAdmin: await this.#isAdmin(found, tenant, installation) }
    if (needs === 'admin' && !person.isAdmin) {
      throw new NotAllowedError('admin', await this.managers(tenant, installation))
    }
    if (isArea(needs) && !(await this.#services.accessRules.allow(tenant, person, needs))) {
      throw new NotAllowedError(needs)
    }
    return { person, team, tenant, installation }
  }

  /** @throws {StoreError} */
  async managers(tenant: TenantKey, { administrator, hasSlackRoles }: Installation): Promise<Managers> {
    const administrators = await this.#services.accessRules.administrators(tenant)
    const people = new Set(administrator === undefined ? administrators : [administrator, ...administrators])
    return { hasSlackRoles, people: [...people] }
  }

  /** Whoever installed Callboard and whom its administrators named, as long as they are members; and whom Slack says. */
  async #isAdmin(person: Person, tenant: TenantKey, installation: Installation): Promise<boolean> {
    if (person.isAdmin || !person.isMember) return person.isAdmin
    return (await this.managers(tenant, installation)).people.includes(person.id)
  }
}
