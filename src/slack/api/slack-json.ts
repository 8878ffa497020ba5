import { z } from 'zod'

/** Slack's gateways and proxies in between send pages and other texts, even with status 200. */
export class NotSlackJsonError extends Error {
  override readonly name = 'NotSlackJsonError'
  /** For logs. */
  readonly code = 'NOT_SLACK_JSON'
}

export const slackResponseSchema = z.object({ ok: z.boolean(), error: z.string().nullish() })

/** @throws {NotSlackJsonError} */
export function checkResponse(text: string): void {
  try {
    slackResponseSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new NotSlackJsonError('a response that is not JSON of Slack', { cause })
  }
}

/** Such as `channel_not_found`. */
export const isSlackCode = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z][a-z0-9_]{2,79}$/.test(text)
