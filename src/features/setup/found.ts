import type { Services } from '../../services.ts'
import { listManagers } from '../../slack/access/access-rules.ts'
import { textMessage } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { settingsAction, showCallsButton } from '../../slack/blocks/shared-buttons.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { type Account, TelephonyError } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { localDay } from '../../time/zones.ts'
import { countNoun, joinNames } from '../../util/text.ts'
import { accessText } from '../access/words.ts'

const DAYS_COUNTED = 7

/** Returns undefined if the service fails: the account is connected all the same. */
async function orUnknown<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof TelephonyError) return undefined
    throw error
  }
}

/** Counts the calls of the last days, in both directions. */
async function countRecentCalls(services: Services, account: Account, interaction: Interaction) {
  const { workspaces, telephony, now } = services
  const { zone } = await workspaces.zone(interaction.tenant, '', interaction.actor.person)
  const at = new Date(now())
  const today = localDay(zone, at)
  const { requested } = toRangeRequest(zone, { from: addDays(today, 1 - DAYS_COUNTED), to: today }, at)
  const [incoming, outgoing] = await Promise.all([
    telephony.count(account, { direction: 'incoming', ...requested }),
    telephony.count(account, { direction: 'outgoing', ...requested }),
  ])
  if (incoming === undefined || outgoing === undefined) return undefined
  return incoming + outgoing
}

/** Says what the connected account has, and who sees it. Shown in the modal, and instead of the message that opened it. */
export async function connectedAnswer(
  services: Services,
  interaction: Interaction,
  account: Account,
  agentCount: number,
): Promise<Answer> {
  const { actor, tenant } = interaction
  const [numbers, callCount, rules] = await Promise.all([
    orUnknown(services.lineList.numbers(account)),
    orUnknown(countRecentCalls(services, account, interaction)),
    services.guards.rules(tenant),
  ])
  const found: string[] = []
  if (numbers) found.push(countNoun(numbers.length, 'line'))
  found.push(countNoun(agentCount, 'agent'))
  if (callCount !== undefined) found.push(`${countNoun(callCount, 'call')} in the last ${DAYS_COUNTED} days`)
  const managers = listManagers(actor.installation, rules.administrators)
  const access = accessText(rules, managers, actor.person.id)
  const text = `Connected. Found ${joinNames(found)}.\n*Who sees what*\n${access}`
  return {
    message: textMessage(text, [
      commandButton('new-alert', 'Alert a channel…', '/calls alert'),
      commandButton('lines', 'Name your lines…', '/calls lines'),
      settingsAction.button('Who may see it…'),
      showCallsButton,
    ]),
  }
}
