import type { Word } from '../../grammar/words.ts'
import type { ScheduledPosts, ScheduleInfo } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { postMessage } from '../../slack/api/post-message.ts'
import { SlackUnavailableError } from '../../slack/api/web-api.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { channelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { Zone } from '../../time/types.ts'
import { parseZone, suggestZones } from '../../time/zone-names.ts'
import { zoneMenuId } from './connect-view.ts'
import {
  changedMessage,
  changedSinceMessage,
  tooManyZonesAnswer,
  unknownZoneMessage,
  type ZoneView,
  zoneActions,
  zoneIsScheduledAnswer,
  zoneMessage,
  zoneNotice,
} from './zone-view.ts'

const mostSuggestions = 3

/** The time zones of channels. */
export function timeZones(
  { store, workspaces, guards, channels, webApi, audit, homeTab, log, now }: Services,
  schedules: readonly ScheduledPosts[],
): FeatureRoutes {
  async function viewOf({ actor, tenant, channel, channelName }: Interaction): Promise<ZoneView> {
    const shown = await workspaces.zone(tenant, channel, actor.person)
    return { ...shown, place: { channel, channelName }, now: new Date(now()) }
  }

  /** The one that is set for the channel; what this runtime doesn't know counts as none. */
  async function ownZone({ tenant, channel }: Interaction): Promise<Zone | undefined> {
    return parseZone((await store.channelSettings.get(tenant, channel))?.zone ?? '')
  }

  /** The kinds of which posts are scheduled in the channel: they go by its zone. */
  async function scheduledIn({ tenant, channel }: Interaction): Promise<readonly ScheduleInfo[]> {
    const found = schedules.map(async ({ info, rows }) =>
      (await rows.all(tenant)).some((one) => one.channel === channel) ? [info] : [],
    )
    return (await Promise.all(found)).flat()
  }

  const hasAlertHours = async ({ tenant, channel }: Interaction) =>
    (await store.alerts.all(tenant)).some((one) => one.channel === channel && one.hours !== undefined)

  /**
   * Tells the channel, once. In a direct message there is nobody to tell.
   * @returns why it was not told: the change stays whatever Slack says
   */
  async function tellChannel(
    { actor, channel, channelName }: Interaction,
    view: ZoneView,
    isUndone: boolean,
  ): Promise<string | undefined> {
    const untold = (why: string) => `The change wasn't posted in the channel. ${why}`
    try {
      const state = await channels.state(actor, channel, channelName)
      if (state === 'direct') return undefined
      if (state !== 'ok') return untold(channelRefusal(state, channel))
      const notice = zoneNotice(view, actor.person.name, isUndone)
      const result = await postMessage(webApi, actor.installation.botToken, channel, notice)
      if (result.kind === 'unknown')
        return "Slack didn't confirm the message, so it may not be in the channel."
      return result.kind === 'sent' ? undefined : untold(unsentText(result))
    } catch (error) {
      if (!(error instanceof SlackUnavailableError)) throw error
      log.warn({ err: error }, 'a channel was not told of its time zone')
      return untold("Slack didn't respond in time.")
    }
  }

  /** @param set none: the workspace's time zone holds there again */
  async function change(interaction: Interaction, set: Zone | undefined, isUndone = false): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const scheduled = await scheduledIn(interaction)
    // It takes the right to manage those too.
    for (const info of scheduled)
      if (!(await guards.may(actor, info.needs))) return zoneIsScheduledAnswer(info)
    const before = await ownZone(interaction)
    const outcome = await workspaces.setChannelZone(tenant, channel, set)
    if (outcome === 'full') return tooManyZonesAnswer
    const view = await viewOf(interaction)
    if (outcome === 'unchanged') return { message: zoneMessage(view, actor.person.zone) }
    await audit.record(actor, 'time zone', { channel, detail: set ?? 'default' })
    homeTab.emit('outdated', actor)
    const untold = await tellChannel(interaction, view, isUndone)
    const follows = { alerts: await hasAlertHours(interaction), schedules: scheduled.length > 0 }
    return { message: changedMessage(view, isUndone ? undefined : { before, set }, untold, follows) }
  }

  /** Usage: `[ZONE|default]` */
  async function handle(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const written = words.map((word) => word.written).join(' ')
    if (written === '')
      return { message: zoneMessage(await viewOf(interaction), interaction.actor.person.zone) }
    if (written.toLowerCase() === 'default') return change(interaction, undefined)
    const zone = parseZone(written)
    return zone === undefined
      ? { message: unknownZoneMessage(written, suggestZones(written, mostSuggestions)) }
      : change(interaction, zone)
  }

  return {
    commands: [{ command: 'calls', word: 'timezone', moreWords: 'read', needs: 'member', handle }],
    actions: bind(zoneActions, {
      undo: {
        needs: 'member',
        async handle(interaction, { before, set }) {
          // What somebody else has set since is not this person's to undo.
          if ((await ownZone(interaction)) !== set)
            return { message: changedSinceMessage(await viewOf(interaction)) }
          return change(interaction, before, true)
        },
      },
    }),
    options: [
      {
        action: zoneMenuId,
        needs: 'member',
        handle: async (_interaction, typed) =>
          suggestZones(typed, LIMITS.options).map((name) => option(name, name)),
      },
    ],
  }
}
