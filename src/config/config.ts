import { createSecretKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

type Environment = Readonly<Record<string, string | undefined>>

export interface EncryptionKey {
  readonly id: string
  /** 32 bytes; a KeyObject decrypts in 3 µs where a Buffer takes 26. */
  readonly key: KeyObject
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Contains no values, because they may be secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(problems: readonly string[]) {
    super(`Callboard can't start. Please set:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** True for https, or http on this machine, without parts that could be secrets. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname))
}

/** Callboard's own paths begin at the root. */
export const isSafeOrigin = (text: string): boolean => isSafeUrl(text) && /^\/*$/.test(new URL(text).pathname)

/** @param expected what the value should be; a problem quotes it */
const textThat = (isValid: (text: string) => boolean, expected: string) =>
  z.string(expected).refine(isValid, expected)

const safeUrl = textThat(isSafeUrl, 'an https address (http on loopback only)')

const keyFormat = 'comma-separated id:base64 of 32 bytes each, with ids of letters, digits, - and _'
const KEY = /^\s*(?<id>[\w-]{1,32}):(?<base64>[A-Za-z0-9+/]+={0,2})\s*$/

const keyListSchema = z.string(keyFormat).transform((text, context): [EncryptionKey, ...EncryptionKey[]] => {
  const parts = text.split(',')
  const keys = new Map<string, EncryptionKey>()
  for (const part of parts) {
    const { id, base64 = '' } = KEY.exec(part)?.groups ?? {}
    const bytes = Buffer.from(base64, 'base64')
    if (id && bytes.length === 32) keys.set(id, { id, key: createSecretKey(bytes) })
  }
  const [current, ...others] = keys.values()
  const hasInvalidOrRepeated = keys.size < parts.length
  if (current && !hasInvalidOrRepeated) return [current, ...others]
  context.addIssue({ code: 'custom', message: keyFormat })
  return z.NEVER
})

/** Safe between the brackets of a link in a message. */
const isSupportUrl = (text: string) =>
  /^(https:\/\/|mailto:[^@\s<>|"]+@)[^\s<>|"]+$/.test(text) && URL.canParse(text)

/** The host may be missing, because the driver can use a socket. */
const isPostgresUrl = (text: string) =>
  /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text.replace('@/', '@localhost/'))

/** Without `allow` and `prefer`, which may connect without TLS. `no-verify` is the driver's own. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

function checkTls(parameters: URLSearchParams, context: z.RefinementCtx): void {
  const mode = parameters.get('sslmode')
  const report = (message: string) => context.addIssue({ code: 'custom', message })
  if (mode !== null && !SSL_MODES.includes(mode)) report(`sslmode: ${SSL_MODES.join(', ')}`)
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    report('sslmode=verify-ca: sslrootcert with the file of the CA, or sslmode=verify-full')
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = parameters.get(name)
    if (path !== null && !existsSync(path)) report(`${name}: a file that Callboard may read`)
  }
}

/** Checks the mode, and has the driver give it the same meaning as PostgreSQL's own programs do, without a warning. */
function toDriverUrl(url: string, context: z.RefinementCtx): string {
  const [address, query] = url.split('?')
  const parameters = new URLSearchParams(query)
  checkTls(parameters, context)
  const mode = parameters.get('sslmode')
  if (mode === null || mode === 'no-verify' || parameters.has('uselibpqcompat')) return url
  parameters.set('uselibpqcompat', 'true')
  return `${address}?${parameters}`
}

const isStoreUrl = (text: string) => /^sqlite:./.test(text) || isPostgresUrl(text)

const storeText = (isValid: (text: string) => boolean, expected: string) =>
  textThat(isValid, expected).transform((text, context) =>
    isPostgresUrl(text) ? toDriverUrl(text, context) : text,
  )

const optionalText = (pattern: RegExp, expected: string) => z.string().regex(pattern, expected).optional()
const integer = (min: number, max: number, expected: string) =>
  z.coerce.number(expected).int(expected).min(min, expected).max(max, expected)
const switchSchema = z.enum(['on', 'off'], 'on or off')

const signingSecretText = "the app's Signing Secret (Basic Information)"
const supportText = 'where people get help, an https address, or mailto: and an e-mail address'
const stateSecretText = 'random text of at least 16 characters'

const oauthVariables = z.object({
  SLACK_CLIENT_ID: z.string("the app's Client ID (Basic Information)"),
  SLACK_CLIENT_SECRET: z.string("the app's Client Secret (Basic Information)"),
  SLACK_STATE_SECRET: z.string(stateSecretText).min(16, stateSecretText),
  PUBLIC_URL: textThat(isSafeOrigin, "the app's own https address, without a path (http on loopback only)"),
  SUPPORT_URL: textThat(isSupportUrl, supportText),
})

/** For many workspaces. `publicUrl` has no trailing slash. */
const oauthSchema = oauthVariables.transform((env) => ({
  clientId: env.SLACK_CLIENT_ID,
  clientSecret: env.SLACK_CLIENT_SECRET,
  stateSecret: env.SLACK_STATE_SECRET,
  publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
  supportUrl: env.SUPPORT_URL,
}))
export type OAuthConfig = Readonly<z.infer<typeof oauthSchema>>

const variablesSchema = z.object({
  SLACK_SIGNING_SECRET: optionalText(/^\S+$/, signingSecretText),
  SLACK_BOT_TOKEN: optionalText(/^xox[a-z]-\S+$/, 'a Bot User OAuth Token, xoxb-…'),
  SLACK_APP_TOKEN: optionalText(/^xapp-\S+$/, 'an App-Level Token with connections:write, xapp-…'),
  // Required for many workspaces only: `readTenancy` parses them again.
  ...oauthVariables.partial().shape,
  METRICS_TOKEN: z.string().optional(),
  SLACK_API_URL: safeUrl.default('https://slack.com/api/'),
  TELEPHONY_BASE_URL: textThat(
    (text) => isSafeUrl(text) && /\/api\/v1\/?$/.test(text),
    'the https address of the phone service (http on loopback only), ending in /api/v1',
  ),
  RECORDINGS_BASE_URL: safeUrl.optional(),
  STORE_URL: storeText(isStoreUrl, 'sqlite:PATH or postgres://…').optional(),
  DATABASE_URL: storeText(isPostgresUrl, 'postgres://…').optional(),
  ENCRYPTION_KEYS: keyListSchema,
  PORT: integer(0, 65_535, 'a port, 0 to 65535').default(3000),
  HOST: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, `one of ${logLevels.join(', ')}`).default('info'),
  FETCH_AHEAD: switchSchema.default('on'),
  MCP: switchSchema.optional(),
  DRAIN_SECONDS: integer(0, 60, 'seconds, 0 to 60').default(0),
  ALERT_EVERY_SECONDS: integer(30, 600, 'seconds, 30 to 600').default(60),
  INVOICE_OPERATION: switchSchema.default('off'),
})

/** Quotes stay in the value in some places, such as Docker's `--env-file`. Control characters are invisible. */
const STRAY_CHARACTERS = /^["'“”‘’`]|["'“”‘’`]$|[\p{Cc}\p{Cf}]/u

/** Texts of variables, trimmed, since secrets are often pasted with a line break; blank ones are left out. */
class Variables {
  readonly texts: Record<string, string> = {}
  /** The first problem of each variable. */
  readonly #problems = new Map<string, string>()

  constructor(environment: Environment, names: readonly string[]) {
    for (const name of names) {
      const text = this.#read(environment, name)
      if (STRAY_CHARACTERS.test(text)) this.report(name, 'one line, without quotes or invisible characters')
      if (text !== '') this.texts[name] = text
    }
  }

  /** Reads `NAME`, or the file that `NAME_FILE` names: Docker and Kubernetes provide secrets as files. */
  #read(environment: Environment, name: string): string {
    const text = environment[name]?.trim() ?? ''
    const path = environment[`${name}_FILE`]?.trim() ?? ''
    if (path === '') return text
    if (text !== '') this.report(name, `not together with ${name}_FILE`)
    try {
      return readFileSync(path, 'utf8').trim()
    } catch {
      this.report(name, 'a file that Callboard may read', `${name}_FILE`)
      return ''
    }
  }

  report(name: string, expected: string, source = name): void {
    if (!this.#problems.has(name)) this.#problems.set(name, `${source}: ${expected}`)
  }

  parse<Values>(schema: z.ZodType<Values>): Values | undefined {
    const { data, error } = schema.safeParse(this.texts)
    for (const { path, message } of error?.issues ?? []) this.report(String(path[0]), message)
    return data
  }

  get problems(): readonly string[] {
    return [...this.#problems.values()]
  }
}

/** Socket Mode if both are set. */
function readTransport(variables: Variables) {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = variables.texts
  if (appToken !== undefined) return { appToken }
  if (signingSecret !== undefined) return { signingSecret }
  variables.report('SLACK_SIGNING_SECRET', signingSecretText)
  return undefined
}

const tenancyText =
  "the app's Bot User OAuth Token, xoxb-… (OAuth & Permissions); or, for many workspaces, SLACK_CLIENT_ID, " +
  'SLACK_CLIENT_SECRET, SLACK_STATE_SECRET, PUBLIC_URL and SUPPORT_URL'

/** Reports what is missing for many workspaces if one of Slack's variables for them is set. */
function readTenancy(variables: Variables) {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId } = variables.texts
  const { SLACK_CLIENT_SECRET: clientSecret, SLACK_STATE_SECRET: stateSecret } = variables.texts
  const isForMany = clientId !== undefined || clientSecret !== undefined || stateSecret !== undefined
  if (!isForMany) {
    if (botToken !== undefined) return { botToken }
    variables.report('SLACK_BOT_TOKEN', tenancyText)
    return undefined
  }
  if (botToken !== undefined)
    variables.report('SLACK_BOT_TOKEN', 'not together with SLACK_CLIENT_ID, which is for many workspaces')
  const oauth = variables.parse(oauthSchema)
  return oauth && { oauth }
}

export const variableNames: readonly string[] = Object.keys(variablesSchema.shape)

const storeSchema = variablesSchema.pick({ STORE_URL: true, DATABASE_URL: true })

const chooseStore = (env: z.infer<typeof storeSchema>): string =>
  env.STORE_URL ?? env.DATABASE_URL ?? 'sqlite:data/callboard.sqlite'

/** For backups, which need no other variable. @throws {ConfigError} */
export function readStoreUrl(environment: Environment): string {
  const variables = new Variables(environment, Object.keys(storeSchema.shape))
  const env = variables.parse(storeSchema)
  if (!env || variables.problems.length > 0) throw new ConfigError(variables.problems)
  return chooseStore(env)
}

/** @throws {ConfigError} */
export function readConfig(environment: Environment) {
  const variables = new Variables(environment, variableNames)
  const env = variables.parse(variablesSchema)
  // Read even after a problem, so that all problems are reported at once.
  const transport = readTransport(variables)
  const tenancy = readTenancy(variables)
  if (!env || !transport || !tenancy || variables.problems.length > 0)
    throw new ConfigError(variables.problems)
  // In Socket Mode, Slack sends nothing to an address.
  const usesHttp = transport.signingSecret !== undefined
  const defaultMcp = env.PUBLIC_URL === undefined ? 'off' : 'on'
  const apiUrl = env.SLACK_API_URL.replace(/\/?$/, '/')
  return {
    slack: { ...transport, ...tenancy, apiUrl },
    telephonyBaseUrl: env.TELEPHONY_BASE_URL,
    recordingsBaseUrl: env.RECORDINGS_BASE_URL,
    storeUrl: chooseStore(env),
    encryptionKeys: env.ENCRYPTION_KEYS,
    supportUrl: env.SUPPORT_URL,
    port: env.PORT,
    host: env.HOST,
    logLevel: env.LOG_LEVEL,
    fetchAhead: env.FETCH_AHEAD === 'on',
    /** Whether Slackbot may call tools, for which it needs an address. */
    mcp: usesHttp && (env.MCP ?? defaultMcp) === 'on',
    /** How long `/readyz` fails before a stop, so that a load balancer notices. */
    drainMs: env.DRAIN_SECONDS * 1000,
    alertEveryMs: env.ALERT_EVERY_SECONDS * 1000,
    invoiceOperation: env.INVOICE_OPERATION === 'on',
    metricsToken: env.METRICS_TOKEN,
  }
}

export type Config = ReturnType<typeof readConfig>
