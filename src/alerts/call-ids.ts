import { hash } from 'node:crypto'

/** Of a hash: among 20,000 ids, the chance that two are taken for the same one is 1 in a hundred thousand million. */
const bytesEach = 8

const hashOf = (id: string): string => hash('sha1', id, 'buffer').toString('base64url', 0, bytesEach)

/** Ids of calls as hashes, all of the same length, one after the other: what is kept of thousands of them is a short text. */
export const packIds = (ids: Iterable<string>): string => [...ids].map(hashOf).join('')

const lengthEach = hashOf('').length

/** A set of packed ids. */
export class PackedIds {
  readonly #hashes: ReadonlySet<string>

  constructor(...packed: readonly string[]) {
    this.#hashes = new Set(packed.flatMap((text) => text.match(new RegExp(`.{${lengthEach}}`, 'g')) ?? []))
  }

  has(id: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashOf(id))
  }

  /** Those of the others that are not among these. */
  missing(packed: string): string {
    return [...new PackedIds(packed).#hashes].filter((one) => !this.#hashes.has(one)).join('')
  }
}

/** How many there are. */
export const packedCount = (packed: string): number => packed.length / lengthEach

/** The last `count` of them. */
export const lastPacked = (packed: string, count: number): string => packed.slice(-count * lengthEach)

/**
 * Stands for these ids, in whatever order they are: sums of two FNV-1a hashes of each
 * (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv), since each look makes one.
 */
export function digestOfIds(ids: readonly string[]): string {
  let [one, other] = [0, 0]
  for (const id of ids) {
    let [hashed, backwards] = [0x811c9dc5, 0x811c9dc5]
    for (let at = 0, from = id.length - 1; at < id.length; at += 1, from -= 1) {
      hashed = Math.imul(hashed ^ id.charCodeAt(at), 0x01000193)
      backwards = Math.imul(backwards ^ id.charCodeAt(from), 0x01000193)
    }
    one = (one + hashed) | 0
    other = (other + Math.imul(backwards, 0x9e3779b1)) | 0
  }
  return `${ids.length} ${one >>> 0} ${other >>> 0}`
}
