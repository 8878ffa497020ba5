import fc from 'fast-check'

/** Any code point but halves of pairs, as fast-check's own `binary` unit, which takes seconds to be made. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** How often a property is tried: `npm test` is content with fewer than `npm run test:long`. */
export const runs = (quick: number, long: number): number => (process.env['MODE'] === 'long' ? long : quick)
