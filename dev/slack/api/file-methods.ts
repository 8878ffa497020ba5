import { z } from 'zod'
import { fileJson } from '../actions/payloads.ts'
import type { Core } from '../core.ts'
import type { SlackFile } from '../files.ts'
import type { HttpResponse } from './faults.ts'
import { findChannel, id, MethodError, type Methods, read } from './methods.ts'

const uploadArguments = z.looseObject({ filename: id, length: z.coerce.number().int().min(1) })
/** Excludes people's ids: https://github.com/slackapi/bolt-js/issues/2115 */
const completionArguments = z.looseObject({
  files: z.array(z.looseObject({ id, title: z.string().optional() })).min(1),
  channel_id: z
    .string()
    .regex(/^[CGDZ][A-Z0-9]{2,}$/, 'input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$')
    .optional(),
})

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal, …/files.completeUploadExternal */
export const fileMethods: Methods = {
  'files.getUploadURLExternal': {
    scope: 'files:write',
    run: (args, { core, team }) => {
      const { filename, length } = read(uploadArguments, args, 'missing_argument')
      const { file, path } = core.files.offer(team, filename, length)
      return { upload_url: `${core.origin}${path}`, file_id: file.id }
    },
  },
  'files.completeUploadExternal': {
    scope: 'files:write',
    run: (args, context) => {
      const { core, team } = context
      const { files, channel_id: channelId } = read(completionArguments, args, 'invalid_arguments')
      const completed = files.map(({ id: fileId, title }): SlackFile => {
        const file = core.files.get(fileId)
        if (file?.content === undefined || file.team !== team) throw new MethodError('file_not_found')
        return Object.assign(file, { title: title ?? file.name })
      })
      if (channelId !== undefined) {
        const channel = findChannel({ channel: channelId }, context)
        if (!channel.isMember) throw new MethodError('not_in_channel')
        for (const file of completed) file.channel = channel.id
        core.messages.post({}, { channel: channel.id, team, via: 'api', files: completed })
      }
      return { files: completed.map(fileJson) }
    },
  },
}

/** Receives the content of a file. Slack responds with plain text. */
export function receiveFile(path: string, content: Buffer, core: Core): HttpResponse {
  const file = core.files.awaitedAt(path)
  if (file === undefined) return { status: 404, body: 'not found' }
  if (content.length !== file.length) {
    core.violations.push({
      where: 'upload',
      path: '',
      rule: `${content.length} bytes came, not ${file.length}`,
    })
    return { status: 400, body: 'wrong length' }
  }
  file.content = content
  return { status: 200, body: `OK - ${content.length}` }
}
