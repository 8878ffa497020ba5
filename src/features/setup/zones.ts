import type { Services } from '../../services.ts'
import type { FoundZone } from '../../slack/access/workspaces.ts'
import { postMessage } from '../../slack/api/web-api.ts'
import type { Message } from '../../slack/blocks/blocks.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { showCallsButton } from '../../slack/blocks/shared-buttons.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { channelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import type { CommandRequest, FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { joinWords } from '../../slack/routing/words.ts'
import { parseZone, suggestZones } from '../../time/zone-names.ts'
import { wallTime, type Zone, zoneLabel } from '../../time/zones.ts'
import { cleanTyped, fold, joinNames } from '../../util/text.ts'

export const zoneMenuId = 'setup.zone'
const MAX_SUGGESTIONS = 3

const zoneSources: Readonly<Record<FoundZone['source'], string>> = {
  channel: "It's set for everyone here.",
  workspace: "That's the workspace's time zone.",
  person: "That's the time zone of your Slack profile.",
  none: 'No time zone is set.',
}

interface ZoneChange {
  /** Why the channel may not know of the change, in mrkdwn; empty if it does. */
  readonly warning: string
  /** `Berlni`, which stood for the zone. */
  readonly misspelled?: string | undefined
}

function zoneMessage({ zone, source }: FoundZone, now: Date, change?: ZoneChange): Message {
  const warning = change?.warning
  const correction =
    change?.misspelled && `I understood "${blocks.escapeText(change.misspelled)}" as ${zone}. `
  const uses = warning === undefined ? 'uses' : 'now uses'
  const clock = wallTime(zone, now).slice(11, 16)
  const text = `${correction ?? ''}This conversation ${uses} ${zoneLabel(zone, now)}, where it's ${clock}. ${zoneSources[source]}`
  const buttons = [showCallsButton]
  if (source === 'channel')
    buttons.push(commandButton('use-default', 'Use default', '/calls timezone default'))
  const note = warning || 'To change it, add a name: `/calls timezone America/New_York`.'
  return {
    text: warning ? `${text} ${warning}` : text,
    blocks: [blocks.section(text), ...blocks.actionRow(buttons), blocks.context(note)],
  }
}

function unknownZoneAnswer(written: string, suggestions: readonly string[]): Answer {
  const names = suggestions.map((zone) => `\`${zone}\``)
  let hint = 'Use a name such as `Europe/Berlin` or an offset such as `+05:30`.'
  if (names.length > 0) hint = `Did you mean ${joinNames(names, { conjunction: 'or' })}?`
  return textAnswer(`I don't know the time zone "${blocks.escapeText(written)}". ${hint}`)
}

export function timeZones({ workspaces, channels, webApi, audit, homeTab, now }: Services): FeatureRoutes {
  async function handle({ interaction, words }: CommandRequest): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const written = cleanTyped(joinWords(words))
    if (written === '') {
      const current = await workspaces.zone(tenant, channel, actor.person)
      return { message: zoneMessage(current, new Date(now())) }
    }
    if (written.toLowerCase() === 'default') return set(interaction, undefined)
    const suggestions = suggestZones(written, MAX_SUGGESTIONS)
    const zone = parseZone(written)
    if (zone !== undefined) return set(interaction, zone)
    const [onlyOne = ''] = suggestions.length === 1 ? suggestions : []
    const similarZone = parseZone(onlyOne)
    if (similarZone === undefined) return unknownZoneAnswer(written, suggestions)
    const isPart = fold(similarZone).includes(fold(written).replaceAll(' ', '_'))
    return set(interaction, similarZone, isPart ? undefined : written)
  }

  /** @param zone undefined restores the workspace's time zone @param misspelled as it was written */
  async function set(interaction: Interaction, zone: Zone | undefined, misspelled?: string): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    const hasChanged = await workspaces.setChannelZone(tenant, channel, zone)
    const view = await workspaces.zone(tenant, channel, actor.person)
    const at = new Date(now())
    if (!hasChanged) return { message: zoneMessage(view, at) }
    await audit.record(actor, 'set the time zone', { channel, detail: zone ?? 'default' })
    homeTab.emit('outdated', actor)
    const problem = await tellChannel(interaction, zone ? zoneLabel(zone, at) : 'the default')
    const warning = problem && `The channel may not have been told. ${problem}`
    return { message: zoneMessage(view, at, { warning, misspelled }) }
  }

  /** Returns why the post failed, in mrkdwn; empty if it was sent or this is a direct message. */
  async function tellChannel({ actor, channel, channelName }: Interaction, zone: string): Promise<string> {
    const state = await channels.state(actor, channel, channelName)
    if (state === 'direct') return ''
    if (state !== 'ok') return channelRefusal(state, channel)
    // A mention would notify the person.
    const name = blocks.cut(actor.person.name, 80)
    const message = blocks.textMessage(blocks.escapeText(`${name} set this channel's time zone to ${zone}.`))
    const result = await postMessage(webApi, actor.installation.botToken, channel, message)
    if (result.kind === 'sent') return ''
    if (result.kind === 'unknown') return "Slack didn't respond in time."
    return unsentText(result)
  }

  return {
    commands: [
      {
        command: 'calls',
        word: 'timezone',
        otherWords: ['tz', 'time zone'],
        moreWords: 'read',
        needs: 'member',
        handle,
      },
    ],
    options: [
      {
        action: zoneMenuId,
        needs: 'member',
        handle: async ({ typed }) =>
          suggestZones(typed, blocks.LIMITS.options).map((name) => blocks.option(name, name)),
      },
    ],
  }
}
