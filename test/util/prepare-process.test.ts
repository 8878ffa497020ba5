import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const file = 'src/util/prepare-process.ts'
const script = `
  import { getCompileCacheDir } from 'node:module'
  const { prepareProcess } = await import(process.argv[1])
  prepareProcess(process.env)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  console.log(JSON.stringify({ timeZone, hour: new Date(0).getHours(), cache: getCompileCacheDir() }))
`

async function prepared(
  copy: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ timeZone: string; hour: number; cache: string }> {
  const args = ['--input-type=module', '-e', script, pathToFileURL(resolve(copy)).href]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { TZ: 'America/Santiago', ...env },
  })
  return JSON.parse(stdout)
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'callboard-prepare-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

it("a program's clock is UTC whatever the host's is, and a clone keeps its compile cache to itself", async () => {
  const { timeZone, hour, cache } = await prepared(file)
  expect({ timeZone, hour }).toEqual({ timeZone: 'UTC', hour: 0 })
  expect(cache).toContain(resolve('node_modules/.cache/compile'))
})

it('NODE_COMPILE_CACHE wins', async () => {
  const elsewhere = folder()
  const { cache } = await prepared(file, { NODE_COMPILE_CACHE: elsewhere })
  expect(cache).toContain(elsewhere)
})

it("the compile cache is among the temporary files where node_modules can't be written", async () => {
  const app = folder()
  mkdirSync(join(app, 'src/util'), { recursive: true })
  copyFileSync(file, join(app, file))
  // A file refuses whoever runs this, root too.
  writeFileSync(join(app, 'node_modules'), '')
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  const temporary = folder()
  const { cache } = await prepared(join(app, file), { TMPDIR: temporary, TEMP: temporary, TMP: temporary })
  expect(cache).toContain(temporary)
})
