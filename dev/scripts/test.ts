import { type ChildProcess, spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'

// Runs the tests, and the type checker and linter beside them, whose results are printed at the end. Usage: npm test

const npm = process.env['npm_execpath']
if (npm === undefined) throw new Error('npm starts this: npm test')

const getExitCode = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('close', resolve))

/** @returns whether it succeeded, and its output */
async function runScript(name: string) {
  const child = spawn(process.execPath, [npm ?? '', 'run', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, ...written] = await Promise.all([
    getExitCode(child),
    buffer(child.stdout),
    buffer(child.stderr),
  ])
  return { isRight: code === 0, written: Buffer.concat(written).toString() }
}

async function runChecks() {
  // One after the other, because the tests need a core.
  return [await runScript('typecheck'), await runScript('lint')]
}

const checking = runChecks()
const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], { stdio: 'inherit' })
// Ctrl+C in a terminal reaches all processes; each of them ends its own children first.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => tests.kill('SIGTERM'))
const [testCode, checks] = await Promise.all([getExitCode(tests), checking])
for (const { isRight, written } of checks) if (!isRight) console.error(written)
process.exitCode = testCode === 0 && checks.every(({ isRight }) => isRight) ? 0 : 1
