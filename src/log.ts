import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { type Logger as SlackLogger, LogLevel as SlackLogLevel } from '@slack/bolt'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { z } from 'zod'
import type { LogLevel } from './config/config.ts'
import type { Milliseconds } from './util/units.ts'

export type Log = Logger

/** The id of the interaction under way, which each of its log lines has as `req`. */
export type RequestIds = AsyncLocalStorage<string>

/** Only a second safeguard: callers never log secrets. */
const secretNames = ['key', 'secret', 'token', 'password', 'authorization', 'url', 'response_url']
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`])

/** Some libraries report errors that are no `Error`. */
function findCode(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error) return error.code
  return error instanceof Error ? findCode(error.cause) : undefined
}

/** Leaves out other properties, such as a database client with its password. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  return { type, code: findCode(error), message, stack }
}

const REPEATED_ERRORS_INTERVAL_MS: Milliseconds = 1000

/** Writes the first error of a key at once, and counts the others: an outage of the database would cause 100 lines a second. */
class RepeatedErrors {
  /** Counts of errors that weren't written, by key, until an interval passes without one. */
  readonly #counts = new Map<string, number>()

  write(key: string, writeFirst: () => void, writeCount: (count: number) => void): void {
    const count = this.#counts.get(key)
    if (count !== undefined) {
      this.#counts.set(key, count + 1)
      return
    }
    writeFirst()
    this.#counts.set(key, 0)
    const timer = setInterval(() => {
      const repeated = this.#counts.get(key) ?? 0
      this.#counts.set(key, 0)
      if (repeated > 0) {
        writeCount(repeated)
        return
      }
      clearInterval(timer)
      this.#counts.delete(key)
    }, REPEATED_ERRORS_INTERVAL_MS).unref()
  }
}

/** Returns the code or the type of the error that the line reports. */
function findErrorKind(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return undefined
  const { err } = fields
  const code = findCode(err)
  if (code !== undefined) return String(code)
  return err instanceof Error ? err.name : String(err)
}

export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
) {
  const requestIds: RequestIds = new AsyncLocalStorage()
  const repeatedErrors = new RepeatedErrors()
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: { paths: secretPaths, censor: '[redacted]' },
    mixin: () => {
      const req = requestIds.getStore()
      return req === undefined ? {} : { req }
    },
    hooks: {
      logMethod(args, write, lineLevel) {
        const [fields, message] = args
        const writeLine = () => write.apply(this, args)
        // An interaction's id is the reference in its apology, which has to lead to its lines.
        if (requestIds.getStore() !== undefined) return writeLine()
        const errorKind = findErrorKind(fields)
        if (errorKind === undefined) return writeLine()
        const writeCount = (count: number) => write.call(this, { err: errorKind, count }, message)
        const key = `${lineLevel} ${message} ${errorKind}`
        repeatedErrors.write(key, writeLine, writeCount)
      },
    },
  }
  return { log: pino(options, destination), requestIds }
}

/** Stays at `info`: at `debug` the SDK logs whole views, OAuth codes and, in Socket Mode, a submitted secret. */
export function slackLogger(log: Log): SlackLogger {
  const sdk = log.child({ part: 'slack-sdk' })
  const toText = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ')
  return {
    debug: () => {},
    info: (...parts) => sdk.info(toText(parts)),
    warn: (...parts) => sdk.warn(toText(parts)),
    error: (...parts) => sdk.error(toText(parts)),
    setLevel: () => {},
    getLevel: () => SlackLogLevel.INFO,
    setName: () => {},
  }
}

/** Only a build has a `build.json`. */
export function readBuild(): { readonly build: string; readonly commit?: string } {
  try {
    const text = readFileSync(new URL('build.json', import.meta.url), 'utf8')
    return { build: 'dist', ...z.object({ commit: z.string() }).parse(JSON.parse(text)) }
  } catch {
    return { build: 'sources' }
  }
}
