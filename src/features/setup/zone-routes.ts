import type { Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { postMessage } from '../../slack/api/post-message.ts'
import { SlackUnavailableError } from '../../slack/api/web-api.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { channelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { Zone } from '../../time/types.ts'
import { parseZone, suggestZones } from '../../time/zone-names.ts'
import { zoneMenuId } from './connect-view.ts'
import { changedMessage, unknownZoneMessage, type ZoneView, zoneMessage, zoneNotice } from './zone-view.ts'

const MAX_SUGGESTIONS = 3

/** The time zones of channels. */
export function timeZones(services: Services): FeatureRoutes {
  const { workspaces, channels, webApi, audit, homeTab, log, now } = services

  async function loadView({ actor, tenant, channel, channelName }: Interaction): Promise<ZoneView> {
    const shown = await workspaces.zone(tenant, channel, actor.person)
    return { ...shown, place: { channel, channelName }, now: new Date(now()) }
  }

  /**
   * Posts the change in the channel, once; not in a direct message.
   * @returns why it wasn't posted: the change stays in any case
   */
  async function tellChannel(
    { actor, channel, channelName }: Interaction,
    view: ZoneView,
  ): Promise<string | undefined> {
    const untold = (why: string) => `The change wasn't posted in the channel. ${why}`
    try {
      const state = await channels.state(actor, channel, channelName)
      if (state === 'direct') return undefined
      if (state !== 'ok') return untold(channelRefusal(state, channel))
      const notice = zoneNotice(view, actor.person.name)
      const result = await postMessage(webApi, actor.installation.botToken, channel, notice)
      if (result.kind === 'unknown')
        return "Slack didn't confirm the message, so it may not be in the channel."
      return result.kind === 'sent' ? undefined : untold(unsentText(result))
    } catch (error) {
      if (!(error instanceof SlackUnavailableError)) throw error
      log.warn({ err: error }, 'posting a time zone change failed')
      return untold("Slack didn't respond in time.")
    }
  }

  /** @param zone none: the channel uses the workspace's time zone again */
  async function setZone(interaction: Interaction, zone: Zone | undefined): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const hasChanged = await workspaces.setChannelZone(tenant, channel, zone)
    const view = await loadView(interaction)
    if (!hasChanged) return { message: zoneMessage(view) }
    await audit.record(actor, 'time zone', { channel, detail: zone ?? 'default' })
    homeTab.emit('outdated', actor)
    return { message: changedMessage(view, await tellChannel(interaction, view)) }
  }

  /** Usage: `[ZONE|default]` */
  async function handle(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const written = words.map((word) => word.written).join(' ')
    if (written === '') return { message: zoneMessage(await loadView(interaction)) }
    if (written.toLowerCase() === 'default') return setZone(interaction, undefined)
    const suggestions = suggestZones(written, MAX_SUGGESTIONS)
    const zone =
      parseZone(written) ?? (suggestions.length === 1 ? parseZone(suggestions[0] ?? '') : undefined)
    return zone === undefined
      ? { message: unknownZoneMessage(written, suggestions) }
      : setZone(interaction, zone)
  }

  return {
    commands: [{ command: 'calls', word: 'timezone', moreWords: 'read', needs: 'member', handle }],
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
