import { createSecretKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { findTlsProblem, withUsualTlsModes } from './postgres-url.ts'
import { type Environment, readVariableFiles } from './variable-files.ts'

type Transport =
  | { readonly signingSecret: string; readonly appToken?: undefined }
  | { readonly appToken: string; readonly signingSecret?: undefined }

/** `publicUrl` has no trailing slash. */
export type OAuthConfig = Readonly<
  Record<'clientId' | 'clientSecret' | 'stateSecret' | 'publicUrl' | 'supportUrl', string>
>

type Tenancy =
  | { readonly botToken: string; readonly oauth?: undefined }
  | { readonly oauth: OAuthConfig; readonly botToken?: undefined }

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
    super(`Callboard can't start. Please set:\n${problems.map((p) => `  ${p}`).join('\n')}`)
  }
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname))
}

/** Callboard's own paths begin at the root. */
export const isSafeOrigin = (text: string): boolean => isSafeUrl(text) && /^\/*$/.test(new URL(text).pathname)

const textThat = (isValid: (text: string) => boolean, should: string) =>
  z.string(should).refine(isValid, should)

const safeUrl = textThat(isSafeUrl, 'an https address (http on loopback only)')

const keyFormat = 'comma-separated id:base64 of 32 bytes each, with ids of letters, digits, - and _'

const keyListSchema = z.string(keyFormat).transform((text, context): [EncryptionKey, ...EncryptionKey[]] => {
  const parts = text.split(',')
  const keys = new Map<string, EncryptionKey>()
  for (const part of parts) {
    const [, id, base64 = ''] = /^\s*([\w-]{1,32}):([A-Za-z0-9+/]+={0,2})\s*$/.exec(part) ?? []
    const bytes = Buffer.from(base64, 'base64')
    if (id && bytes.length === 32) keys.set(id, { id, key: createSecretKey(bytes) })
  }
  const [first, ...rest] = keys.values()
  if (first && keys.size === parts.length) return [first, ...rest]
  context.addIssue({ code: 'custom', message: keyFormat })
  return z.NEVER
})

/** Safe between the brackets of a link in a message. */
const isSupportUrl = (text: string) =>
  /^(https:\/\/|mailto:[^@\s<>|"]+@)[^\s<>|"]+$/.test(text) && URL.canParse(text)

/** The host may be missing, because the driver can use a socket. */
const isPostgresUrl = (text: string) =>
  /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text.replace('@/', '@localhost/'))

/** @param should what the whole value should be */
const storeText = (isValid: (text: string) => boolean, should: string) =>
  textThat(isValid, should).superRefine((text, context) => {
    const problem = isPostgresUrl(text) ? findTlsProblem(text) : undefined
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })

const isStoreUrl = (text: string) => /^sqlite:./.test(text) || isPostgresUrl(text)

const optionalText = (pattern: RegExp, should: string) => z.string().regex(pattern, should).optional()

const integer = (min: number, max: number, should: string) =>
  z.coerce.number(should).int(should).min(min, should).max(max, should)

const switchSchema = z.enum(['on', 'off'], 'on or off')

const variablesSchema = z.object({
  SLACK_SIGNING_SECRET: optionalText(/^\S+$/, "the app's Signing Secret (Basic Information)"),
  SLACK_BOT_TOKEN: optionalText(/^xox[a-z]-\S+$/, 'a Bot User OAuth Token, xoxb-…'),
  SLACK_APP_TOKEN: optionalText(/^xapp-\S+$/, 'an App-Level Token with connections:write, xapp-…'),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_STATE_SECRET: z.string().min(16, 'random text of at least 16 characters').optional(),
  PUBLIC_URL: textThat(isSafeOrigin, 'an https address without a path (http on loopback only)').optional(),
  SUPPORT_URL: textThat(isSupportUrl, 'an https address, or mailto: and an e-mail address').optional(),
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

const OAUTH_VARIABLES = {
  SLACK_CLIENT_ID: "the app's Client ID (Basic Information)",
  SLACK_CLIENT_SECRET: "the app's Client Secret (Basic Information)",
  SLACK_STATE_SECRET: 'random text of at least 16 characters',
  PUBLIC_URL: "the app's own https address, which Slack sends people back to",
  SUPPORT_URL: 'where people get help, an https address, or mailto: and an e-mail address',
}

function readTransport(env: Environment, problems: string[]): Transport | undefined {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env
  if (appToken !== undefined) return { appToken, signingSecret: undefined }
  if (signingSecret !== undefined) return { signingSecret, appToken: undefined }
  problems.push("SLACK_SIGNING_SECRET: the app's Signing Secret (Basic Information)")
  return undefined
}

function readTenancy(env: Environment, problems: string[]): Tenancy | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = env
  const { SLACK_STATE_SECRET: stateSecret, PUBLIC_URL: publicUrl, SUPPORT_URL: supportUrl } = env
  if (!clientId && !clientSecret && !stateSecret) {
    if (botToken) return { botToken, oauth: undefined }
    problems.push(
      "SLACK_BOT_TOKEN: the app's Bot User OAuth Token, xoxb-… (OAuth & Permissions); or, for many workspaces, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET, PUBLIC_URL and SUPPORT_URL",
    )
    return undefined
  }
  if (botToken)
    problems.push('SLACK_BOT_TOKEN: not together with SLACK_CLIENT_ID, which is for many workspaces')
  for (const [name, text] of Object.entries(OAUTH_VARIABLES))
    if (!env[name]) problems.push(`${name}: ${text}`)
  if (!clientId || !clientSecret || !stateSecret || !publicUrl || !supportUrl) return undefined
  const address = publicUrl.replace(/\/+$/, '')
  return {
    oauth: { clientId, clientSecret, stateSecret, publicUrl: address, supportUrl },
    botToken: undefined,
  }
}

export const variableNames: readonly string[] = Object.keys(variablesSchema.shape)

/** Quotes stay in the value in some places, such as Docker's `--env-file`. Control characters are invisible. */
const STRAY_CHARACTERS = /^["'“”‘’`]|["'“”‘’`]$|[\p{Cc}\p{Cf}]/u

/** Trims, since secrets are often pasted with a line break; blank values count as unset. */
function trimVariables(environment: Environment): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const name of variableNames) {
    const value = environment[name]?.trim() ?? ''
    if (value !== '') variables[name] = value
  }
  return variables
}

const storeVariables = variablesSchema.pick({ STORE_URL: true, DATABASE_URL: true })
type StoreVariables = z.infer<typeof storeVariables>

function chooseStore(env: StoreVariables): string {
  const url = env.STORE_URL ?? env.DATABASE_URL ?? 'sqlite:data/callboard.sqlite'
  return isPostgresUrl(url) ? withUsualTlsModes(url) : url
}

/** Reads, trims and checks the texts of variables. `problems` are by variable. */
function readVariables(environment: Environment) {
  const files = readVariableFiles(environment, variableNames)
  const variables = trimVariables(files.variables)
  const problems = new Map(files.problems)
  for (const [name, value] of Object.entries(variables))
    if (STRAY_CHARACTERS.test(value))
      problems.set(name, `${name}: one line, without quotes or invisible characters`)
  return { variables, problems }
}

/** For backups, which need no other variable. @throws {ConfigError} */
export function readStoreUrl(environment: Environment): string {
  const { variables, problems } = readVariables(environment)
  const { data } = storeVariables.safeParse(variables)
  for (const name of Object.keys(storeVariables.shape)) {
    const problem = problems.get(name)
    if (problem !== undefined) throw new ConfigError([problem])
  }
  if (!data) throw new ConfigError(['STORE_URL: sqlite:PATH or postgres://…'])
  return chooseStore(data)
}

/** @throws {ConfigError} */
export function readConfig(environment: Environment) {
  const { variables, problems: known } = readVariables(environment)
  const problems: string[] = []
  const transport = readTransport(variables, problems)
  const tenancy = readTenancy(variables, problems)
  const { data: env, error } = variablesSchema.safeParse(variables)
  const errors = error ? z.flattenError(error).fieldErrors : {}
  for (const [name, [message]] of Object.entries(errors)) problems.push(`${name}: ${message}`)
  // A variable whose text is wrong isn't also reported as missing or invalid.
  const others = problems.filter((problem) => !known.has(problem.split(':')[0] ?? ''))
  if (!transport || !tenancy || !env || known.size + others.length > 0)
    throw new ConfigError([...known.values(), ...others])
  const hasAddress = transport.signingSecret !== undefined
  const usualMcp = env.PUBLIC_URL === undefined ? 'off' : 'on'
  const apiUrl = env.SLACK_API_URL.replace(/\/?$/, '/')
  return {
    slack: { ...transport, ...tenancy, apiUrl },
    telephonyBaseUrl: env.TELEPHONY_BASE_URL,
    recordingsBaseUrl: env.RECORDINGS_BASE_URL,
    storeUrl: chooseStore(env),
    /** The first encrypts, all decrypt. */
    encryptionKeys: env.ENCRYPTION_KEYS,
    supportUrl: env.SUPPORT_URL,
    port: env.PORT,
    /** `undefined`: every interface. */
    host: env.HOST,
    logLevel: env.LOG_LEVEL,
    fetchAhead: env.FETCH_AHEAD === 'on',
    /** Whether Slackbot may call tools, for which it needs an address. */
    mcp: hasAddress && (env.MCP ?? usualMcp) === 'on',
    /** On SIGTERM, for a load balancer that asks `/readyz`. */
    drainMs: env.DRAIN_SECONDS * 1000,
    alertEveryMs: env.ALERT_EVERY_SECONDS * 1000,
    invoiceOperation: env.INVOICE_OPERATION === 'on',
    metricsToken: env.METRICS_TOKEN,
  }
}

export type Config = ReturnType<typeof readConfig>
