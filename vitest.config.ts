import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow files, which start first: at the end, everything would wait for them. */
const SLOW_FILES = [
  'dev/bench/',
  'dev/demo/page',
  'process/',
  'dev/demo/walk',
  'features/export/',
  'features/calls/number',
  'jobs/',
]

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOW_FILES.findIndex((part) => moduleId.includes(`/test/${part}`))
      return found === -1 ? SLOW_FILES.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** Uses Linux's folder in memory, because nearly every test opens and closes a store, which waits for the disk. */
function useMemory(): { TMPDIR?: string } {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return {}
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 30 ? { TMPDIR: folder } : {}
}

/** Start times of the clock with `--mode times`: different times of day, a Monday, and two days with a clock change. */
const moments = [
  '2027-01-01T23:50:00Z',
  '2027-01-18T09:00:00Z',
  '2027-10-31T00:50:00Z',
  '2028-03-12T17:30:00Z',
]

/** Files whose tests depend on the time. PostgreSQL has its own clock. */
const timeDependent = [
  'test/{features,query,time,telephony,dev/service}/**/*.test.ts',
  '!test/features/alerts/taking.test.ts',
]

/**
 * `--mode long` also runs files that end in `.long.test.ts`, and starts processes from the sources instead of the build;
 * `--mode times` runs time-dependent tests at each of the moments.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'times' ? [] : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(mode === 'long' ? [] : ['**/*.long.test.ts'])],
    ...(mode === 'times' && {
      projects: moments.map((now) => ({
        extends: true,
        test: {
          name: now,
          include: timeDependent,
          setupFiles: 'test/support/shared/clock.ts',
          env: { TEST_NOW: now },
        },
      })),
    }),
    globalSetup: 'test/support/shared/setup.ts',
    // As in all programs (src/main.ts).
    env: {
      TZ: 'UTC',
      PROGRAM: mode === 'long' ? 'sources' : 'build',
      ...(mode !== 'long' && useMemory()),
    },
    // Some files start whole processes.
    testTimeout: 60_000,
    // More than the cores, because most tests wait for a process, a database or a timer.
    maxWorkers: 4,
    // No test changes a module, so each worker loads Bolt, zod and the sandbox only once.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    hookTimeout: 60_000,
    // Long enough for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    reporters: [
      'default',
      ['json', { outputFile: `coverage/${mode === 'test' ? '' : `${mode}-`}results.json` }],
    ],
    coverage: {
      // The folder already contains the JSON report.
      clean: false,
      provider: 'v8',
      include: ['src/**/*.ts', 'dev/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
}))
