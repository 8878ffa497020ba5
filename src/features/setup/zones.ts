import type { Services } from '../../services.ts'
import type { FoundZone } from '../../slack/access/workspaces.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { showCallsButton } from '../../slack/blocks/buttons.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import type * as routing from '../../slack/routing/routes.ts'
import { joinWords } from '../../slack/routing/words.ts'
import { parseZone, suggestZones } from '../../time/zone-names.ts'
import * as zones from '../../time/zones.ts'
import { cleanTyped, joinNames } from '../../util/text.ts'

export const zoneMenuId = 'setup.zone'
const MAX_SUGGESTIONS = 3

const zoneSources: Readonly<Record<FoundZone['source'], string>> = {
  channel: "It's set for everyone here.",
  workspace: "That's the workspace's time zone.",
  person: "That's the time zone of your Slack profile.",
  none: 'No time zone is set.',
}

/** @param verb `now uses` after a change @param correction says what was understood */
async function showZone(
  { workspaces, now }: Services,
  { actor, tenant, channel }: routing.Interaction,
  verb: 'uses' | 'now uses' = 'uses',
  correction?: string,
): Promise<Answer> {
  const { zone, source } = await workspaces.findZone(tenant, channel, actor.person)
  const at = new Date(now())
  const clock = zones.localTime(zone, at)
  const prefix = correction === undefined ? '' : `${correction} `
  const text = `${prefix}This conversation ${verb} ${zones.zoneLabel(zone, at)}, where it's ${clock}. ${zoneSources[source]}`
  const hint =
    "To change it, add a name: `/calls timezone America/New_York`. To use the workspace's, type `/calls timezone default`."
  const actions = blocks.actionRow([showCallsButton])
  return { message: { text, blocks: [blocks.section(text), ...actions, blocks.context(hint)] } }
}

function unknownZoneAnswer(written: string, suggestions: readonly string[]): Answer {
  const names = suggestions.map((zone) => `\`${zone}\``)
  let hint = 'Use a name such as `Europe/Berlin` or an offset such as `+05:30`.'
  if (names.length > 0) hint = `Did you mean ${joinNames(names, { conjunction: 'or' })}?`
  return textAnswer(`I don't know the time zone "${blocks.escapeText(written)}". ${hint}`)
}

/** @param zone undefined restores the workspace's time zone */
async function setZone(
  services: Services,
  interaction: routing.Interaction,
  zone: zones.Zone | undefined,
  correction?: string,
): Promise<Answer> {
  const { workspaces, audit, homeTab } = services
  const { actor, tenant, channel } = interaction
  const hasChanged = await workspaces.setChannelZone(tenant, channel, zone)
  if (!hasChanged) return showZone(services, interaction, 'uses', correction)
  await audit.record(actor, 'set the time zone', { channel, detail: zone ?? 'default' })
  homeTab.emit('outdated', actor)
  return showZone(services, interaction, 'now uses', correction)
}

async function answerTimeZone(services: Services, request: routing.CommandRequest): Promise<Answer> {
  const { interaction, words } = request
  const written = cleanTyped(joinWords(words))
  if (written === '') return showZone(services, interaction)
  if (written.toLowerCase() === 'default') return setZone(services, interaction, undefined)
  const zone = parseZone(written)
  if (zone !== undefined) return setZone(services, interaction, zone)
  const suggestions = suggestZones(written, MAX_SUGGESTIONS)
  const [onlyZone, ...otherZones] = suggestions.map(parseZone)
  if (onlyZone === undefined || otherZones.length > 0) return unknownZoneAnswer(written, suggestions)
  const correction = `I understood "${blocks.escapeText(written)}" as ${onlyZone}.`
  return setZone(services, interaction, onlyZone, correction)
}

export function timeZones(services: Services): routing.FeatureRoutes {
  return {
    commands: [
      {
        command: 'calls',
        word: 'timezone',
        aliases: ['tz', 'time zone'],
        moreWords: 'read',
        needs: 'member',
        handle: (request) => answerTimeZone(services, request),
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
