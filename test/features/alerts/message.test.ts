import { describe, expect, it } from 'vitest'
import { checkMessage } from '../../../dev/slack/block-kit/index.ts'
import { alertMessage } from '../../../src/features/alerts/message.ts'
import { describeStates } from '../../../src/features/alerts/words.ts'
import type { AlertMessageRecord } from '../../../src/store/alerts.ts'
import type { MissedCallRecord } from '../../../src/store/missed-calls.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { minuteMs } from '../../../src/util/units.ts'

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
  alertId: 'a'.repeat(40),
  channel: 'C1',
  ownerName: longName(0),
  openedAt: start,
  count: 2000,
  firstAt: start - 1000,
  calls: [],
  lateByMs: 20 * minuteMs,
  ts: '1.0',
  revision: 12,
  shownRevision: 12,
}

describe('the largest message of an alert', () => {
  it.each<readonly [string, (n: number) => Partial<MissedCallRecord>]>([
    ['waits', () => ({})],
    ['was taken by many people', (n) => (n % 3 === 0 ? {} : { taken: person(n % 30) })],
    ['was finished by many people', (n) => ({ taken: person(n % 20), done: person(n % 30) })],
    ['was released', (n) => ({ released: { ...person(n % 30), before: person(n % 20) } })],
  ])('fits if it %s', (_, more) => {
    const calls = Array.from({ length: 1000 }, (__, n) => call(n, more(n)))
    const names = Array.from({ length: 40 }, (__, n) => ({ number: `+4930${n}`, name: longName(n) }))
    const answer = alertMessage({ message, calls, lines: new LineNames(names), zone })
    const smallest = answer.otherwise?.at(-1)?.() ?? answer.message
    expect(checkMessage(smallest)).toEqual([])
  })
})

describe('the state of several calls', () => {
  const describeAll = (calls: readonly MissedCallRecord[]) => describeStates(calls, () => '11:05')
  const [ada, ben] = [person(1, 'Ada'), person(2, 'Ben')]

  it.each<readonly [string, readonly Partial<MissedCallRecord>[]]>([
    ['', [{}, {}]],
    ['Ada has it', [{ taken: ada }]],
    ['Ada has them', [{ taken: ada }, { taken: ada }]],
    ['done by Ben', [{ taken: ada, done: ben }]],
    ['Ada has 1 · 1 waiting', [{ taken: ada }, {}]],
    [
      'Ada has 2 · Ben has 1 · 1 done by Ben',
      [{ taken: ben }, { taken: ada }, { taken: ada }, { done: ben }],
    ],
    ['released by Ada at 11:05 (Ben had it)', [{ released: { ...ada, before: ben } }]],
  ])('is "%s"', (text, states) => {
    expect(describeAll(states.map((state, n) => call(n, state)))).toBe(text)
  })

  it('names three people, and counts the calls of all others', () => {
    const calls = [1, 1, 2, 2, 3, 3, 4, 5].map((n, index) => call(index, { taken: person(n, `P${n}`) }))
    expect(describeAll(calls)).toBe('P1 has 2 · P2 has 2 · P3 has 2 · others have 2')
  })
})
