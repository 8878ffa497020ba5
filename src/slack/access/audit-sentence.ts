import type { AuditEntry } from '../../store/audit.ts'
import { joinNames } from '../../util/text.ts'
import { cut, escapeText } from '../blocks/blocks.ts'

// What an entry of the audit log says to people. It is stored as two strings that programs read: the action and its detail.

/** What is shown of a detail: every page of the log fits a message. */
const mostCharacters = 200
const mostPeople = 10

const channelMention = (id: string) => (id.startsWith('D') ? 'a direct conversation' : `<#${id}>`)
const person = (id: string) => `<@${escapeText(id)}>`
/** Why a schedule was paused may name its channel. */
const shown = (text: string) =>
  escapeText(cut(text, mostCharacters)).replaceAll(/&lt;#([A-Z0-9]{2,40})&gt;/g, '<#$1>')

/** `channel C1`, or `channel C1, what follows`. */
function readChannel(detail: string): { channel: string; rest: string } | undefined {
  const [, id, rest = ''] = /^channel ([A-Z0-9]{2,40})(?:, (.*))?$/s.exec(detail) ?? []
  return id === undefined ? undefined : { channel: channelMention(id), rest: shown(rest) }
}

/** `person U1, person U2` */
const readPeople = (detail: string): readonly string[] =>
  [...detail.matchAll(/\bperson ([A-Z0-9]{2,40})\b/g)].map(([, id = '']) => person(id))

/** `calls everyone, agents admins, billing 2 people`, with whom it means. */
const readRules = (detail: string): string =>
  shown(detail)
    .replaceAll(/\badmins\b/g, 'administrators')
    .replaceAll(/\b1 people\b/g, 'administrators and 1 person')
    .replaceAll(/\b(\d+) people\b/g, 'administrators and $1 people')

/** The entry's action as a sentence; `undefined` where its detail is none that this app writes. */
type Sentence = (who: string, detail: string, name: string | undefined) => string | undefined

const about =
  (says: (who: string, channel: string, rest: string) => string): Sentence =>
  (who, detail) => {
    const found = readChannel(detail)
    return found && says(who, found.channel, found.rest)
  }

const after = (separator: string, text: string) => (text === '' ? '' : `${separator}${text}`)

const aboutPeople =
  (says: (who: string, people: string, isOne: boolean) => string): Sentence =>
  (who, detail) => {
    const people = readPeople(detail)
    return people.length === 0
      ? undefined
      : says(who, joinNames(people, { most: mostPeople }), people.length === 1)
  }

/** A person pauses a schedule, or its own failure does: then its detail is the reason. */
const isRhythm = (rest: string) => /\bat \d\d:\d\d$/.test(rest)

/** What is done to the schedules of one kind. @param action what their entries begin with */
const scheduleSentences = (action: string, posts: string): Readonly<Record<string, Sentence>> => ({
  [action]: about((who, channel, rhythm) => `${who} scheduled ${posts} to ${channel}${after(', ', rhythm)}`),
  [`${action} changed`]: about(
    (who, channel, rhythm) => `${who} changed the ${posts} to ${channel}${after(': ', rhythm)}`,
  ),
  [`${action} paused`]: about((who, channel, rest) =>
    isRhythm(rest)
      ? `${who} paused the ${posts} to ${channel}, ${rest}`
      : `${who}'s ${posts} to ${channel} were paused${after(': ', rest)}`,
  ),
  [`${action} resumed`]: about(
    (who, channel, rhythm) => `${who} resumed the ${posts} to ${channel}${after(', ', rhythm)}`,
  ),
  [`${action} deleted`]: about(
    (who, channel, rhythm) => `${who} deleted the ${posts} to ${channel}${after(', ', rhythm)}`,
  ),
})

const sentences: Readonly<Record<string, Sentence>> = {
  connect: (who) => `${who} connected the phone account`,
  disconnect: (who) => `${who} disconnected the phone account`,
  'time zone': about((who, channel, zone) =>
    zone === 'default'
      ? `${who} set ${channel} back to the default time zone`
      : `${who} set ${channel} to ${zone}`,
  ),
  settings: (who, detail) => `${who} changed access: ${readRules(detail)}`,
  'may manage Callboard': aboutPeople(
    (who, people, isOne) => `${who} made ${people} ${isOne ? 'an administrator' : 'administrators'}`,
  ),
  'may no longer manage Callboard': aboutPeople(
    (who, people, isOne) => `${who} removed ${people} as ${isOne ? 'an administrator' : 'administrators'}`,
  ),
  'export calls': (who, detail) => `${who} exported ${shown(detail)}`,
  'export audit log': (who, detail) => `${who} exported the audit log${detail && ` (${shown(detail)})`}`,
  'reveal SIP password': (who, detail, name = '') => `${who} viewed ${shown(name || detail)}'s SIP password`,
  'invoice operation': (who, detail) => `${who} asked the phone service to delete ${shown(detail)}`,
  share: about((who, channel, what) => `${who} shared ${what} in ${channel}`),
  'post billing': about((who, channel, how) => `${who} posted billing to ${channel}${after(', ', how)}`),
  'post report': about(
    (who, channel, days) => `${who} posted the call report to ${channel}${after(', ', days)}`,
  ),
  'name lines': (who, detail) =>
    `${who} named the lines (${shown(detail)} ${detail === '1' ? 'name' : 'names'})`,
  'billing post missed': about(
    (who, channel, when) => `${who}'s billing post to ${channel} was missed${after(', ', when)}`,
  ),
  ...scheduleSentences('schedule', 'billing posts'),
  ...scheduleSentences('report schedule', 'call reports'),
  'call report missed': about(
    (who, channel, when) => `${who}'s call report to ${channel} was missed${after(', ', when)}`,
  ),
  alert: about((who, channel, what) => `${who} set up an alert in ${channel}${after(': ', what)}`),
}

/** What is done to whatever is planned, such as `alert muted`. */
function changeSentence(what: string): Sentence | undefined {
  const [, thing, did = ''] =
    /^(.+) (changed|paused|resumed|muted|unmuted|taken over|deleted)$/.exec(what) ?? []
  if (thing === undefined) return undefined
  const said = did.replace('taken', 'took')
  return about((who, channel, rest) => `${who} ${said} the ${thing} in ${channel}${after(': ', rest)}`)
}

/** What another version calls it, with ids of channels and people as mentions. */
const otherwise = (who: string, action: string) =>
  `${who}: ${shown(action)}`
    .replaceAll(/\bchannel ([A-Z0-9]{2,40})\b/g, (_, id: string) => channelMention(id))
    .replaceAll(/\bperson ([A-Z0-9]{2,40})\b/g, '<@$1>')

/** An entry of the audit log as a sentence of mrkdwn, with channels and people as mentions. Pure. */
export function auditSentence({ who, what, detail = '', name }: AuditEntry): string {
  const own = Object.hasOwn(sentences, what) ? sentences[what] : changeSentence(what)
  return own?.(person(who), detail, name) || otherwise(person(who), [what, detail].filter(Boolean).join(', '))
}

/** One entry of the audit log in a line of mrkdwn. @param time as people read it */
export const auditLine = (entry: AuditEntry, time: string): string => `${time} · ${auditSentence(entry)}`
