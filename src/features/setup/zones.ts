import { joinWords, type Word } from '../../grammar/parse-words.ts'
import type { Services } from '../../services.ts'
import type { ZoneSource } from '../../slack/access/workspaces.ts'
import { postMessage, SlackUnavailableError } from '../../slack/api/web-api.ts'
import { commandButton, showCallsButton } from '../../slack/blocks/action.ts'
import {
  actionRow,
  context,
  cut,
  escapeText,
  isDirectConversation,
  LIMITS,
  type Message,
  option,
  section,
} from '../../slack/blocks/blocks.ts'
import { channelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import { type Answer, textAnswer } from '../../slack/deliver/replies.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { parseZone, suggestZones } from '../../time/zone-names.ts'
import { isUtcOffset, offsetAt, wallTime, type Zone } from '../../time/zones.ts'
import { joinNames } from '../../util/text.ts'

/** Action id of the time zone menu, whose options are loaded while the person types. */
export const zoneMenuId = 'setup.zone'
const MAX_SUGGESTIONS = 3

const zoneSources: Readonly<Record<ZoneSource, string>> = {
  channel: "It's set for everyone here.",
  workspace: "That's the workspace's time zone.",
  person: "That's the time zone of your Slack profile.",
  none: 'No time zone is set.',
}

/** `Asia/Tokyo`, `UTC+05:30`. Needs no escaping. */
const zoneName = (zone: Zone): string => (isUtcOffset(zone) ? `UTC${zone}` : zone)

/** A conversation's time zone, for the person who asks. */
interface ZoneView {
  readonly place: Pick<Interaction, 'channel' | 'channelName'>
  readonly zone: Zone
  readonly source: ZoneSource
  readonly now: Date
}

/** Payloads use `privategroup` for private channels and for group direct messages. */
function conversationText({ channel, channelName }: ZoneView['place']): string {
  if (isDirectConversation(channel, channelName)) return 'This conversation'
  return channelName === 'privategroup' ? 'This channel' : `<#${channel}>`
}

/** @param change after a change: why it wasn't posted in the channel, in mrkdwn; empty if it was */
function zoneMessage({ place, zone, source, now }: ZoneView, change?: string): Message {
  const isNamed = !isUtcOffset(zone) && zone !== 'UTC'
  const clock = `${isNamed ? `UTC${offsetAt(zone, now)}, ` : ''}${wallTime(zone, now).slice(11, 16)} now`
  const uses = change === undefined ? 'uses' : 'now uses'
  const text = `${conversationText(place)} ${uses} ${zoneName(zone)} time (${clock}). ${zoneSources[source]}`
  const buttons = [
    showCallsButton,
    ...(source === 'channel' ? [commandButton('use-default', 'Use default', '/calls timezone default')] : []),
  ]
  const note = change || 'To change it, add a name: `/calls timezone America/New_York`.'
  return {
    text: change ? `${text} ${change}` : text,
    blocks: [section(text), ...actionRow(buttons), context(note)],
  }
}

/** Posted in the channel. @param by a name, because a mention would notify that person */
function zoneNotice({ place: { channel }, zone, source }: ZoneView, by: string): Message {
  const to = source === 'channel' ? `to ${zoneName(zone)} time` : 'back to the default time zone'
  const text = `${escapeText(cut(by, 80))} set <#${channel}> ${to}.`
  return { text, blocks: [section(text)] }
}

function unknownZoneAnswer(written: string, suggestions: readonly string[]): Answer {
  const names = suggestions.map((zone) => `\`${zone}\``)
  const hint =
    names.length > 0
      ? `Did you mean ${joinNames(names, { conjunction: 'or' })}?`
      : 'Use a name such as `Europe/Berlin` or an offset such as `+05:30`.'
  return textAnswer(`I don't know the time zone "${escapeText(written)}". ${hint}`)
}

/** The time zones of channels. */
class ChannelZones {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** Shows or sets the zone: `[ZONE|default]` */
  async handle(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const written = joinWords(words)
    if (written === '') return { message: zoneMessage(await this.#load(interaction)) }
    if (written.toLowerCase() === 'default') return this.#set(interaction, undefined)
    const suggestions = suggestZones(written, MAX_SUGGESTIONS)
    const [nearest = '', ...others] = suggestions
    const zone = parseZone(written) ?? (others.length === 0 ? parseZone(nearest) : undefined)
    return zone === undefined ? unknownZoneAnswer(written, suggestions) : this.#set(interaction, zone)
  }

  async #load({ actor, tenant, channel, channelName }: Interaction): Promise<ZoneView> {
    const { workspaces, now } = this.#services
    const shown = await workspaces.zone(tenant, channel, actor.person)
    return { ...shown, place: { channel, channelName }, now: new Date(now()) }
  }

  /** @param zone none: the channel uses the workspace's time zone again */
  async #set(interaction: Interaction, zone: Zone | undefined): Promise<Answer> {
    const { workspaces, audit, homeTab } = this.#services
    const { actor, tenant, channel } = interaction
    const hasChanged = await workspaces.setChannelZone(tenant, channel, zone)
    const view = await this.#load(interaction)
    if (!hasChanged) return { message: zoneMessage(view) }
    await audit.record(actor, 'time zone', { channel, detail: zone ?? 'default' })
    homeTab.emit('outdated', actor)
    return { message: zoneMessage(view, await this.#tellChannel(interaction, view)) }
  }

  /**
   * Posts the change in the channel, once; not in a direct message.
   * @returns why it wasn't posted, or nothing: the change stays in any case
   */
  async #tellChannel({ actor, channel, channelName }: Interaction, view: ZoneView): Promise<string> {
    const { channels, webApi, log } = this.#services
    const untold = (why: string) => `The change wasn't posted in the channel. ${why}`
    try {
      const state = await channels.state(actor, channel, channelName)
      if (state === 'direct') return ''
      if (state !== 'ok') return untold(channelRefusal(state, channel))
      const notice = zoneNotice(view, actor.person.name)
      const result = await postMessage(webApi, actor.installation.botToken, channel, notice)
      if (result.kind === 'sent') return ''
      return result.kind === 'unknown'
        ? "Slack didn't confirm the message, so it may not be in the channel."
        : untold(unsentText(result))
    } catch (error) {
      if (!(error instanceof SlackUnavailableError)) throw error
      log.warn({ err: error }, 'posting a time zone change failed')
      return untold("Slack didn't respond in time.")
    }
  }
}

/** `/calls timezone` */
export function timeZones(services: Services): FeatureRoutes {
  const zones = new ChannelZones(services)
  return {
    commands: [
      {
        command: 'calls',
        word: 'timezone',
        moreWords: 'read',
        needs: 'member',
        handle: (interaction, words) => zones.handle(interaction, words),
      },
    ],
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
