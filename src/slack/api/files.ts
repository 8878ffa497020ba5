import type { Readable } from 'node:stream'
import type { WebClient } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { withoutUrl } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'
import { postDirectMessage, toResult } from './post-message.ts'
import { postTo, SlackUnavailableError, slackErrorCode, slackFailure } from './web-api.ts'

/**
 * Why there is no file, and trying at once would not help.
 * https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors, …/files.completeUploadExternal#errors
 */
export const fileRefusals = [
  'missing_scope',
  'file_uploads_disabled',
  'file_uploads_except_images_disabled',
  'file_type_not_allowed',
  'file_upload_size_restricted',
  'storage_limit_reached',
  'ekm_access_denied',
  'posting_to_channel_denied',
  'file_update_failed',
] as const
export type FileRefusal = (typeof fileRefusals)[number]

export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError'
  readonly code

  constructor(code: FileRefusal, options: ErrorOptions) {
    super(`Slack takes no file: ${code}`, options)
    this.code = code
  }
}

interface FileToSend {
  /** With its ending, such as `audit-log.csv`. */
  readonly name: string
  readonly bytes: number
  readonly content: Uint8Array | Readable
  readonly signal?: AbortSignal | undefined
}

function fileFailure(method: string, cause: unknown) {
  const code = fileRefusals.find((one) => one === slackErrorCode(cause))
  if (code === undefined) return slackFailure(`${method} failed`, cause)
  return new FileRefusedError(code, { cause })
}

const uploadTimeoutMs: Milliseconds = 120_000

export class Files {
  readonly #webApi: WebClient
  readonly #dispatcher: Dispatcher

  constructor({ webApi, dispatcher }: { webApi: WebClient; dispatcher: Dispatcher }) {
    this.#webApi = webApi
    this.#dispatcher = dispatcher
  }

  /**
   * Sends a person a direct message, and a file below it. Neither is there before Slack has the whole file. It is tried
   * once: nobody gets a file twice.
   * @throws {FileRefusedError | DirectMessageRefusedError | SlackUnavailableError | TokenRefusedError}
   */
  async send(token: string, person: string, message: Message, file: FileToSend): Promise<void> {
    const id = await this.upload(token, file)
    // A file can't be put into a direct message by the person's id, and this answers with the conversation's
    // (https://github.com/slackapi/bolt-js/issues/2115).
    const { channel } = await postDirectMessage(this.#webApi, token, person, message)
    const result = await this.share(token, { id, name: file.name }, channel)
    if (result === 'unknown') throw new SlackUnavailableError('Slack: a file may not have arrived')
  }

  /**
   * Nobody sees the file before it is shared. @returns its id
   * @throws {FileRefusedError | SlackUnavailableError | TokenRefusedError}
   */
  async upload(token: string, file: FileToSend): Promise<string> {
    const method = 'files.getUploadURLExternal'
    const asked = this.#webApi.files.getUploadURLExternal({ token, filename: file.name, length: file.bytes })
    const { upload_url: url, file_id: id } = await asked.catch((cause: unknown) => {
      throw fileFailure(method, cause)
    })
    if (!url || !id) throw new SlackUnavailableError(`Slack: ${method} gave no address`)
    await this.#upload(url, file)
    return id
  }

  /**
   * Puts an uploaded file into a conversation, once: whether to try again is the caller's to say.
   * @param channel a direct message's own id, not the person's
   * @returns `unknown` where it may be there
   * @throws {FileRefusedError | SlackUnavailableError | TokenRefusedError} where it is not
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
      if (toResult(cause).kind === 'unknown') return 'unknown'
      throw fileFailure('files.completeUploadExternal', cause)
    }
  }

  async #upload(url: string, { bytes, content, signal }: FileToSend): Promise<void> {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(bytes) }
    const request = { headers, body: content, timeoutMs: uploadTimeoutMs, signal }
    const { status } = await postTo(this.#dispatcher, url, request).catch((error: unknown) => {
      throw new SlackUnavailableError('Slack: an upload failed', { cause: withoutUrl(error) })
    })
    if (status !== 200) throw new SlackUnavailableError(`Slack: an upload was answered ${status}`)
  }
}
