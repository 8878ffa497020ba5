export type Random = () => number

/** Mulberry32: small, fast and the same on every machine. Never use it for secrets. */
export function seededRandom(...seeds: readonly number[]): Random {
  let state = seeds.reduce(mix, 0x9e3779b9)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Similar seeds, such as those of two days, must not result in similar sequences. */
function mix(hash: number, seed: number): number {
  const h = Math.imul((hash ^ seed) | 0, 0x85ebca6b)
  return h ^ (h >>> 13)
}

export function integer(random: Random, below: number): number {
  return Math.floor(random() * below)
}

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[integer(random, items.length)] ?? items[0]
}

/** Returns an index into `weights`, whose probability is its share. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return weights.length - 1
}

export function hex(random: Random, length: number): string {
  return Array.from({ length }, () => integer(random, 16).toString(16)).join('')
}
