import { type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import type { Installation, Installations } from '../api/installations.ts'
import { type AccessRules, isArea } from './access-rules.ts'
import { NotAllowedError, NotInstalledError } from './errors.ts'
import type { People, Person } from './people.ts'

/** A person who was let in, and the workspace where. */
export interface Actor {
  readonly person: Person
  readonly team: Tenant
  /** What everything of the workspace is kept under. */
  readonly tenant: TenantKey
  readonly installation: Installation
}

/** A member, an admin asked of Slack afresh, anyone, or whom the workspace lets see an area. */
export type Needs = 'member' | 'admin' | 'anyone' | Area

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
   * Lets a person in, or throws; an admin is asked of Slack afresh. Guests, strangers and people of another workspace
   * get no account data anywhere.
   * @throws {NotInstalledError | NotAllowedError | SlackUnavailableError | TokenRefusedError | StoreError}
   */
  async admit(team: Tenant, userId: string, needs: Needs): Promise<Actor> {
    const installation = await this.installation(team)
    const person = await this.#services.people.find(installation, team, userId, { afresh: needs === 'admin' })
    if (needs !== 'anyone' && !person.isMember) throw new NotAllowedError('member')
    if (needs === 'admin' && !person.isAdmin) throw new NotAllowedError('admin')
    const tenant = tenantKey(team)
    if (isArea(needs) && !(await this.#services.accessRules.allow(tenant, person, needs))) {
      throw new NotAllowedError(needs)
    }
    return { person, team, tenant, installation }
  }
}
