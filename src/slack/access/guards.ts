import { type Tenant, tenantKey } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import type { Installation, Installations } from '../api/installations.ts'
import { NotAllowedError, NotInstalledError } from '../blocks/errors.ts'
import { type Access, isArea } from './access-rules.ts'
import type { People, Person } from './people.ts'

/** Who asks, admitted. */
export interface Visitor {
  readonly teamOf: Tenant
  readonly installation: Installation
  readonly person: Person
}

/** A member, an admin asked of Slack afresh, anyone, or whom the workspace lets see an area. */
export type Needs = 'member' | 'admin' | 'anyone' | Area

export interface Guards {
  /** @throws {NotInstalledError | SlackUnavailableError} */
  installation(tenant: Tenant): Promise<Installation>
  /**
   * Lets a person in, or throws; an admin is asked of Slack afresh. Guests, strangers and people of another workspace
   * get no account data anywhere.
   * @throws {NotInstalledError | NotAllowedError | SlackUnavailableError}
   */
  admit(tenant: Tenant, userId: string, needs: Needs): Promise<Visitor>
}

export function createGuards({
  installations,
  people,
  access,
}: {
  installations: Installations
  people: People
  access: Access
}): Guards {
  async function installationOf(tenant: Tenant): Promise<Installation> {
    const installation = tenant.teamId === '' ? undefined : await installations.find(tenant)
    if (!installation) throw new NotInstalledError()
    return installation
  }

  return {
    installation: installationOf,
    async admit(tenant, userId, needs) {
      const installation = await installationOf(tenant)
      const person = await people.find(installation, tenant, userId, { afresh: needs === 'admin' })
      if (needs !== 'anyone' && !person.isMember) throw new NotAllowedError('member')
      if (needs === 'admin' && !person.isAdmin) throw new NotAllowedError('admin')
      if (isArea(needs) && !(await access.may(tenantKey(tenant), person, needs))) {
        throw new NotAllowedError(needs)
      }
      return { teamOf: tenant, installation, person }
    },
  }
}
