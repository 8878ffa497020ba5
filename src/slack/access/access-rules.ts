import { whereReadable } from '../../store/errors.ts'
import type { Store } from '../../store/store.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { type AccessRecord, type AccessRule, type Area, areas } from '../../store/workspaces.ts'
import type { Person } from './people.ts'

export const isArea = (needs: string): needs is Area => areas.some((area) => area === needs)

/** @param person with whether they manage Callboard */
export function allows(rules: AccessRecord, person: Person, area: Area): boolean {
  const { who, people } = rules[area]
  return person.isAdmin || who === 'everyone' || (who === 'people' && people.includes(person.id))
}

/** Of those who may see calls. @param person with whether they manage Callboard */
export const allowsExport = ({ exports }: AccessRecord, { isAdmin }: Person): boolean =>
  isAdmin || exports === 'everyone'

/** Who of a workspace's members may see what of its account. Every method @throws {StoreError}. */
export class AccessRules {
  readonly #store: Pick<Store, 'access' | 'credentials'>

  constructor(store: Pick<Store, 'access' | 'credentials'>) {
    this.#store = store
  }

  /** The workspace's rules; until it has some: calls, recordings and agents everyone, billing admins and the person who connected. */
  async of(tenant: TenantKey): Promise<AccessRecord> {
    // Both at once: over PostgreSQL that is one query rather than two.
    const [rules, credentials] = await Promise.all([
      this.#store.access.get(tenant),
      whereReadable(this.#store.credentials.get(tenant)),
    ])
    if (rules) return rules
    const connectedBy = credentials?.connectedBy
    const everyone: AccessRule = { who: 'everyone', people: [] }
    const billing: AccessRule =
      connectedBy === undefined ? { who: 'admins', people: [] } : { who: 'people', people: [connectedBy] }
    return {
      calls: everyone,
      exports: 'everyone',
      recordings: everyone,
      agents: everyone,
      billing,
      administrators: [],
    }
  }

  /** Whom the workspace's administrators named to manage Callboard with them. */
  async administrators(tenant: TenantKey): Promise<readonly string[]> {
    return (await this.#store.access.get(tenant))?.administrators ?? []
  }

  set(tenant: TenantKey, rules: AccessRecord): Promise<void> {
    return this.#store.access.set(rules, tenant)
  }

  /** What the person may see. @throws {StoreError} */
  async areasOf(tenant: TenantKey, person: Person): Promise<readonly Area[]> {
    const answers = await Promise.all(areas.map((area) => this.allow(tenant, person, area)))
    return areas.filter((_, index) => answers[index])
  }

  async allow(tenant: TenantKey, person: Person, area: Area): Promise<boolean> {
    return allows(await this.of(tenant), person, area)
  }
}
