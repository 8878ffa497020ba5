import { type Message, textMessage } from '../../../slack/blocks/blocks.ts'
import { type AlertRecord, isMuted } from '../../../store/alerts.ts'
import type { Attribution, MissedCallRecord } from '../../../store/missed-calls.ts'
import { recentLabel, type Zone } from '../../../time/zones.ts'
import { countNoun, joinNames } from '../../../util/text.ts'
import type { EpochMs } from '../../../util/units.ts'
import { type ChosenCalls, messageActions, muteActions } from '../actions.ts'
import { formatLabel } from '../words.ts'
import type { CallChange } from './changes.ts'

// Tells channels who changed what others rely on.

const MAX_NAMES = 3

/** Returns undefined if no other person had or gets the calls. @param before the changed calls as they were */
export function announceHandover(
  { handover }: CallChange,
  before: readonly MissedCallRecord[],
  { id, line }: ChosenCalls,
): Message | undefined {
  if (!handover || before.length === 0) return undefined
  const { by, to } = handover
  const value = { id, line, at: by.at }
  const lost: Attribution[] = []
  for (const { taken } of before) if (taken && taken.person !== by.person) lost.push(taken)
  if (lost.length === 0 && (!to || to.person === by.person)) return undefined
  if (to) {
    const what = `${countNoun(before.length, 'call')} to ${formatLabel(to.name)}`
    const undo = messageActions.undoAssign.button('Undo', value)
    return textMessage(`${formatLabel(by.name)} assigned ${what}.`, [undo])
  }
  const names = [...new Set(lost.map(({ name }) => formatLabel(name)))]
  const what = `${countNoun(lost.length, 'call')} that ${joinNames(names, { max: MAX_NAMES })} had`
  const undo = messageActions.undoRelease.button('Undo', value)
  return textMessage(`${formatLabel(by.name)} released ${what}.`, [undo])
}

/** Tells that a person muted an alert or turned it on. @param what the alert posts, as mrkdwn */
export function announceMute(
  person: string,
  { id, muted }: AlertRecord,
  what: string,
  { zone, now }: { readonly zone: Zone; readonly now: EpochMs },
): Message {
  const name = formatLabel(person)
  if (!muted || !isMuted({ muted }, now)) {
    const mute = muteActions.mute.button('Mute for an hour', { alert: id })
    return textMessage(`${name} turned this alert on: ${what}.`, [mute])
  }
  const { until } = muted
  const end = until === undefined ? '' : ` until ${recentLabel(zone, new Date(until), new Date(now))}`
  const turnOn = muteActions.turnOn.button('Turn on', { alert: id })
  return textMessage(`${name} muted this alert${end}: ${what}.`, [turnOn])
}
