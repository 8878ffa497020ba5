import type { Tenant } from '../store/tenant.ts'
import { NotAllowedError, NotInstalledError } from './errors.ts'
import type { Installation, Installations } from './installations.ts'
import type { People, Person } from './people.ts'

/** Who asks, admitted. */
export interface Visitor {
  readonly teamOf: Tenant
  readonly installation: Installation
  readonly person: Person
}

export type Needs = 'member' | 'admin' | 'anyone'

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
}: {
  installations: Installations
  people: People
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
      return { teamOf: tenant, installation, person }
    },
  }
}
