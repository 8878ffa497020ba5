import type { Store } from '../../store/store.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { type AccessRule, type Area, areas } from '../../store/workspaces.ts'
import type { Person } from './people.ts'

export type AccessRules = Readonly<Record<Area, AccessRule>>

/** Who of a workspace's members may see what of its account. */
export interface Access {
  /** The workspace's rules; until it has some: calls and agents everyone, billing admins and the person who connected. */
  rules(tenant: TenantKey): Promise<AccessRules>
  /** @throws {StoreError} */
  may(tenant: TenantKey, person: Person, area: Area): Promise<boolean>
}

export const isArea = (needs: string): needs is Area => areas.some((area) => area === needs)

export function createAccess({ store }: { store: Store }): Access {
  async function rules(tenant: TenantKey): Promise<AccessRules> {
    const set = await store.access.get(tenant)
    if (set) return set
    const connectedBy = (await store.credentials.get(tenant))?.connectedBy
    const everyone: AccessRule = { who: 'everyone', people: [] }
    const people = connectedBy === undefined ? [] : [connectedBy]
    return { calls: everyone, agents: everyone, billing: { who: 'people', people } }
  }
  return {
    rules,
    async may(tenant, person, area) {
      if (person.isAdmin) return true
      const { who, people } = (await rules(tenant))[area]
      return who === 'everyone' || (who === 'people' && people.includes(person.id))
    },
  }
}
