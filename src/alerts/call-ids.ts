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
}

/** How many there are. */
export const packedCount = (packed: string): number => packed.length / lengthEach

/** The last `count` of them. */
export const lastPacked = (packed: string, count: number): string => packed.slice(-count * lengthEach)

/** Stands for these ids, in whatever order they are. */
export const digestOfIds = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : hashOf([...ids].sort().join('\n'))
