import type { WebClient } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { withoutUrl } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'
import {
  isUselessToken,
  postDirectMessage,
  postTo,
  SlackUnavailableError,
  slackFailure,
  toUnsent,
} from './web-api.ts'

const UPLOAD_TIMEOUT_MS: Milliseconds = 120_000

export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError'
  readonly code

  constructor(code: string, options: ErrorOptions) {
    super(`Slack refused a file: ${code}`, options)
    this.code = code
  }
}

interface FileToSend {
  readonly name: string
  readonly content: Uint8Array
  readonly signal?: AbortSignal | undefined
}

function fileFailure(method: string, cause: unknown) {
  const result = toUnsent(cause)
  return result.kind === 'refused' && !isUselessToken(result.code)
    ? new FileRefusedError(result.code, { cause })
    : slackFailure(`${method} failed`, cause)
}

/**
 * Every method throws FileRefusedError, SlackUnavailableError or TokenRefusedError. The SDK's `filesUploadV2` can't be
 * aborted, and shares a file in the same call, although an export has to record in between that it is about to be sent.
 */
export class Files {
  readonly #webApi: WebClient
  readonly #dispatcher: Dispatcher

  constructor({ webApi, dispatcher }: { webApi: WebClient; dispatcher: Dispatcher }) {
    this.#webApi = webApi
    this.#dispatcher = dispatcher
  }

  /**
   * Sends a person a direct message with a file below it, once. Neither appears before Slack has the whole file.
   * @throws {DirectMessageRefusedError} too
   */
  async send(token: string, person: string, message: Message, file: FileToSend): Promise<void> {
    const id = await this.upload(token, file)
    // A file can only be shared by the conversation's id, which this response contains
    // (https://github.com/slackapi/bolt-js/issues/2115).
    const { channel } = await postDirectMessage(this.#webApi, token, person, message)
    const result = await this.share(token, { id, name: file.name }, channel)
    if (result === 'unknown') throw new SlackUnavailableError('Slack: a file may not have arrived')
  }

  /** Uploads a file, which stays invisible until it is shared. Returns its id. */
  async upload(token: string, file: FileToSend): Promise<string> {
    const method = 'files.getUploadURLExternal'
    const { name: filename, content, signal } = file
    const length = content.byteLength
    const asked = this.#webApi.files.getUploadURLExternal({ token, filename, length })
    const { upload_url: url, file_id: id } = await asked.catch((cause: unknown) => {
      throw fileFailure(method, cause)
    })
    if (!url || !id) throw new SlackUnavailableError(`Slack: ${method} returned no address`)
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(length) }
    const sending = postTo(this.#dispatcher, url, { headers, body: content }, UPLOAD_TIMEOUT_MS, signal)
    const { status } = await sending.catch((error: unknown) => {
      throw new SlackUnavailableError('Slack: an upload failed', { cause: withoutUrl(error) })
    })
    if (status !== 200) throw new SlackUnavailableError(`Slack: an upload returned ${status}`)
    return id
  }

  /**
   * Shares an uploaded file in a conversation, once. Returns `unknown` if it may have been shared.
   * @param channel a direct message's own id, not the person's
   */
  async share(
    token: string,
    { id, name }: { readonly id: string; readonly name: string },
    channel: string,
  ): Promise<'shared' | 'unknown'> {
    const files: [{ id: string; title: string }] = [{ id, title: name }]
    try {
      await this.#webApi.files.completeUploadExternal({ token, files, channel_id: channel })
      return 'shared'
    } catch (cause) {
      if (toUnsent(cause).kind === 'unknown') return 'unknown'
      throw fileFailure('files.completeUploadExternal', cause)
    }
  }
}
