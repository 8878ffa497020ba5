import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatAuditDetail, formatAuditLine } from '../../../src/slack/access/audit.ts'
import type { AuditEntry } from '../../../src/store/audit-trail.ts'
import { anyCharacter, forAll } from '../../support/properties.ts'

const formatLine = (entry: Partial<AuditEntry>) =>
  formatAuditLine({ at: 0, who: 'U1', what: 'share', ...entry }, '20 Nov 19:33')

it.each<[Partial<AuditEntry>, line: string, detail: string]>([
  [{ what: 'connected the phone account' }, '<@U1> connected the phone account', ''],
  [
    { what: 'set the time zone', channel: 'C1', detail: 'Asia/Tokyo' },
    '<@U1> set the time zone in <#C1>: Asia/Tokyo',
    'channel C1, Asia/Tokyo',
  ],
  [
    { what: 'set the time zone', channel: 'D1', detail: '+05:30' },
    '<@U1> set the time zone in a direct conversation: +05:30',
    'channel D1, +05:30',
  ],
  [
    { what: 'set up an alert', channel: 'U2', detail: 'each missed call' },
    '<@U1> set up an alert in direct messages to <@U2>: each missed call',
    'channel U2, each missed call',
  ],
  [
    { what: 'gave administrator rights to', people: ['U2', 'U3'] },
    '<@U1> gave administrator rights to <@U2> and <@U3>',
    'person U2, person U3',
  ],
  [
    { what: 'stopped a bill schedule', channel: 'C1', detail: '<#C1> is archived.', isAutomatic: true },
    'For <@U1>, Callboard stopped a bill schedule in <#C1>: <#C1> is archived.',
    'channel C1, <#C1> is archived.',
  ],
  [
    { what: 'viewed a SIP password', detail: 'agent 1001', name: 'Anna <Smith>' },
    '<@U1> viewed a SIP password: agent 1001 (Anna &lt;Smith&gt;)',
    'agent 1001',
  ],
])('formats %j', (entry, line, detail) => {
  expect(formatLine(entry)).toBe(`20 Nov 19:33 · ${line}`)
  expect(formatAuditDetail(entry)).toBe(detail)
})

it('names ten people and the number of others', () => {
  const text = formatLine({ people: Array.from({ length: 50 }, (_, n) => `U${100 + n}`) })
  expect(text.match(/<@U\d{3}>/g)).toHaveLength(10)
  expect(text).toContain(' and 40 more')
})

it('escapes stored text, and stays short', () => {
  const anyText = fc.string({ unit: anyCharacter, maxLength: 2000 })
  const details = fc.oneof(anyText, fc.constantFrom('<!channel>', '&'.repeat(2000)))
  forAll(details, fc.string({ maxLength: 500 }), (detail, name) => {
    const text = formatLine({ what: detail, channel: 'C1', detail, name: `${name}<!here>` })
    expect(text.replaceAll(/<(@[A-Z0-9]+|#[A-Z0-9]+)>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/)
    expect(text.length).toBeLessThan(4000)
  })
})
