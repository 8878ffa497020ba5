import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
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
const [buildSteps, imageSteps] = [
  dockerfile.slice(
    0,
    dockerfile.findLastIndex((line) => line.startsWith('FROM ')),
  ),
  dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith('FROM '))),
]
const readStep = (steps: readonly string[], instruction: string) =>
  steps.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1) ?? ''
const imageEnv = Object.fromEntries(
  readStep(imageSteps, 'ENV')
    .split(' ')
    .map((pair) => pair.split('=')),
)
const ignored = readFileSync('.dockerignore', 'utf8').split('\n')

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
    SLACK_SIGNING_SECRET: 'a-secret',
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_API_URL: 'http://127.0.0.1:9/api/',
    TELEPHONY_BASE_URL: 'http://127.0.0.1:9/api/v1',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  }
  const [program, ...args] = z.array(z.string()).parse(JSON.parse(readStep(imageSteps, 'CMD')))
  expect(program).toBe('node')
  const app = spawn(process.execPath, args, { cwd: image, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void app.kill('SIGKILL'))
  let output = ''
  app.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  await expect.poll(() => output, { timeout: 10_000 }).toContain('"commit":"abc1234"')
  const [, check = '[]'] = /HEALTHCHECK .* CMD (\[.*\])$/m.exec(imageSteps.join('\n')) ?? []
  const [, ...checkArgs] = z.array(z.string()).parse(JSON.parse(check))
  expect(checkArgs.length).toBeGreaterThan(0)
  await runFile(process.execPath, checkArgs, { env: { PORT: String(port) } })
  await expect(runFile(process.execPath, checkArgs, { env: { PORT: '9' } })).rejects.toThrow()
})

const serviceSchema = z.strictObject({
  build: z.object({ context: z.literal('.'), args: z.record(z.string(), z.string()) }).optional(),
  image: z.string().optional(),
  env_file: z.literal('.env').optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z
    .object({ test: z.array(z.string()) })
    .loose()
    .optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).default([]),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  restart: z.literal('unless-stopped').optional(),
  profiles: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  working_dir: z.string().optional(),
  volumes: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
})
const composeSchema = z.strictObject({
  services: z.strictObject({ app: serviceSchema, database: serviceSchema, sandbox: serviceSchema }),
  volumes: z.record(z.string(), z.null()),
})

describe('compose.yaml', () => {
  const compose = composeSchema.parse(parse(readFileSync('compose.yaml', 'utf8')))
  const { app, database, sandbox } = compose.services

  it('names only services, volumes and settings that exist', () => {
    const services = Object.values(compose.services)
    const named = services.flatMap(({ depends_on: needed }) => Object.keys(needed))
    for (const name of named) expect(Object.keys(compose.services)).toContain(name)
    const mounted = services.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    expect(mounted.filter((name) => name !== '.')).toEqual(Object.keys(compose.volumes))
    for (const name of Object.keys(app.environment)) expect(variableNames).toContain(name)
    for (const name of Object.keys(app.build?.args ?? {})) expect(dockerfile).toContain(`ARG ${name}`)
    expect(database.healthcheck).toBeDefined()
  })

  it('configures an app that can start, with the database of its service', () => {
    const withDefaults = (text: string) => text.replaceAll(/\$\{\w+:-(.*?)\}/g, '$1')
    const environment = Object.fromEntries(
      Object.entries(app.environment).map(([name, value]) => [name, withDefaults(value)]),
    )
    const config = readConfig({
      ...imageEnv,
      HOST: '127.0.0.1',
      SLACK_SIGNING_SECRET: 'a-secret',
      SLACK_BOT_TOKEN: 'xoxb-1',
      TELEPHONY_BASE_URL: 'http://127.0.0.1:4010/api/v1',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...environment,
    })
    const { hostname, username, password, pathname } = new URL(config.storeUrl)
    const user = database.environment
    expect([hostname, username, pathname]).toEqual([
      'database',
      user['POSTGRES_USER'],
      `/${user['POSTGRES_DB']}`,
    ])
    expect(withDefaults(user['POSTGRES_PASSWORD'] ?? '')).toBe(password)
    expect([config.host, config.port]).toEqual([undefined, 3000])
    expect(app.ports?.every((port) => port.endsWith(`:${config.port}`))).toBe(true)
    expect(Number.parseInt(app.stop_grace_period ?? '', 10)).toBeGreaterThan(
      (config.drainMs + STOP_GRACE_MS) / 1000,
    )
    expect(app.tmpfs).toContain(dirname(imageEnv.NODE_COMPILE_CACHE))
  })

  it("puts the sandbox on the app's loopback, at the address of .env.example", async () => {
    expect(sandbox).toMatchObject({ profiles: ['sandbox'], network_mode: 'service:app' })
    expect(readFileSync('.env.example', 'utf8')).toContain('TELEPHONY_BASE_URL=http://127.0.0.1:4010/api/v1')
    const [shell = '', option = '', script = ''] = sandbox.command ?? []
    expect([shell, option]).toEqual(['sh', '-c'])
    const folder = createFolder()
    const here = script
      .replaceAll('/repository/', `${resolve('.')}/`)
      .replace('npm ci --ignore-scripts', `ln -s ${resolve('node_modules')} node_modules`)
      .replace('exec node ', `exec ${process.execPath} `)
    const running = spawn(shell, [option, `${here} --port ${await freePort()}`], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
    })
    onTestFinished(() => void running.kill('SIGKILL'))
    let output = ''
    running.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    await expect
      .poll(() => output, { timeout: 10_000 })
      .toMatch(/TELEPHONY_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/api\/v1/)
  })
})

const manifestSchema = z.tuple([
  z.object({
    kind: z.literal('Secret'),
    metadata: z.object({ name: z.string() }),
    stringData: z.record(z.string(), z.string()),
  }),
  z.object({
    kind: z.literal('Deployment'),
    spec: z.object({
      selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
      template: z.object({
        metadata: z.object({ labels: z.record(z.string(), z.string()) }),
        spec: z.object({
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([
            z.object({
              ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
              env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
              readinessProbe: z.object({
                httpGet: z.object({ path: z.literal('/readyz'), port: z.string() }),
              }),
              livenessProbe: z.object({
                httpGet: z.object({ path: z.literal('/healthz'), port: z.string() }),
              }),
              lifecycle: z.object({
                preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
              }),
              securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
              volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            }),
          ]),
          volumes: z.array(
            z.object({ name: z.string(), secret: z.object({ secretName: z.string() }).optional() }),
          ),
        }),
      }),
    }),
  }),
  z.object({
    kind: z.literal('Service'),
    spec: z.object({
      selector: z.record(z.string(), z.string()),
      ports: z.array(z.object({ targetPort: z.string() })),
    }),
  }),
])

describe('docs/kubernetes.yaml', () => {
  const documents = parseAllDocuments(readFileSync('docs/kubernetes.yaml', 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const [secret, deployment, service] = manifestSchema.parse(documents)
  const { template, selector } = deployment.spec
  const [container] = template.spec.containers
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))

  it('reads its secrets from the files of its Secret, and can start', () => {
    const folder = createFolder()
    mkdirSync(join(folder, 'secrets'))
    const mount = container.volumeMounts.find(({ name }) => name === 'secrets')?.mountPath ?? ''
    const files: Record<string, string> = {}
    for (const [name, value] of Object.entries(env)) {
      expect(variableNames).toContain(name.replace(/_FILE$/, ''))
      if (!name.endsWith('_FILE')) continue
      expect(dirname(value)).toBe(mount)
      const text = secret.stringData[value.slice(mount.length + 1)] ?? ''
      expect(text, value).not.toBe('')
      files[name.replace(/_FILE$/, '')] = text
    }
    expect(Object.keys(files)).toHaveLength(Object.keys(secret.stringData).length)
    const others = Object.fromEntries(
      Object.entries({ ...imageEnv, ...env }).filter(([name]) => !name.endsWith('_FILE')),
    )
    const config = readConfig({
      ...others,
      ...files,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    })
    expect(config.storeUrl).toMatch(/^postgres:/)
    const preStopSeconds = Number(container.lifecycle.preStop.exec.command[1])
    const { terminationGracePeriodSeconds } = template.spec
    expect(terminationGracePeriodSeconds).toBeGreaterThan(
      preStopSeconds + (config.drainMs + STOP_GRACE_MS) / 1000,
    )
    expect(container.ports).toEqual([{ name: 'http', containerPort: config.port }])
  })

  it('is consistent', () => {
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    expect(service.spec.selector).toEqual(selector.matchLabels)
    const volumes = template.spec.volumes.map(({ name }) => name)
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes)
    expect(template.spec.volumes[0]?.secret?.secretName).toBe(secret.metadata.name)
    const ports = [container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.port)
    expect([...ports, service.spec.ports[0]?.targetPort]).toEqual(['http', 'http', 'http'])
    const writable = container.volumeMounts.map(({ mountPath }) => mountPath)
    expect(writable).toContain(dirname(imageEnv.NODE_COMPILE_CACHE))
    expect(existsSync('Dockerfile')).toBe(true)
  })
})
