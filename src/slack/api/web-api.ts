import * as sdk from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { type HttpResponse, sendRequest, TimeLimit } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import { getCodeForLog } from './slack-failure.ts'
import { parseSlackResponse } from './slack-json.ts'

/** A person is waiting, and a `trigger_id` expires after 3 s. */
export const interactiveTimeoutMs: Milliseconds = 2500
export const backgroundTimeoutMs: Milliseconds = 10_000

/** @param address may be a secret: callers keep it out of errors and logs */
export async function postTo(
  dispatcher: Dispatcher,
  address: string,
  content: Pick<Dispatcher.DispatchOptions, 'headers' | 'body'>,
  timeoutMs: Milliseconds,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(address)
  const request = { ...content, origin, path: pathname + search, method: 'POST' } as const
  const limit = new TimeLimit(timeoutMs, signal)
  try {
    return await sendRequest(dispatcher, request, limit.signal)
  } finally {
    limit.clear()
  }
}

/** Replaces Node's own `fetch`, which needs four times the CPU. Rejects if a response of status 200 isn't Slack's JSON; the SDK handles others. */
export function createFetch(dispatcher: Dispatcher): sdk.FetchFunction {
  return async (url, { headers = {}, body = '', signal } = {}) => {
    if (typeof body !== 'string') throw new TypeError('files are uploaded elsewhere')
    // A client with a shorter timeout aborts the signal.
    const response = await postTo(dispatcher, String(url), { headers, body }, backgroundTimeoutMs, signal)
    if (response.status !== 200) return toFetchResponse(String(url), response)
    // Leaves out nulls: the SDK would read pages without end if their cursor is null.
    const slackJson = parseSlackResponse(response.text)
    // The SDK would take any other text for the code of a refusal. Logs show the code of an error instead of its message.
    if (!slackJson) throw Object.assign(new Error("not Slack's JSON"), { code: 'NOT_SLACK_JSON' })
    return toFetchResponse(String(url), { ...response, text: JSON.stringify(slackJson) })
  }
}

/** The global `Response` would load Node's own undici: 30 ms and 5 MB at the start. */
function toFetchResponse(url: string, { status, headers, text }: HttpResponse) {
  const received = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return {
    ok: status === 200,
    status,
    statusText: '',
    url,
    headers: { get: (name: string) => received.get(name) ?? null, entries: () => received.entries() },
    text: async () => text,
    json: async (): Promise<unknown> => JSON.parse(text),
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  }
}

/**
 * Serves all workspaces: Bolt would keep a client for each (255 MB of heap for 10,000). Never retries, because a person
 * is waiting, or a job has its own policy.
 */
export class SlackWebApi extends sdk.WebClient {
  readonly #log: sdk.Logger

  constructor(
    slackApiUrl: string,
    options: { timeout: Milliseconds; logger: sdk.Logger; fetch: sdk.FetchFunction },
  ) {
    super(undefined, {
      // No `headers`: the client would mutate them.
      ...options,
      slackApiUrl,
      // All workspaces would share the SDK's 100 slots, also while Slack hangs for one. Every request has a timeout.
      maxRequestConcurrency: Number.POSITIVE_INFINITY,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    })
    this.#log = options.logger
  }

  /** Logs Slack's code for each failed call here, where the log adds the id of the interaction. */
  override async apiCall(method: string, options?: Record<string, unknown>): Promise<sdk.WebAPICallResult> {
    try {
      return await super.apiCall(method, options)
    } catch (error) {
      this.#log.info(`${method} failed: ${getCodeForLog(error)}`)
      throw error
    }
  }
}
