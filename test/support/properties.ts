import fc from 'fast-check'

/** Any code point except surrogates, like fast-check's `binary` unit, which takes seconds to create. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** Number of runs of a property; `npm run test:long` has more than `npm test`. */
export const runs = (quick: number, long: number): number => (process.env['MODE'] === 'long' ? long : quick)

type Property<Ts extends unknown[]> = [...{ [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, (...values: Ts) => void]

/** Checks a property of values of the arbitraries, which come before it. */
export function forAll<Ts extends [unknown, ...unknown[]]>(...property: Property<Ts>): void {
  fc.assert(fc.property<Ts>(...property))
}

/** Like `forAll`, with another number of runs than 100. */
export function forRuns<Ts extends [unknown, ...unknown[]]>(count: number, ...property: Property<Ts>): void {
  fc.assert(fc.property<Ts>(...property), { numRuns: count })
}

/** Like `forRuns`, for a property that waits. */
export async function forRunsAsync<Ts extends [unknown, ...unknown[]]>(
  count: number,
  ...property: [...{ [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, (...values: Ts) => Promise<void>]
): Promise<void> {
  await fc.assert(fc.asyncProperty<Ts>(...property), { numRuns: count })
}
