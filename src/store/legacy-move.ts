import type { Backend, Row } from './backend.ts'
import { UndecryptableError } from './errors.ts'
import { LegacyRows } from './legacy-rows.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { Organisations } from './organisations.ts'
import { billingRows, type Schedule, Schedules } from './schedules.ts'
import type { Vault } from './vault.ts'

/** A kind of record that versions before kept under organisation and team. */
export interface MovedRecords {
  readonly namespace: string
  /** For those that are encrypted. */
  readonly vault?: Vault | undefined
}

/**
 * Brings what versions before kept under organisation and team to where it is kept now. Again and again, since a process of
 * the version before may run beside this one. Claims are not moved: they are made under both names.
 * @param backend the database itself, before anybody else reads from it
 * @throws {StoreError}
 */
export async function moveLegacy(
  backend: Backend,
  records: readonly MovedRecords[],
  malformed: MalformedRows,
): Promise<{ readonly namespaces: ReadonlySet<string>; readonly schedules: readonly Schedule[] }> {
  const legacy = new LegacyRows(backend, new Organisations(backend))
  const namespaces = new Set<string>()
  for (const { namespace, vault } of records) {
    const keys = await legacy.move(namespace, (old, key) => toValue(namespace, vault, old, key))
    if (keys.length > 0) namespaces.add(namespace)
  }
  return { namespaces, schedules: await new Schedules({ backend, legacy, malformed }, billingRows).move() }
}

/** What an older row holds, under its new key. */
function toValue(namespace: string, vault: Vault | undefined, old: Row, key: string): string {
  if (!vault) return old.value
  try {
    return vault.encrypt(vault.decrypt(old.value, { namespace, key: old.key }), { namespace, key })
  } catch (error) {
    // Its key may come back: not being bound to its row, the text is no less readable there.
    if (error instanceof UndecryptableError) return old.value
    throw error
  }
}
