import { z } from 'zod'
import { type Backend, scan } from './backend.ts'
import type { Generation } from './generations.ts'
import { parseRow } from './schema.ts'
import { type Tenant, type TenantKey, teamIdOf } from './tenant.ts'

const namespace = 'organisations'
const organisationRecord = z.object({ enterpriseId: z.string().min(1) })

/** Which organisation a workspace belongs to: a fact of it, since its key is its team's alone. Every method @throws {StoreError}. */
export class Organisations {
  readonly #backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  async of(tenant: string): Promise<string | undefined> {
    const [row] = await this.#backend.get(namespace, [tenant])
    return row && parseRow(organisationRecord, row.value, 'an organisation').enterpriseId
  }

  /** Notes what Slack says, unless the tenant has been deleted meanwhile. */
  async note(generation: Generation, enterpriseId: string): Promise<void> {
    const row = { key: generation.key, value: JSON.stringify({ enterpriseId }) }
    await this.#backend.setWhile(generation, namespace, row)
  }

  /** Where nothing better is known. */
  async noteFirst(tenant: TenantKey, enterpriseId: string): Promise<void> {
    await this.#backend.insert(namespace, { key: tenant, value: JSON.stringify({ enterpriseId }) })
  }

  async tenantsOf(enterpriseId: string): Promise<readonly Tenant[]> {
    const expected = JSON.stringify({ enterpriseId })
    const rows = await Array.fromAsync(scan(this.#backend, namespace))
    return rows
      .filter(({ value }) => value === expected)
      .map(({ key }) => ({ enterpriseId, teamId: teamIdOf(key) }))
  }
}
