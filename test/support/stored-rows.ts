import { readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

export interface StoredRow {
  readonly namespace: string
  readonly key: string
  readonly value: string
  readonly expires: number | null
}

/**
 * Reads and changes rows of an SQLite store, for tests of data that isn't visible from outside: leftovers, unreadable
 * rows, and a database that rejects writes. Only this file knows the table. Patterns are those of LIKE.
 */
export class StoredRows {
  readonly #path

  constructor(path: string) {
    this.#path = path
  }

  #run<T>(work: (db: DatabaseSync) => T, readOnly = false): T {
    const db = new DatabaseSync(this.#path, { readOnly })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  #exec(...statements: readonly string[]): void {
    this.#run((db) => {
      for (const statement of statements) db.exec(statement)
    })
  }

  all(namespaces = '%'): readonly StoredRow[] {
    const select = 'SELECT * FROM callboard_store WHERE namespace LIKE ? ORDER BY key'
    return this.#run((db) => db.prepare(select).all(namespaces), true).map((row) => ({
      namespace: String(row['namespace']),
      key: String(row['key']),
      value: String(row['value']),
      expires: typeof row['expires'] === 'number' ? row['expires'] : null,
    }))
  }

  write(rows: readonly StoredRow[]): void {
    this.#run((db) => {
      const insert = db.prepare('INSERT OR REPLACE INTO callboard_store VALUES (?, ?, ?, ?)')
      for (const { namespace, key, value, expires } of rows) insert.run(namespace, key, value, expires)
    })
  }

  /** @param value SQL expression @param containing text in the current value */
  setValue(namespaces: string, value: string, containing = ''): void {
    const where: SQLInputValue[] = [namespaces, containing]
    const update = `UPDATE callboard_store SET value = ${value} WHERE namespace LIKE ? AND (?2 = '' OR instr(value, ?2))`
    this.#run((db) => db.prepare(update).run(...where))
  }

  delete(namespaces: string): void {
    this.#run((db) => db.prepare('DELETE FROM callboard_store WHERE namespace LIKE ?').run(namespaces))
  }

  /** Makes every statement fail. */
  dropTable(): void {
    this.#exec('DROP TABLE callboard_store')
  }

  /** Rejects writes, as if the disk were full or the process ended before them. @returns a function that ends this */
  refuse(
    namespaces: string,
    writes: readonly ('INSERT' | 'UPDATE')[] = ['INSERT', 'UPDATE'],
    condition = 'true',
  ): () => void {
    this.#exec(
      ...writes.map(
        (write) => `CREATE TRIGGER no_${write} BEFORE ${write} ON callboard_store
          WHEN NEW.namespace LIKE '${namespaces}' AND ${condition} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
      ),
    )
    return () => this.#exec(...writes.map((write) => `DROP TRIGGER no_${write}`))
  }

  /** Rejects all writes after a number of them. @returns a function that ends this */
  refuseAfter(count: number): () => void {
    const writes = ['INSERT', 'UPDATE', 'DELETE']
    this.#exec(
      'CREATE TABLE written (n INTEGER)',
      'INSERT INTO written VALUES (0)',
      ...writes.flatMap((write) => [
        `CREATE TRIGGER no_${write} BEFORE ${write} ON callboard_store
          WHEN (SELECT n FROM written) >= ${count} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
        `CREATE TRIGGER count_${write} AFTER ${write} ON callboard_store BEGIN UPDATE written SET n = n + 1; END`,
      ]),
    )
    const triggers = writes.flatMap((write) => [`no_${write}`, `count_${write}`])
    return () => this.#exec('DROP TABLE written', ...triggers.map((name) => `DROP TRIGGER ${name}`))
  }

  /** Copies the store without jobs, which would be overdue for an app that starts with the copy. @returns its file */
  copyWithoutJobs(path: string): Buffer {
    this.#run((db) => db.prepare('VACUUM INTO ?').run(path), true)
    new StoredRows(path).delete('job:%')
    return readFileSync(path)
  }
}
