import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { isSlackFailure, postMessage } from '../../../slack/api/web-api.ts'
import { withTeam } from '../../../slack/blocks/block-team.ts'
import { cut, escapeText, isPersonId, type Message, textMessage } from '../../../slack/blocks/blocks.ts'
import { type AlertRecord, isMuted } from '../../../store/alerts.ts'
import type { MissedCallRecord } from '../../../store/missed-calls.ts'
import { recentLabel } from '../../../time/zones.ts'
import { countNoun, joinNames } from '../../../util/text.ts'
import { type ChosenCalls, messageActions, muteActions } from '../actions.ts'
import type { AlertMessages } from '../messages.ts'
import { MAX_LABEL_LENGTH } from '../words.ts'
import type { CallChange } from './changes.ts'

const MAX_NAMES = 3

/** Returns undefined if the change concerns nobody else. @param before the changed calls as they were */
export function announceHandover(
  { handover }: CallChange,
  before: readonly MissedCallRecord[],
  { id, line }: ChosenCalls,
): Message | undefined {
  if (!handover || before.length === 0) return undefined
  const { by, to } = handover
  const name = cut(by.name, MAX_LABEL_LENGTH)
  const value = { id, line, at: by.at }
  let lostCount = 0
  const previousOwners = new Map<string, string>()
  for (const { taken } of before) {
    if (!taken || taken.person === by.person) continue
    lostCount += 1
    previousOwners.set(taken.person, cut(taken.name, MAX_LABEL_LENGTH))
  }
  if (to) {
    if (to.person === by.person && lostCount === 0) return undefined
    const text = `${name} assigned ${countNoun(before.length, 'call')} to ${cut(to.name, MAX_LABEL_LENGTH)}.`
    return textMessage(escapeText(text), [messageActions.undoAssign.button('Undo', value)])
  }
  if (lostCount === 0) return undefined
  const who = joinNames([...previousOwners.values()], { max: MAX_NAMES })
  const text = `${name} released ${countNoun(lostCount, 'call')} that ${who} had.`
  return textMessage(escapeText(text), [messageActions.undoRelease.button('Undo', value)])
}

/** Tells channels who changed what others rely on. */
export class Announcements {
  readonly #services
  readonly #messages

  constructor(services: Services, messages: AlertMessages) {
    this.#services = services
    this.#messages = messages
  }

  /** Posts at most once, because the message that is about the calls shows the change, too. */
  async post(actor: Actor, channel: string, message: Message): Promise<void> {
    if (isPersonId(channel)) return
    const { webApi, log } = this.#services
    const { installation, workspace } = actor
    try {
      if (await this.#messages.refuseChannel(actor, channel)) return
      const result = await postMessage(webApi, installation.botToken, channel, withTeam(message, workspace))
      if (result.kind !== 'sent') log.info({ outcome: result.kind }, 'a channel was not told of a change')
    } catch (error) {
      if (!isSlackFailure(error)) throw error
      log.info({ err: error }, 'a channel was not told of a change')
    }
  }

  /** Tells that the alert was muted or turned on. @param what the alert posts; not escaped */
  async tellMute(actor: Actor, alert: AlertRecord, what: string): Promise<void> {
    const { workspaces, now } = this.#services
    const name = cut(actor.person.name, MAX_LABEL_LENGTH)
    const value = { alert: alert.id }
    if (!isMuted(alert, now())) {
      const text = escapeText(`${name} turned this alert on: ${what}.`)
      const mute = muteActions.mute.button('Mute for an hour', value)
      return this.post(actor, alert.channel, textMessage(text, [mute]))
    }
    const { zone } = await workspaces.zone(actor.tenant, alert.channel)
    const until = alert.muted?.until
    const end = until === undefined ? '' : ` until ${recentLabel(zone, new Date(until), new Date(now()))}`
    const text = escapeText(`${name} muted this alert${end}: ${what}.`)
    const turnOn = muteActions.turnOn.button('Turn on', value)
    return this.post(actor, alert.channel, textMessage(text, [turnOn]))
  }
}
