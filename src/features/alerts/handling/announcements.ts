import type { Services } from '../../../services.ts'
import type { Actor } from '../../../slack/access/guards.ts'
import { postMessage, SlackUnavailableError, TokenRefusedError } from '../../../slack/api/web-api.ts'
import { withTeam } from '../../../slack/blocks/block-team.ts'
import { cut, escapeText, isPersonId, type Message, textMessage } from '../../../slack/blocks/blocks.ts'
import { type AlertRecord, isMuted } from '../../../store/alerts.ts'
import type { Attribution, MissedCallRecord } from '../../../store/missed-calls.ts'
import { recentLabel } from '../../../time/zones.ts'
import { countNoun, joinNames } from '../../../util/text.ts'
import { type ChosenCalls, messageActions, muteActions } from '../actions.ts'
import type { AlertMessages } from '../messages.ts'
import { MAX_LABEL_LENGTH } from '../words.ts'
import type { Assignee } from './changes.ts'

const MAX_NAMES = 3

/** @param before the calls as they were */
export function announceRelease(
  by: Attribution,
  before: readonly MissedCallRecord[],
  chosen: ChosenCalls,
): Message | undefined {
  const others = before.flatMap(({ taken }) => (taken && taken.person !== by.person ? [taken] : []))
  if (others.length === 0) return undefined
  const owners = new Map(others.map(({ person, name }) => [person, cut(name, MAX_LABEL_LENGTH)]))
  const who = joinNames([...owners.values()], { max: MAX_NAMES })
  const text = `${cut(by.name, MAX_LABEL_LENGTH)} released ${countNoun(others.length, 'call')} that ${who} had.`
  const undo = messageActions.undoRelease.button('Undo', { ...chosen, at: by.at })
  return textMessage(escapeText(text), [undo])
}

export function announceAssignment(
  by: Attribution,
  to: Assignee,
  before: readonly MissedCallRecord[],
  chosen: ChosenCalls,
): Message | undefined {
  const isOwn = to.person === by.person
  const isOthers = before.some(({ taken }) => taken && taken.person !== by.person)
  if (isOwn && !isOthers) return undefined
  const name = cut(to.name, MAX_LABEL_LENGTH)
  const text = `${cut(by.name, MAX_LABEL_LENGTH)} assigned ${countNoun(before.length, 'call')} to ${name}.`
  const undo = messageActions.undoAssign.button('Undo', { ...chosen, at: by.at })
  return textMessage(escapeText(text), [undo])
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
  async post(actor: Actor, channel: string, message: Message | undefined): Promise<void> {
    if (!message || isPersonId(channel)) return
    const { webApi, log } = this.#services
    const { installation, workspace } = actor
    try {
      if (await this.#messages.refuseChannel(actor, channel)) return
      const result = await postMessage(webApi, installation.botToken, channel, withTeam(message, workspace))
      if (result.kind !== 'sent') log.info({ outcome: result.kind }, 'a channel was not told of a change')
    } catch (error) {
      const isExpected = error instanceof SlackUnavailableError || error instanceof TokenRefusedError
      if (!isExpected) throw error
      log.info({ err: error }, 'a channel was not told of a change')
    }
  }

  /** @param what the alert posts; not escaped */
  async tellMute(actor: Actor, alert: AlertRecord, what: string): Promise<void> {
    const { workspaces, now } = this.#services
    const name = cut(actor.person.name, MAX_LABEL_LENGTH)
    const value = { alert: alert.id.slice(0, 40) }
    if (!isMuted(alert, now())) {
      const text = `${name} turned this alert on: ${what}.`
      const mute = muteActions.mute.button('Mute for an hour', value)
      return this.post(actor, alert.channel, textMessage(escapeText(text), [mute]))
    }
    const { zone } = await workspaces.zone(actor.tenant, alert.channel)
    const { until } = alert.muted ?? {}
    const end = until === undefined ? '' : ` until ${recentLabel(zone, new Date(until), new Date(now()))}`
    const text = `${name} muted this alert${end}: ${what}.`
    const turnOn = muteActions.turnOn.button('Turn on', value)
    return this.post(actor, alert.channel, textMessage(escapeText(text), [turnOn]))
  }
}
