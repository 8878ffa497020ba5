import type { Milliseconds } from '../util/units.ts'
import { type Backend, type Row, rowsAfter } from './backend.ts'
import type { Organisations } from './organisations.ts'
import { escapePart, teamIdOf, tenantKey, unescapePart } from './tenant.ts'

/** An older process may be beside this one for so long. */
export const keptForMs: Milliseconds = 7 * 24 * 60 * 60_000

/**
 * The rows of workspaces in an organisation as versions before kept them: under `E1/T1`, where it is `/T1` now. They are
 * moved at the start and with every sweep, and stay for a week, with an end, for processes of the version before that run
 * beside this one. Such a process writes rows without an end: those are the newer ones, and are moved again. For that, what
 * this version writes it writes to the old row too, where there is one.
 */
export class LegacyRows {
  readonly #backend
  readonly #organisations

  constructor(backend: Backend, organisations: Organisations) {
    this.#backend = backend
    this.#organisations = organisations
  }

  /** What versions before keep this under, if it is the workspace's of an organisation. @throws {StoreError} */
  async keyOf(key: string): Promise<string | undefined> {
    if (!key.startsWith('/')) return undefined
    const enterpriseId = await this.#organisations.of(tenantKey({ teamId: teamIdOf(key) }))
    return enterpriseId === undefined ? undefined : `${escapePart(enterpriseId)}${key}`
  }

  /** Before the row itself is written: a row that has an end is moved by nobody. @throws {StoreError} */
  async mirror(namespace: string, key: string, value: () => string): Promise<void> {
    const legacy = await this.keyOf(key)
    if (legacy === undefined) return
    const expires = this.#backend.now() + keptForMs
    await this.#backend.update(namespace, { key: legacy, value: value(), expires })
  }

  /** Before the row itself is deleted. @throws {StoreError} */
  async delete(namespace: string, key: string): Promise<void> {
    const legacy = await this.keyOf(key)
    if (legacy !== undefined) await this.#backend.delete(namespace, [legacy])
  }

  /**
   * Moves what has been written since the last time.
   * @param toValue what the value is under its new key
   * @returns the new keys
   * @throws {StoreError}
   */
  async move(namespace: string, toValue: (old: Row, key: string) => string): Promise<readonly string[]> {
    const moved: string[] = []
    for await (const [old, key] of this.older(namespace)) {
      if (old.expires !== undefined) continue
      const enterpriseId = unescapePart(old.key.slice(0, old.key.indexOf('/')))
      await this.#organisations.noteFirst(tenantKey({ teamId: teamIdOf(key) }), enterpriseId)
      const guard = { namespace, key: old.key, value: old.value }
      if (!(await this.#backend.setWhile(guard, namespace, { key, value: toValue(old, key) }))) continue
      await this.#backend.expire(namespace, old.key, old.value, this.#backend.now() + keptForMs)
      moved.push(key)
    }
    return moved
  }

  /** The rows under an organisation's name, each with the key that it has now. @throws {StoreError} */
  async *older(namespace: string): AsyncGenerator<readonly [Row, string], void> {
    // What comes after every key that begins with a slash.
    for await (const row of rowsAfter(this.#backend, namespace, '0')) {
      const slash = row.key.indexOf('/')
      if (slash > 0) yield [row, row.key.slice(slash)]
    }
  }
}
