import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { freePort } from '../dev/listen.ts'
import { readConfig, variableNames } from '../src/config/config.ts'
import { STOP_GRACE_MS } from '../src/server.ts'

const runFile = promisify(execFile)

/** The Dockerfile's instructions, without comments and continuations. */
const dockerfile = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
const lastStage = dockerfile.findLastIndex((line) => line.startsWith('FROM '))
const buildSteps = dockerfile.slice(0, lastStage)
const imageSteps = dockerfile.slice(lastStage)
const readStep = (steps: readonly string[], instruction: string) =>
  steps.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1) ?? ''
const imageEnv = Object.fromEntries(
  readStep(imageSteps, 'ENV')
    .split(' ')
    .map((pair) => pair.split('=')),
)
const ignored = readFileSync('.dockerignore', 'utf8').split('\n')

/** Variables that the image and its examples leave to the operator. */
const secrets = {
  SLACK_SIGNING_SECRET: 'a-secret',
  SLACK_BOT_TOKEN: 'xoxb-1',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-image-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Does the steps of the build stage, with this repository's packages instead of `npm ci`. */
async function buildImage(folder: string): Promise<void> {
  for (const step of buildSteps) {
    const [instruction, ...words] = step.split(' ')
    if (instruction === 'COPY')
      for (const path of words.slice(0, -1)) {
        const filter = (source: string) => !ignored.includes(source)
        cpSync(path, join(folder, path), { recursive: true, filter })
      }
    if (step === 'RUN npm ci --ignore-scripts')
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    else if (instruction === 'RUN')
      await runFile(process.execPath, words.slice(1), { cwd: folder, env: { SOURCE_VERSION: 'abc1234def' } })
  }
}

it('the image builds from what it copies, starts with its own settings, and is healthy', async () => {
  const [folder, image] = [createFolder(), createFolder()]
  await buildImage(folder)
  cpSync(join(folder, 'dist'), join(image, 'dist'), { recursive: true })
  const port = await freePort()
  const env = {
    ...imageEnv,
    STORE_URL: imageEnv.STORE_URL.replace('/data', join(image, 'data')),
    NODE_COMPILE_CACHE: join(image, 'cache'),
    PORT: String(port),
    ...secrets,
    SLACK_API_URL: 'http://127.0.0.1:9/api/',
    TELEPHONY_BASE_URL: 'http://127.0.0.1:9/api/v1',
  }
  const [program, ...args] = JSON.parse(readStep(imageSteps, 'CMD'))
  expect(program).toBe('node')
  const app = spawn(process.execPath, args, { cwd: image, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void app.kill('SIGKILL'))
  let output = ''
  app.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  await expect.poll(() => output, { timeout: 10_000 }).toContain('"commit":"abc1234"')
  const [, check = '[]'] = /HEALTHCHECK .* CMD (\[.*\])$/m.exec(imageSteps.join('\n')) ?? []
  const [, ...checkArgs] = JSON.parse(check)
  expect(checkArgs.length).toBeGreaterThan(0)
  await runFile(process.execPath, checkArgs, { env: { PORT: String(port) } })
  await expect(runFile(process.execPath, checkArgs, { env: { PORT: '9' } })).rejects.toThrow()
})

/** All settings of the app's service: a missing one would go unnoticed. */
const appSettings =
  'build env_file environment ports depends_on read_only tmpfs stop_grace_period restart'.split(' ')

describe('compose.yaml', () => {
  const compose = parse(readFileSync('compose.yaml', 'utf8'))
  const { app, database, sandbox } = compose.services

  it('names only services, volumes and settings that exist', () => {
    expect(Object.keys(app).sort()).toEqual(appSettings.toSorted())
    expect(app.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    expect(database.healthcheck.test[1]).toContain('pg_isready')
    expect([database, sandbox].map(({ volumes }) => volumes[0].split(':')[0])).toEqual(['database', '.'])
    expect(Object.keys(compose.volumes)).toEqual(['database'])
    for (const name of Object.keys(app.environment)) expect(variableNames).toContain(name)
    for (const name of Object.keys(app.build.args)) expect(dockerfile).toContain(`ARG ${name}`)
    expect(app).toMatchObject({ read_only: true, restart: 'unless-stopped', env_file: '.env' })
  })

  it('configures an app that can start, with the database of its service', () => {
    const withDefaults = (text: string) => text.replaceAll(/\$\{\w+:-(.*?)\}/g, '$1')
    const environment: Record<string, string> = {}
    for (const [name, value] of Object.entries(app.environment))
      environment[name] = withDefaults(String(value))
    const address = { HOST: '127.0.0.1', TELEPHONY_BASE_URL: 'http://127.0.0.1:4010/api/v1' }
    const config = readConfig({ ...imageEnv, ...secrets, ...address, ...environment })
    const { hostname, username, password, pathname } = new URL(config.storeUrl)
    const user = database.environment
    expect([hostname, username, pathname]).toEqual(['database', user.POSTGRES_USER, `/${user.POSTGRES_DB}`])
    expect(withDefaults(user.POSTGRES_PASSWORD)).toBe(password)
    expect([config.host, config.port]).toEqual([undefined, 3000])
    expect(app.ports).toEqual(['127.0.0.1:3000:3000'])
    const neededSeconds = (config.drainMs + STOP_GRACE_MS) / 1000
    expect(Number.parseInt(app.stop_grace_period, 10)).toBeGreaterThan(neededSeconds)
    expect(app.tmpfs).toContain(dirname(imageEnv.NODE_COMPILE_CACHE))
  })

  it("puts the sandbox on the app's loopback, at the address of .env.example", () => {
    expect(sandbox).toMatchObject({ profiles: ['sandbox'], network_mode: 'service:app' })
    expect(readFileSync('.env.example', 'utf8')).toContain('TELEPHONY_BASE_URL=http://127.0.0.1:4010/api/v1')
    const [shell, option, script] = sandbox.command
    expect([shell, option]).toEqual(['sh', '-c'])
    const copied = script.match(/(?<=\/repository\/)[\w.-]+/g)
    expect(copied).toEqual(['package.json', 'package-lock.json', 'src', 'dev'])
    const [, program = ''] = /&& exec node (\S+)$/.exec(script) ?? []
    expect(existsSync(program)).toBe(true)
  })
})

describe('docs/kubernetes.yaml', () => {
  const documents = parseAllDocuments(readFileSync('docs/kubernetes.yaml', 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const [secret, deployment, service] = documents
  const { template, selector } = deployment.spec
  const [container] = template.spec.containers

  it('reads its secrets from the files of its Secret, and can start', () => {
    const folder = createFolder()
    const files = { ...secret.stringData, 'encryption-keys': secrets.ENCRYPTION_KEYS }
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), String(text))
    const env: Record<string, string> = { ...imageEnv }
    const readFiles: string[] = []
    for (const { name, value } of container.env) {
      expect(variableNames).toContain(name.replace(/_FILE$/, ''))
      env[name] = name.endsWith('_FILE') ? join(folder, basename(value)) : value
      if (name.endsWith('_FILE')) readFiles.push(value)
    }
    const mount = container.volumeMounts[0].mountPath
    expect(readFiles).toEqual(Object.keys(secret.stringData).map((file) => join(mount, file)))
    const config = readConfig(env)
    expect(config.storeUrl).toMatch(/^postgres:/)
    const preStopSeconds = Number(container.lifecycle.preStop.exec.command[1])
    const neededSeconds = preStopSeconds + (config.drainMs + STOP_GRACE_MS) / 1000
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(neededSeconds)
    expect(container.ports).toEqual([{ name: 'http', containerPort: config.port }])
  })

  it('is consistent', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Secret', 'Deployment', 'Service'])
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    expect(service.spec.selector).toEqual(selector.matchLabels)
    const volumes = template.spec.volumes.map(({ name }: { name: string }) => name)
    expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(volumes)
    expect(template.spec.volumes[0].secret.secretName).toBe(secret.metadata.name)
    const { readinessProbe, livenessProbe, securityContext } = container
    expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(service.spec.ports[0].targetPort).toBe('http')
    expect(securityContext.readOnlyRootFilesystem).toBe(true)
    const writable = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    expect(writable).toContain(dirname(imageEnv.NODE_COMPILE_CACHE))
  })
})
