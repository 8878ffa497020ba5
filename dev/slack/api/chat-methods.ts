import { z } from 'zod'
import { messageJson } from '../actions/payloads.ts'
import { type Json, messageBody } from '../shapes.ts'
import type { Message } from '../surfaces.ts'
import {
  findChannel,
  id,
  type MethodContext,
  MethodError,
  type Methods,
  read,
  throwIfRefused,
} from './methods.ts'

/** https://docs.slack.dev/reference/methods/chat.postMessage, …/chat.update, …/chat.getPermalink */
export const chatMethods: Methods = {
  'chat.postMessage': {
    scope: 'chat:write',
    run: (args, context) => {
      const { core, team } = context
      const channel = findChannel(args, context)
      if (!channel.isMember) throw new MethodError('not_in_channel')
      if (channel.isArchived) throw new MethodError('is_archived')
      throwIfRefused(core.checkMessage(args, 'chat.postMessage'))
      const message = core.messages.post(messageBody.parse(args), { channel: channel.id, team, via: 'api' })
      return { channel: channel.id, ts: message.ts, message: messageJson(message) }
    },
  },
  'chat.update': {
    scope: 'chat:write',
    run: (args, context) => {
      const original = ownMessage(args, context)
      if (findChannel(args, context).isArchived) throw new MethodError('is_inactive')
      throwIfRefused(context.core.checkMessage(args, 'chat.update'))
      const message = context.core.messages.replace(original, messageBody.parse(args), 'api')
      return { channel: message.channel, ts: message.ts, text: message.text, message: messageJson(message) }
    },
  },
  'chat.getPermalink': {
    run: (args, context) => {
      const { id: channel } = findChannel(args, context)
      const { message_ts: ts } = read(z.looseObject({ message_ts: id }), args, 'invalid_arguments')
      const message = context.core.messages.get(ts)
      if (message === undefined || message.channel !== channel || message.onlyFor !== undefined) {
        throw new MethodError('message_not_found')
      }
      const { domain } = context.team
      return { channel, permalink: `https://${domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}` }
    },
  },
}

/**
 * Finds the message of a call. An ephemeral message can't be changed by its ts. A person's id stands for the direct message
 * only where a message is posted.
 */
function ownMessage(args: Json, context: MethodContext): Message {
  const { ts } = read(z.looseObject({ ts: id }), args, 'message_not_found')
  const channel = findChannel(args, context)
  if (channel.id !== args['channel']) throw new MethodError('channel_not_found')
  const message = context.core.messages.get(ts)
  if (message === undefined || message.channel !== channel.id || message.onlyFor !== undefined) {
    throw new MethodError('message_not_found')
  }
  return message
}
