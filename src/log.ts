import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { type Logger as SlackLogger, LogLevel as SlackLogLevel } from '@slack/bolt'
import { type DestinationStream, type Logger, pino } from 'pino'
import { z } from 'zod'
import type { LogLevel } from './config/config.ts'

export type Log = Logger

/** Adds the id of the interaction to each log line, as `req`. */
export type RequestIds = AsyncLocalStorage<string>

/** A second safeguard, because callers never log secrets. */
const secretPaths = ['key', 'secret', 'token', 'password', 'authorization', 'url', 'response_url'].flatMap(
  (name) => [name, `*.${name}`],
)

function findCode(error: Error): unknown {
  if ('code' in error) return error.code
  return error.cause instanceof Error ? findCode(error.cause) : undefined
}

/** Leaves out other properties, such as a database client with its password. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  return { type, code: findCode(error), message, stack }
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
