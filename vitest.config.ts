import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * They wait for processes that were killed, and for browsers: begun last, they would keep everybody waiting. Those that start
 * a database and processes of their own are not the first, so that they don't all start at once.
 */
const long = [
  'dev/demo/page',
  'features/calls/number.test',
  'features/calls/export/export',
  'process/exports',
  'dev/bench/load',
  'process/schedules',
  'jobs/again',
  'dev/bench/bench',
  'jobs/jobs',
  'process/alerts',
  'dev/demo/walk',
  'jobs/killed',
  'dev/scripts/screenshot',
  'process/process',
]

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = long.findIndex((part) => moduleId.includes(`/test/${part}`))
      return found === -1 ? long.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // As in every program of ours (src/util/prepare-process.ts).
    env: { TZ: 'UTC' },
    // PostgreSQL and whole processes are started by some files.
    testTimeout: 30_000,
    // Most of them wait for a process, a database or a clock rather than for a core.
    maxWorkers: 4,
    // No test changes a module: Bolt, zod and the sandbox are loaded once for each worker rather than for each file.
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'coverage/results.json' }]],
    coverage: {
      // The JSON report is written there before the coverage is.
      clean: false,
      provider: 'v8',
      include: ['src/**/*.ts', 'dev/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
})
