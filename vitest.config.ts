import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // PostgreSQL and whole processes are started by some files.
    testTimeout: 30_000,
    // Most of them wait for a process, a database or a clock rather than for a core.
    maxWorkers: 4,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'coverage/results.json' }]],
    coverage: {
      // The JSON report is written there before the coverage is.
      clean: false,
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
})
