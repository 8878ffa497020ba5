import type { WebClient } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { withoutUrl } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'
import { postDirectMessage } from './messages.ts'
import { askSlack, SlackFailure, toRequestFailure, toSlackFailure } from './slack-failure.ts'
import { postTo } from './web-api.ts'

const UPLOAD_TIMEOUT_MS: Milliseconds = 120_000

interface FileToSend {
  readonly name: string
  readonly content: Uint8Array
  readonly signal?: AbortSignal | undefined
}

/**
 * Replaces the SDK's `filesUploadV2`, which can't be aborted and leaves no time to record that sharing begins.
 * Every method @throws {SlackFailure}
 */
export class Files {
  readonly #services

  constructor(services: { webApi: WebClient; dispatcher: Dispatcher }) {
    this.#services = services
  }

  /** Uploads the file first, so that no message appears without it. */
  async send(token: string, person: string, message: Message, file: FileToSend): Promise<void> {
    const id = await this.upload(token, file)
    // Sharing needs the conversation's id from this response (https://github.com/slackapi/bolt-js/issues/2115).
    const { channel } = await postDirectMessage(this.#services.webApi, token, person, message)
    const result = await this.share(token, { id, name: file.name }, channel)
    if (result === 'unknown') throw new SlackFailure('a file may not have arrived')
  }

  /** Returns the id of the file, which stays invisible until it is shared. */
  async upload(token: string, file: FileToSend): Promise<string> {
    const { webApi, dispatcher } = this.#services
    const method = 'files.getUploadURLExternal'
    const { name: filename, content, signal } = file
    const length = content.byteLength
    const asking = webApi.files.getUploadURLExternal({ token, filename, length })
    const { upload_url: url, file_id: id } = await askSlack(method, asking)
    if (!url || !id) throw new SlackFailure(`${method} returned no address`)
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(length) }
    const sending = postTo(dispatcher, url, { headers, body: content }, UPLOAD_TIMEOUT_MS, signal)
    const { status } = await sending.catch((error: unknown) => {
      throw new SlackFailure('an upload failed', undefined, { cause: withoutUrl(error) })
    })
    if (status !== 200) throw new SlackFailure(`an upload returned ${status}`)
    return id
  }

  /** Returns `unknown` if it may have been shared. @param channel a direct message's own id, not the person's */
  async share(
    token: string,
    { id, name }: { readonly id: string; readonly name: string },
    channel: string,
  ): Promise<'shared' | 'unknown'> {
    const files: [{ id: string; title: string }] = [{ id, title: name }]
    try {
      await this.#services.webApi.files.completeUploadExternal({ token, files, channel_id: channel })
      return 'shared'
    } catch (cause) {
      if (toRequestFailure(cause).kind === 'unknown') return 'unknown'
      throw toSlackFailure('files.completeUploadExternal', cause)
    }
  }
}
