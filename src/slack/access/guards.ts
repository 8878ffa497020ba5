import { type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import type { Installation, Installations } from '../api/installations.ts'
import { type AccessRules, allows, allowsExport, isArea } from './access-rules.ts'
import { type Managers, NotAllowedError, NotInstalledError } from './errors.ts'
import type { Membership } from './membership.ts'
import type { People, Person } from './people.ts'

/** A person who was let in, and the workspace where. */
export interface Actor {
  readonly person: Person
  readonly team: Tenant
  /** What everything of the workspace is kept under. */
  readonly tenant: TenantKey
  readonly installation: Installation
}

/**
 * A member, who manages Callboard, anyone (whose role decides what there is to see), whom the workspace lets see an area, or
 * of those who may see calls, whom it lets export them.
 */
export type Needs = 'member' | 'admin' | 'anyone' | 'export' | Area

/** Where a role that was taken away must count at once, Slack is asked afresh. */
const afreshFor: readonly Needs[] = ['admin', 'anyone', 'billing']

/** Whoever installed Callboard and whom its administrators named, as long as they are members; and whom Slack says. */
function managersOf(
  { administrator, hasSlackRoles }: Installation,
  administrators: readonly string[],
): Managers {
  const people = new Set(administrator === undefined ? administrators : [administrator, ...administrators])
  return { hasSlackRoles, people: [...people] }
}

export class Guards {
  readonly #services

  constructor(services: {
    installations: Installations
    people: People
    accessRules: AccessRules
    membership: Membership
  }) {
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
   * @param options.afresh Slack is asked about the person now
   * @throws {NotInstalledError | NotAllowedError | SlackUnavailableError | TokenRefusedError | StoreError}
   */
  async admit(
    team: Tenant,
    userId: string,
    needs: Needs,
    { afresh = afreshFor.includes(needs) } = {},
  ): Promise<Actor> {
    const installation = await this.installation(team)
    const tenant = tenantKey(team)
    const found = await this.#services.people.find(installation, team, userId, { afresh })
    if (needs !== 'anyone' && !found.isMember) throw new NotAllowedError('member')
    // For whom Slack says that they are an admin no rule says anything else.
    const rules = found.isMember && !found.isAdmin ? await this.#services.accessRules.of(tenant) : undefined
    const managers = managersOf(installation, rules?.administrators ?? [])
    const person = {
      ...found,
      isAdmin: found.isAdmin || (found.isMember && managers.people.includes(found.id)),
    }
    if (needs === 'admin' && !person.isAdmin) throw new NotAllowedError('admin', managers)
    const area = needs === 'export' ? 'calls' : needs
    if (isArea(area) && rules && !allows(rules, person, area)) throw new NotAllowedError(area, managers)
    if (needs === 'export' && rules && !allowsExport(rules, person))
      throw new NotAllowedError('export', managers)
    this.#services.membership.note(team)
    return { person, team, tenant, installation }
  }

  /** Whether somebody who was let in may do this too. @throws whatever `admit` throws, but NotAllowedError */
  async may({ team, person }: Actor, needs: Needs): Promise<boolean> {
    try {
      await this.admit(team, person.id, needs)
      return true
    } catch (error) {
      if (error instanceof NotAllowedError) return false
      throw error
    }
  }

  /** @throws {StoreError} */
  async managers(tenant: TenantKey, installation: Installation): Promise<Managers> {
    return managersOf(installation, await this.#services.accessRules.administrators(tenant))
  }
}
