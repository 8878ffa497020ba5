import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

/** The first module that main imports: prints how the process was prepared, then exits. */
const probe = `
  import { getCompileCacheDir } from 'node:module'
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  console.log(JSON.stringify({ timeZone, hour: new Date(0).getHours(), cache: getCompileCacheDir() }))
  process.exit(0)
`

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-main-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates an app that contains only main and the probe. */
function createApp(): string {
  const app = createFolder()
  mkdirSync(join(app, 'src/config'), { recursive: true })
  copyFileSync('src/main.ts', join(app, 'src/main.ts'))
  writeFileSync(join(app, 'src/config/config.ts'), probe)
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  return app
}

async function run(
  app: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ timeZone: string; hour: number; cache: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(app, 'src/main.ts')], {
    env: { TZ: 'America/Santiago', ...env },
  })
  return JSON.parse(stdout)
}

it("runs in UTC in every time zone of the host, with the project's own compile cache or NODE_COMPILE_CACHE", async () => {
  const app = createApp()
  const { timeZone, hour, cache } = await run(app)
  expect({ timeZone, hour }).toEqual({ timeZone: 'UTC', hour: 0 })
  expect(cache).toContain(resolve(app, 'node_modules/.cache/compile'))
  const elsewhere = createFolder()
  expect((await run(app, { NODE_COMPILE_CACHE: elsewhere })).cache).toContain(elsewhere)
})

it('npm start takes the build if there is one, and the variables of .env', async () => {
  const app = createFolder()
  for (const file of ['package.json', 'start.js']) copyFileSync(file, join(app, file))
  const print = (name: string) => `console.log('${name}', process.env.PORT)`
  mkdirSync(join(app, 'src'))
  writeFileSync(join(app, 'src/main.ts'), print('sources'))
  writeFileSync(join(app, '.env'), 'PORT=1234')
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  const start = async () =>
    (await promisify(execFile)('npm', ['start', '--silent'], { cwd: app, env })).stdout
  expect(await start()).toBe('sources 1234\n')
  mkdirSync(join(app, 'dist'))
  writeFileSync(join(app, 'dist/main.mjs'), print('build'))
  expect(await start()).toBe('build 1234\n')
})
