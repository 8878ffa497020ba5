import fc from 'fast-check'
import { expect, it } from 'vitest'
import { auditDetail, auditSentence } from '../../../src/slack/access/audit-sentence.ts'
import type { AuditEntry } from '../../../src/store/audit.ts'
import { anyCharacter } from '../../support/properties.ts'

/** @param text the entry's channel, people and detail, as the log has them */
function entryOf(what: string, text = ''): AuditEntry {
  const [, channel, , rest = ''] = /^(?:channel (\w+)(, |$))?(.*)$/s.exec(text) ?? []
  const people = [...rest.matchAll(/person (\w+)/g)].map(([, id = '']) => id)
  const detail = people.length > 0 || rest === '' ? undefined : rest
  return { at: 0, who: 'U1', what, channel, people, detail }
}
const say = (what: string, text?: string) => auditSentence(entryOf(what, text))

it.each([
  ['connect', undefined, 'connected the phone account'],
  ['disconnect', undefined, 'disconnected the phone account'],
  ['time zone', 'channel C1, Asia/Tokyo', 'set <#C1> to Asia/Tokyo'],
  ['time zone', 'channel C1, default', 'set <#C1> back to the default time zone'],
  ['time zone', 'channel D1, +05:30', 'set a direct conversation to +05:30'],
  [
    'settings',
    'calls everyone, agents admins, billing 2 people, recordings 1 people',
    'changed access: calls everyone, agents administrators, billing administrators and 2 people, recordings administrators and 1 person',
  ],
  ['may manage Callboard', 'person U2', 'made <@U2> an administrator'],
  ['may manage Callboard', 'person U2, person U3, person U4', 'made <@U2>, <@U3> and <@U4> administrators'],
  ['may no longer manage Callboard', 'person U2', 'removed <@U2> as an administrator'],
  ['export calls', '15 missed incoming calls, 9–15 Nov', 'exported 15 missed incoming calls, 9–15 Nov'],
  ['export audit log', '2 entries', 'exported the audit log (2 entries)'],
  ['view billing', 'through Slackbot', 'viewed the bill through Slackbot'],
  ['invoice operation', 'customer C-4101', 'asked the phone service to delete customer C-4101'],
  ['share', 'channel C1, 15 calls', 'shared 15 calls in <#C1>'],
  ['post billing', 'channel C1', 'posted billing to <#C1>'],
  [
    'post report',
    'channel C1, 2026-11-15..2026-11-21',
    'posted the call report to <#C1>, 2026-11-15..2026-11-21',
  ],
  ['name lines', '1', 'named the lines (1 name)'],
  ['name lines', '3', 'named the lines (3 names)'],
  ['post billing', 'channel C1, on schedule', 'posted billing to <#C1>, on schedule'],
  ['reveal SIP password', 'agent 1001', "viewed agent 1001's SIP password"],
])('says %s, %s', (what, detail, words) => {
  expect(say(what, detail)).toBe(`<@U1> ${words}`)
  expect(auditDetail(entryOf(what, detail))).toBe(detail ?? '')
})

it.each([
  ['schedule', 'scheduled billing posts to <#C1>, weekly'],
  ['schedule changed', 'changed the billing posts to <#C1>: weekly'],
  ['schedule paused', 'paused the billing posts to <#C1>, weekly'],
  ['schedule resumed', 'resumed the billing posts to <#C1>, weekly'],
  ['schedule deleted', 'deleted the billing posts to <#C1>, weekly'],
  ['report schedule', 'scheduled call reports to <#C1>, weekly'],
  ['report schedule paused', 'paused the call reports to <#C1>, weekly'],
  ['alert', 'set up an alert in <#C1>: weekly'],
  ['alert changed', 'changed the alert in <#C1>: weekly'],
  ['alert paused', 'paused the alert in <#C1>: weekly'],
  ['alert resumed', 'resumed the alert in <#C1>: weekly'],
  ['alert taken over', 'took over the alert in <#C1>: weekly'],
  ['alert muted', 'muted the alert in <#C1>: weekly'],
  ['alert unmuted', 'unmuted the alert in <#C1>: weekly'],
  ['alert deleted', 'deleted the alert in <#C1>: weekly'],
])('says what became of something planned: %s', (what, words) => {
  expect(say(what, 'channel C1, weekly')).toBe(`<@U1> ${words}`)
})

it.each([
  [
    'schedule paused',
    'channel C1, <#C1> is archived.',
    "'s billing posts to <#C1> were paused: <#C1> is archived.",
  ],
  [
    'report schedule paused',
    'channel C1, <#C1> is archived.',
    "'s call reports to <#C1> were paused: <#C1> is archived.",
  ],
  [
    'call report missed',
    'channel C1, scheduled for 5 Dec 2026 09:00',
    "'s call report to <#C1> was skipped, scheduled for 5 Dec 2026 09:00",
  ],
  [
    'billing post missed',
    'channel C1, scheduled for 5 Dec 2026 09:00',
    "'s billing post to <#C1> was skipped, scheduled for 5 Dec 2026 09:00",
  ],
  // Of a version that comes after this one, and with a detail that none of them writes.
  ['call back', 'channel C1, person U2', ': call back, <#C1>, <@U2>'],
  ['constructor', undefined, ': constructor'],
  ['share', 'everything', ': share, everything'],
])('tells what nobody has just done: %s, %s', (what, detail, words) => {
  expect(auditSentence({ ...entryOf(what, detail), isAutomatic: true })).toBe(`<@U1>${words}`)
})

it("says an agent's name as it was then", () => {
  const entry = { at: 0, who: 'U1', what: 'reveal SIP password', detail: 'agent 1001' }
  expect(auditSentence({ ...entry, name: 'Anna <Smith>' })).toBe(
    "<@U1> viewed Anna &lt;Smith&gt;'s SIP password",
  )
})

it('names ten people, and says how many more there are', () => {
  const detail = Array.from({ length: 50 }, (_, n) => `person U${100 + n}`).join(', ')
  const text = say('may manage Callboard', detail)
  expect(text.match(/<@U\d+>/g)).toHaveLength(11)
  expect(text).toContain(' and 40 more administrators')
})

it('escapes whatever is stored, and stays short', () => {
  const whats = fc.constantFrom('share', 'post billing', 'reveal SIP password', 'settings', 'zone', 'other')
  const details = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 2000 }),
    fc.string({ maxLength: 500 }).map((rest) => `channel C1, ${rest}<!channel>`),
  )
  fc.assert(
    fc.property(whats, details, fc.string({ maxLength: 500 }), (what, detail, name) => {
      const text = auditSentence({ ...entryOf(what, detail), name: `${name}<!here>` })
      expect(text.replaceAll(/<(@[A-Z0-9]+|#[A-Z0-9]+)>/g, '')).not.toMatch(/[<>]/)
      expect(text.length).toBeLessThan(1200)
    }),
  )
})
