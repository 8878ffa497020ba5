/** How often a property is tried: `npm test` is content with fewer than `npm run test:long`. */
export const runs = (quick: number, long: number): number => (process.env['MODE'] === 'long' ? long : quick)
