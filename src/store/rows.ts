import type { Backend, Row } from './backend.ts'

const pageOfRows = 500

/** Every row of a namespace whose key begins with `prefix`, in the order of the keys. */
export async function* rowsUnder(
  backend: Backend,
  namespace: string,
  prefix: string,
  now: number,
): AsyncGenerator<Row, void> {
  for (let after = prefix; ; ) {
    const rows = await backend.list(namespace, after, pageOfRows, now)
    for (const row of rows) {
      if (!row.key.startsWith(prefix)) return
      yield row
      after = row.key
    }
    if (rows.length < pageOfRows) return
  }
}
