import { ErrorCode, LogLevel, WebClient } from '@slack/web-api'
import { afterEach, beforeEach } from 'vitest'
import { z } from 'zod'
import { type Slack, startSlack } from '../../../dev/slack/slack.ts'
import { plain } from './block-kit/samples.ts'
import { TinyApp } from './tiny-app.ts'

interface Fixture {
  slack: Slack
  app: TinyApp
  client: WebClient
}

/** Provides a stand-in, a tiny app and Slack's client for each test, and closes them afterwards. */
export function useFixture(options: Parameters<typeof startSlack>[0] = {}): Fixture {
  const fixture = {} as Fixture
  beforeEach(async () => {
    fixture.slack = await startSlack(options)
    fixture.app = await new TinyApp().start()
    fixture.client = new WebClient(fixture.slack.botToken, {
      slackApiUrl: fixture.slack.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logLevel: LogLevel.ERROR,
    })
  })
  afterEach(async () => {
    await fixture.app.close()
    await fixture.slack.close()
  })
  return fixture
}

interface WebApiError {
  readonly code: string
  readonly data?: { readonly error: string; readonly response_metadata?: { readonly messages?: string[] } }
  readonly retryAfter?: number
}

/** Returns Slack's `error` of a refused call. */
export const getError = async (call: Promise<unknown>) => (await getRefusal(call)).error

export async function getRefusal(call: Promise<unknown>) {
  const thrown = await call.then(
    () => undefined,
    (error: WebApiError) => error,
  )
  if (thrown?.code === ErrorCode.RateLimitedError)
    return { error: `ratelimited ${thrown.retryAfter}`, messages: [] }
  const { error = 'none', response_metadata: metadata } = thrown?.data ?? {}
  return { error, messages: metadata?.messages ?? [] }
}

/** Posts to a response_url like an app. */
export async function postTo(url: unknown, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(z.string().parse(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const button = (id: string) => ({
  type: 'button' as const,
  action_id: id,
  value: id,
  text: plain('Go'),
})
export const buttons = (...ids: string[]) => [{ type: 'actions' as const, elements: ids.map(button) }]
export const field = (block_id: string, action_id: string, fields: object = {}) => ({
  type: 'input' as const,
  block_id,
  label: plain('Label'),
  element: { type: 'plain_text_input' as const, action_id, ...fields },
})
