import type { User } from '../directory.ts'
import { type Channel, payloadName, type Team } from '../directory.ts'
import type { SlackFile } from '../files.ts'
import type { Json } from '../shapes.ts'
import type { Message, Surface, View } from '../surfaces.ts'
import { stateValues } from './elements.ts'

// Slack still sends the deprecated verification token. Apps should ignore it.
const TOKEN = 'verification-token-nobody-reads'

/** https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling: all values are strings. */
export function commandFields(invocation: {
  team: Team
  user: User
  channel: Channel
  command: string
  text: string
  responseUrl: string
  triggerId: string
}): Record<string, string> {
  const { team, user, channel, command, text, responseUrl, triggerId } = invocation
  return {
    token: TOKEN,
    team_id: team.teamId,
    team_domain: team.domain,
    ...(team.enterpriseId === undefined
      ? {}
      : { enterprise_id: team.enterpriseId, enterprise_name: team.enterpriseName ?? team.enterpriseId }),
    channel_id: channel.id,
    channel_name: payloadName(channel),
    user_id: user.id,
    user_name: user.name,
    command,
    text,
    api_app_id: team.appId,
    is_enterprise_install: String(team.isEnterpriseInstall),
    response_url: responseUrl,
    trigger_id: triggerId,
  }
}

/**
 * Returns the common fields of block_actions, block_suggestion, view_submission and view_closed. A click on an ephemeral
 * message of an organization-wide installation names no team (java-slack-sdk's payload tests; bolt-js issue 1875).
 */
export function interactionFields(
  type: string,
  team: Team,
  user: User,
  { isEphemeral = false }: { readonly isEphemeral?: boolean } = {},
): Json {
  const enterprise =
    team.enterpriseId === undefined
      ? null
      : { id: team.enterpriseId, name: team.enterpriseName ?? team.enterpriseId }
  return {
    type,
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
    api_app_id: team.appId,
    token: TOKEN,
    team:
      isEphemeral && team.isEnterpriseInstall
        ? null
        : {
            id: team.teamId,
            domain: team.domain,
            ...(enterprise === null
              ? {}
              : { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
          },
    enterprise,
    is_enterprise_install: team.isEnterpriseInstall,
  }
}

/** https://docs.slack.dev/reference/views: a view in a payload, with the values of its elements. */
export function viewJson(view: View, values = stateValues(view.blocks)): Json {
  const { team } = view
  return {
    id: view.id,
    team_id: team.teamId,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values },
    hash: view.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: false,
    notify_on_close: false,
    close: view.close ?? null,
    submit: view.submit ?? null,
    previous_view_id: null,
    root_view_id: view.id,
    app_id: team.appId,
    external_id: '',
    app_installed_team_id: team.teamId,
    bot_id: team.botId,
  }
}

/** Returns the fields of a payload that describe the place of a click. Slack leaves out an ephemeral message. */
export function surfaceFields(
  surface: Surface,
  entered?: ReadonlyMap<string, Json>,
  channelName = 'unknown',
): Json {
  if (surface.view !== undefined) {
    const { view } = surface
    return {
      container: { type: 'view', view_id: view.id },
      view: viewJson(view, stateValues(view.blocks, {}, entered)),
    }
  }
  const { message } = surface
  const isEphemeral = message.onlyFor !== undefined
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
    },
    channel: { id: message.channel, name: channelName },
    ...(isEphemeral ? {} : { message: messageJson(message) }),
  }
}

export function messageJson(message: Message): Json {
  const { team, text, ts, blocks } = message
  return {
    type: 'message',
    user: team.botUserId,
    bot_id: team.botId,
    app_id: team.appId,
    team: team.teamId,
    text,
    ts,
    blocks,
    ...(message.files === undefined ? {} : { files: message.files.map(fileJson) }),
  }
}

/** https://docs.slack.dev/reference/objects/file-object */
export const fileJson = ({ id, name, title = name, length }: SlackFile): Json => ({
  id,
  name,
  title,
  size: length,
})

/** https://docs.slack.dev/apis/events-api#callback-field */
export function eventEnvelope(team: Team, event: Json, nowMs: number, id: string): Json {
  return {
    token: TOKEN,
    team_id: team.teamId,
    ...(team.enterpriseId === undefined ? {} : { enterprise_id: team.enterpriseId }),
    api_app_id: team.appId,
    event,
    type: 'event_callback',
    event_id: `Ev${id.replace('.', '')}`,
    event_time: Math.floor(nowMs / 1000),
    authorizations: [
      {
        enterprise_id: team.enterpriseId ?? null,
        team_id: team.teamId,
        user_id: team.botUserId,
        is_bot: true,
        is_enterprise_install: team.isEnterpriseInstall,
      },
    ],
    is_ext_shared_channel: false,
  }
}
