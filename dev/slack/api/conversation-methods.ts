import type { Channel } from '../directory.ts'
import type { Json } from '../shapes.ts'
import { findChannel, type MethodContext, MethodError, type Methods } from './methods.ts'

/** Returns the scope for reading a conversation of this type. */
function readScope(args: Json, { core, team }: MethodContext): string | undefined {
  const channel = core.directory.channel(team, String(args['channel']))
  if (channel === undefined) return undefined
  if (channel.directWith !== undefined) return 'im:read'
  if (channel.isGroupMessage) return 'mpim:read'
  return channel.isPrivate ? 'groups:read' : 'channels:read'
}

export const conversationMethods: Methods = {
  'conversations.info': {
    scope: readScope,
    run: (args, context) => ({ channel: channelJson(findChannel(args, context)) }),
  },
  /** https://docs.slack.dev/reference/methods/conversations.join */
  'conversations.join': {
    scope: 'channels:join',
    run: (args, context) => {
      const channel = findChannel(args, context)
      if (channel.isPrivate || channel.directWith !== undefined)
        throw new MethodError('method_not_supported_for_channel_type')
      if (channel.isArchived) throw new MethodError('is_archived')
      channel.isMember = true
      return { channel: channelJson(channel) }
    },
  },
  /** https://docs.slack.dev/reference/methods/users.conversations */
  'users.conversations': {
    scope: 'channels:read',
    run: ({ user }, { core, team }) => {
      const isListed = (channel: Channel): boolean => {
        if (typeof user !== 'string') return channel.isMember
        // Other people's private channels are listed only if the app is in them, too.
        if (channel.isPrivate && !channel.isMember) return false
        return core.directory.getMemberIds(team, channel).includes(user)
      }
      const channels = core.directory.channels
        .filter(({ teamId }) => teamId === team.teamId)
        .filter(({ directWith, isGroupMessage }) => !directWith && !isGroupMessage)
      return { channels: channels.filter(isListed).map(channelJson) }
    },
  },
}

/** https://docs.slack.dev/reference/objects/conversation-object */
function channelJson(channel: Channel): Json {
  const isIm = channel.directWith !== undefined
  const isOrgShared = channel.sharedWith.length > 0
  const teams = [channel.teamId, ...channel.sharedWith]
  return {
    id: channel.id,
    ...(isIm ? { user: channel.directWith } : { name: channel.name, name_normalized: channel.name }),
    is_channel: !channel.isPrivate && !isIm,
    is_group: channel.isPrivate,
    is_im: isIm,
    is_mpim: channel.isGroupMessage ?? false,
    is_private: channel.isPrivate || isIm,
    is_archived: channel.isArchived,
    is_member: channel.isMember,
    is_shared: channel.isExtShared || isOrgShared,
    is_ext_shared: channel.isExtShared,
    is_org_shared: isOrgShared,
    is_pending_ext_shared: channel.isPendingExtShared,
    ...(isIm ? {} : { shared_team_ids: teams, internal_team_ids: isOrgShared ? teams : [] }),
    context_team_id: channel.teamId,
  }
}
