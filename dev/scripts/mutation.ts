import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// Usage: npm run mutation -- --mutate 'src/telephony/*.ts' --tests 'test/telephony/*.test.ts'
// Changes single lines, and lists the changes that no test notices. It takes half a minute for a small file and half an hour
// for a folder. Installs Stryker into a copy of this checkout, because nothing else needs its 180 packages.

const { values } = parseArgs({
  options: { mutate: { type: 'string', multiple: true }, tests: { type: 'string', multiple: true } },
})
const { mutate, tests } = values
if (!mutate || !tests)
  throw new Error("say what to mutate and which tests to run: --mutate 'src/…' --tests 'test/…'")

const stryker = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'callboard-mutation-'))
const run = (command: string, ...words: string[]) =>
  execFileSync(command, words, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
const leftOut = ['.git', 'coverage', 'data']

try {
  cpSync(root, folder, {
    recursive: true,
    filter: (path) => !leftOut.some((name) => path === join(root, name)),
  })
  run('npm', 'install', '--no-save', '--no-audit', '--no-fund', ...stryker)
  const vitest = {
    include: tests,
    env: { TZ: 'UTC' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    isolate: false,
  }
  writeFileSync(join(folder, 'vitest.mutation.ts'), `export default { test: ${JSON.stringify(vitest)} }\n`)
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.ts', related: false },
    mutate,
    // Texts are excluded: tests check each text in one place, so a changed one would survive all others.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    // Code that runs when a module is loaded would need all tests.
    ignoreStatic: true,
    // Stryker reads a tsconfig with a function that TypeScript 7 removed, so it gets none.
    tsconfigFile: 'none.json',
    concurrency: 2,
    timeoutMS: 20_000,
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { reportTests: false, logTests: false },
  }
  writeFileSync(join(folder, 'stryker.config.json'), JSON.stringify(config))
  run('npx', 'stryker', 'run')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
