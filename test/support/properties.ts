import fc from 'fast-check'

/** Any code point except surrogates, like fast-check's `binary` unit, which takes seconds to create. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** Number of runs of a property; `npm run test:long` has more than `npm test`. */
export const runs = (quick: number, long: number): number => (process.env['MODE'] === 'long' ? long : quick)
