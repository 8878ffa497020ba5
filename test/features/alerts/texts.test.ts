import { describe, expect, it } from 'vitest'
import { checkMessage } from '../../../dev/slack/block-kit/index.ts'
import { formatAlert, formatHours, formatStatus } from '../../../src/features/alerts/kind.ts'
import { renderAlertMessage } from '../../../src/features/alerts/view.ts'
import { describeStates } from '../../../src/features/alerts/words.ts'
import { type AlertMessageRecord, type AlertRecord, idleState } from '../../../src/store/alerts.ts'
import type { MissedCallRecord } from '../../../src/store/missed-calls.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const zone = parseZone('Europe/Berlin')!
const longName = (n: number) => `${n}${'<'.repeat(79)}`

const person = (n: number, name = longName(n)) => ({ person: `U${n}`, name, at: start + n * minuteMs })

const call = (n: number, more: Partial<MissedCallRecord> = {}): MissedCallRecord => ({
  id: `c${n}`,
  at: start - n,
  line: `+4930${n % 40}`,
  shownIn: [{ message: 'm', channel: 'C1', at: start }],
  ...more,
})

const message: AlertMessageRecord = {
  id: `${new Date(start).toISOString()}-${'a'.repeat(40)}`,
  workspace: { enterpriseId: undefined, teamId: 'T1' },
  channel: 'C1',
  ownerName: longName(0),
  openedAt: start,
  count: 2000,
  firstAt: start - 1000,
  calls: [],
  ts: '1.0',
  revision: 12,
  shownRevision: 12,
}

const names = new LineNames([{ number: '+493055501000', name: 'Sales' }])

it.each<readonly [string, (n: number) => Partial<MissedCallRecord>]>([
  ['waits', () => ({})],
  ['was taken by many people', (n) => (n % 3 === 0 ? {} : { taken: person(n % 30) })],
  ['was finished by many people', (n) => ({ taken: person(n % 20), done: person(n % 30) })],
  ['was released', (n) => ({ released: { ...person(n % 30), before: person(n % 20) } })],
])('the largest message of an alert fits if it %s', (_, more) => {
  const calls = Array.from({ length: 1000 }, (__, n) => call(n, more(n)))
  const names = Array.from({ length: 40 }, (__, n) => ({ number: `+4930${n}`, name: longName(n) }))
  const answer = renderAlertMessage({ message, calls, lines: new LineNames(names), zone })
  expect(checkMessage(answer.fallbacks?.at(-1)?.() ?? answer.message)).toEqual([])
})

it.each([{}, { done: person(1, 'Ada') }])('a message names ten of eleven lines: %j', (state) => {
  const calls = Array.from({ length: 11 }, (_, n) => call(n, state))
  const { text } = renderAlertMessage({ message, calls, lines: names, zone }).message
  expect(text.match(/\* · 1 · /g)).toHaveLength(10)
  if (!('done' in state)) expect(text).toContain('The first 10 of 11 lines.')
})

describe('the state of several calls', () => {
  const [ada, ben] = [person(1, 'Ada'), person(2, 'Ben')]

  it.each<readonly [string, readonly Partial<MissedCallRecord>[]]>([
    ['', [{}, {}]],
    ['Ada has it', [{ taken: ada }]],
    [`${'9'.repeat(39)}… has it`, [{ taken: person(1, '9'.repeat(41)) }]],
    ['Ada has them', [{ taken: ada }, { taken: ada }]],
    ['done by Ben', [{ taken: ada, done: ben }]],
    ['Ada has 1 · 1 waiting', [{ taken: ada }, {}]],
    [
      'Ada has 2 · Ben has 1 · 1 done by Ben',
      [{ taken: ben }, { taken: ada }, { taken: ada }, { done: ben }],
    ],
    ['released by Ada', [{ released: { ...ada, before: ben } }]],
  ])('is "%s"', (text, states) => {
    expect(describeStates(states.map((state, n) => call(n, state)))).toBe(text)
  })

  it('names three people, and counts the calls of all others', () => {
    const calls = [1, 1, 2, 2, 3, 3, 4, 5].map((n, index) => call(index, { taken: person(n, `P${n}`) }))
    expect(describeStates(calls)).toBe('P1 has 2 · P2 has 2 · P3 has 2 · 2 with others')
  })
})

const now = Date.parse('2026-11-05T14:32:00Z')
const muted = { by: 'U2', from: 0 }

it.each([
  [[26, 25], '19 Nov, 09:00–10:00'],
  [[25, 25], '19 Nov, 10:00'],
  [[25, 1], '19 Nov, 10:00–20 Nov, 10:00'],
])('a message shows calls that were missed %j hours before it as %s', (hours, times) => {
  const calls = hours.toReversed().map((ago) => call(0, { at: start - ago * hourMs }))
  const shown = JSON.stringify(renderAlertMessage({ message, calls, lines: names, zone }).message)
  expect(shown).toContain(` · 2 · ${times}"`)
})

const alert = (more: Partial<AlertRecord> = {}): AlertRecord => ({
  id: 'A1',
  workspace: { enterpriseId: undefined, teamId: 'T1' },
  channel: 'C1',
  owner: 'U1',
  since: 0,
  lines: [],
  state: idleState,
  ...more,
})

it.each([
  [{}, 'each missed call'],
  [{ lines: ['+493055501000'] }, 'each missed call on Sales'],
  [{ lines: ['9'.repeat(25)] }, `each missed call on ${'9'.repeat(23)}…`],
  [{ lines: ['0049 30 5550 1000', '+442079460042'] }, 'each missed call on Sales or +442079460042'],
  [{ lines: ['1234', '2345', '3456', '4567', '5678'] }, 'each missed call on 1234, 2345, 3456 or 2 more'],
  [
    { lines: ['+493055501000'], threshold: { calls: 5, minutes: 10 } },
    '5 or more missed calls on Sales within 10 minutes',
  ],
  [{ threshold: { calls: 2, minutes: 1 } }, '2 or more missed calls within a minute'],
])('describes %j as %s', (more, text) => {
  expect(formatAlert(alert(more), names)).toBe(text)
})

it.each<readonly [number[], string]>([
  [[1, 2, 3, 4, 5], 'Monday to Friday'],
  [[7, 6], 'Saturday and Sunday'],
  [[1, 2, 3, 4, 5, 6, 7], 'every day'],
  [[3], 'Wednesday'],
  [[1, 3, 5], 'Monday, Wednesday and Friday'],
  [[2, 3, 4, 6], 'Tuesday, Wednesday, Thursday and Saturday'],
])('describes weekdays %j as %s', (weekdays, text) => {
  expect(formatHours({ weekdays, from: '22:00', to: '06:00' })).toBe(`${text} 22:00–06:00`)
})

it.each([
  [{}, { postedAt: now - 30 * 60 * minuteMs }, 'Last posted: 4 Nov, 09:32'],
  [{ muted }, { postedAt: now }, 'Muted by <@U2> · Last posted: 15:32'],
  [{ muted: { ...muted, until: now + minuteMs } }, {}, 'Muted until 15:33 by <@U2> · Nothing posted yet'],
  [{ muted: { ...muted, until: now } }, {}, 'Nothing posted yet'],
])('%j with %j is: %s', (more, state, text) => {
  const shown = alert({ ...more, state: { ...idleState, ...state } })
  expect(formatStatus({ alert: shown, zone, now, failing: undefined })).toBe(text)
})
