import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger as SlackLogger, LogLevel as SlackLogLevel } from '@slack/bolt'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config/config.ts'

export type Log = Logger

/** Runs one interaction so that every line logged during it, by any part, carries its id as `req`. */
export type RequestIds = AsyncLocalStorage<string>

/** Nothing secret is ever handed to the log; the redaction below is the second lock on that door. */
const secretPaths = ['key', 'secret', 'token', 'password', 'authorization', 'url', 'response_url'].flatMap(
  (name) => [name, `*.${name}`],
)

/** The code of an error or of what caused it: of the database, the network, Slack. */
function codeOf(error: Error): unknown {
  if ('code' in error) return error.code
  return error.cause instanceof Error ? codeOf(error.cause) : undefined
}

/**
 * Of an error only what it says, in words and as a code: libraries hang on it whatever they have at hand, such as the
 * database's client with its keys.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  return { type, code: codeOf(error), message, stack }
}

export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
) {
  const requestIds: RequestIds = new AsyncLocalStorage()
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: { paths: secretPaths, censor: '[redacted]' },
      mixin: () => {
        const req = requestIds.getStore()
        return req === undefined ? {} : { req }
      },
    },
    destination,
  )
  return { log, requestIds }
}

/**
 * The SDK's logger, never below `info` whatever LOG_LEVEL says: at `debug` the SDK prints whole views,
 * OAuth codes and, in Socket Mode, a submitted secret.
 */
export function slackLogger(log: Log): SlackLogger {
  const sdk = log.child({ part: 'slack-sdk' })
  const words = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ')
  return {
    debug: () => {},
    info: (...parts) => sdk.info(words(parts)),
    warn: (...parts) => sdk.warn(words(parts)),
    error: (...parts) => sdk.error(words(parts)),
    setLevel: () => {},
    getLevel: () => SlackLogLevel.INFO,
    setName: () => {},
  }
}
