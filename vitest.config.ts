import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take longest: begun last, they would keep everybody waiting. */
const longest = [
  'dev/bench/',
  'dev/demo/page',
  'process/',
  'dev/demo/walk',
  'dev/scripts/screenshot',
  'features/export/',
  'features/calls/number',
  'jobs/',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((part) => moduleId.includes(`/test/${part}`))
      return found === -1 ? longest.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** Where Linux keeps files in memory. A store on the disk waits for it whenever it is opened or closed, and nearly every test has one. */
function inMemory(): { TMPDIR?: string } {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return {}
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 30 ? { TMPDIR: folder } : {}
}

/** When the clock starts with `--mode times`: three times of day, a Monday, and two days on which clocks change. */
const moments = [
  '2027-01-01T23:50:00Z',
  '2027-01-18T09:00:00Z',
  '2027-10-31T00:50:00Z',
  '2028-03-12T17:30:00Z',
]

/** Files whose tests ask for the time. PostgreSQL has a clock of its own. */
const timeDependent = [
  'test/{features,time,grammar,telephony,dev/service}/**/*.test.ts',
  '!test/features/alerts/taking.test.ts',
]

/**
 * `--mode long` runs the files whose names end in `.long.test.ts` too, `--mode build` those of processes against the build,
 * and `--mode times` those that ask for the time at each of the moments.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'times' ? [] : [mode === 'build' ? 'test/process/*.test.ts' : 'test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(mode === 'long' || mode === 'build' ? [] : ['**/*.long.test.ts']),
    ],
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
    // As in every program of ours (src/main.ts).
    env: {
      TZ: 'UTC',
      PROGRAM: mode === 'build' ? 'build' : 'sources',
      ...(mode !== 'long' && mode !== 'build' && inMemory()),
    },
    // Whole processes are started by some files.
    testTimeout: 60_000,
    // Most of them wait for a process, a database or a clock rather than for a core.
    maxWorkers: 6,
    // No test changes a module: Bolt, zod and the sandbox are loaded once for each worker rather than for each file.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    hookTimeout: 60_000,
    // What is waited for comes, however busy the machine is.
    expect: { poll: { timeout: 15_000 } },
    reporters: [
      'default',
      ['json', { outputFile: `coverage/${mode === 'test' ? '' : `${mode}-`}results.json` }],
    ],
    coverage: {
      // The JSON report is written there before the coverage is.
      clean: false,
      provider: 'v8',
      include: ['src/**/*.ts', 'dev/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
}))
