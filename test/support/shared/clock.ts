// `npm run test:long` starts the clock of time-dependent tests at other moments: see vitest.config.ts.

const { TEST_NOW } = process.env
const RealDate = Date

if (TEST_NOW !== undefined && !('ahead' in RealDate)) {
  const ahead = RealDate.parse(TEST_NOW) - RealDate.now()
  globalThis.Date = class extends RealDate {
    static readonly ahead = ahead

    static override now(): number {
      return RealDate.now() + ahead
    }

    constructor(...values: []) {
      super(...(values.length === 0 ? ([RealDate.now() + ahead] as unknown as []) : values))
    }
  } as unknown as DateConstructor
}
