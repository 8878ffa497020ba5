import type { AuditEntry } from '../../store/audit.ts'
import { joinNames } from '../../util/text.ts'
import { cut, escapeText, placeText } from '../blocks/blocks.ts'

/** What is shown of a detail: every page of the log fits a message. */
const mostCharacters = 200
const mostPeople = 10

const channelMention = (id: string) => (id.startsWith('D') ? 'a direct conversation' : placeText(id))
const personMention = (id: string) => `<@${escapeText(id)}>`
/** Why a schedule was paused may name its channel. */
const shown = (text: string) =>
  escapeText(cut(text, mostCharacters)).replaceAll(/&lt;#([A-Z0-9]{2,40})&gt;/g, '<#$1>')

/** As logs and files have it: `channel C1, person U1, person U2, what follows`. */
export const auditDetail = ({
  channel,
  people = [],
  detail,
}: Pick<AuditEntry, 'channel' | 'people' | 'detail'>): string =>
  [channel && `channel ${channel}`, ...people.map((id) => `person ${id}`), detail].filter(Boolean).join(', ')

/** What an action says, in mrkdwn; `undefined` where an entry of it lacks what it is about. */
type Sentence = (who: string, detail: string, entry: AuditEntry) => string | undefined

const inChannel =
  (says: (who: string, channel: string, detail: string, entry: AuditEntry) => string): Sentence =>
  (who, detail, entry) =>
    entry.channel && says(who, channelMention(entry.channel), detail, entry)

const ofPeople =
  (says: (who: string, people: string, role: string) => string): Sentence =>
  (who, _, { people = [] }) =>
    says(
      who,
      joinNames(people.map(personMention), { most: mostPeople }),
      people.length === 1 ? 'an administrator' : 'administrators',
    )

const after = (separator: string, text: string) => (text === '' ? '' : `${separator}${text}`)

/** What somebody did to what is in a channel. */
const did = (what: string, separator: string): Sentence =>
  inChannel((who, channel, detail) => `${who} ${what} ${channel}${after(separator, detail)}`)

/** @param action what the entries of one kind of schedule begin with */
const scheduleSentences = (action: string, posts: string): Readonly<Record<string, Sentence>> => ({
  [action]: did(`scheduled ${posts} to`, ', '),
  [`${action} changed`]: did(`changed the ${posts} to`, ': '),
  [`${action} paused`]: inChannel((who, channel, detail, { isAutomatic }) =>
    isAutomatic
      ? `${who}'s ${posts} to ${channel} were paused${after(': ', detail)}`
      : `${who} paused the ${posts} to ${channel}${after(', ', detail)}`,
  ),
  [`${action} resumed`]: did(`resumed the ${posts} to`, ', '),
  [`${action} deleted`]: did(`deleted the ${posts} to`, ', '),
})

const missed = (post: string): Sentence =>
  inChannel((who, channel, when) => `${who}'s ${post} to ${channel} was skipped${after(', ', when)}`)

/** `calls everyone, agents admins, billing 2 people`, with whom it means. */
const rulesText = (rules: string): string =>
  rules
    .replaceAll(/\badmins\b/g, 'administrators')
    .replaceAll(/\b1 people\b/g, 'administrators and 1 person')
    .replaceAll(/\b(\d+) people\b/g, 'administrators and $1 people')

const sentences: Readonly<Record<string, Sentence>> = {
  connect: (who) => `${who} connected the phone account`,
  disconnect: (who) => `${who} disconnected the phone account`,
  'time zone': inChannel((who, channel, zone) =>
    zone === 'default'
      ? `${who} set ${channel} back to the default time zone`
      : `${who} set ${channel} to ${zone}`,
  ),
  settings: (who, rules) => `${who} changed access: ${rulesText(rules)}`,
  'may manage Callboard': ofPeople((who, people, role) => `${who} made ${people} ${role}`),
  'may no longer manage Callboard': ofPeople((who, people, role) => `${who} removed ${people} as ${role}`),
  'export calls': (who, calls) => `${who} exported ${calls}`,
  'export audit log': (who, entries) => `${who} exported the audit log${entries && ` (${entries})`}`,
  'reveal SIP password': (who, agent, { name }) =>
    `${who} viewed ${name ? shown(name) : agent}'s SIP password`,
  'view billing': (who, how) => `${who} viewed the bill${after(' ', how)}`,
  'invoice operation': (who, customer) => `${who} asked the phone service to delete ${customer}`,
  share: inChannel((who, channel, what) => `${who} shared ${what} in ${channel}`),
  'post billing': did('posted billing to', ', '),
  'post report': did('posted the call report to', ', '),
  'name lines': (who, count) => `${who} named the lines (${count} ${count === '1' ? 'name' : 'names'})`,
  ...scheduleSentences('schedule', 'billing posts'),
  'billing post missed': missed('billing post'),
  ...scheduleSentences('report schedule', 'call reports'),
  'call report missed': missed('call report'),
  alert: did('set up an alert in', ': '),
  'alert agreed': did('agreed to an alert in', ': '),
}

/** What is done to anything else that is planned: `alert muted`. */
function changeSentence(what: string): Sentence | undefined {
  const [, thing, how] = /^(.+) (changed|paused|resumed|muted|unmuted|taken over|deleted)$/.exec(what) ?? []
  return how === undefined ? undefined : did(`${how.replace('taken', 'took')} the ${thing} in`, ': ')
}

/** Of an action that another version wrote. */
const otherwise = (who: string, { what, channel, people = [], detail = '' }: AuditEntry) =>
  [
    `${who}: ${shown(what)}`,
    ...(channel ? [channelMention(channel)] : []),
    ...people.slice(0, mostPeople).map(personMention),
    ...(detail === '' ? [] : [shown(detail)]),
  ].join(', ')

/** An entry of the audit log as a sentence of mrkdwn, with channels and people as mentions. Pure. */
export function auditSentence(entry: AuditEntry): string {
  const { what, detail = '' } = entry
  const who = personMention(entry.who)
  const own = Object.hasOwn(sentences, what) ? sentences[what] : changeSentence(what)
  return own?.(who, shown(detail), entry) || otherwise(who, entry)
}

/** @param time as people read it */
export const auditLine = (entry: AuditEntry, time: string): string => `${time} · ${auditSentence(entry)}`
