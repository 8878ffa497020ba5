import { expect, it } from 'vitest'
import { formatAlert, formatHours, formatStatus } from '../../../src/features/alerts/kind.ts'
import type { AlertRecord } from '../../../src/store/alerts.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { minuteMs } from '../../../src/util/units.ts'

const names = new LineNames([{ number: '+493055501000', name: 'Sales' }])
const zone = parseZone('Europe/Berlin')!
const now = Date.parse('2026-11-05T14:32:00Z')

const alert = (more: Partial<AlertRecord> = {}): AlertRecord => ({
  id: 'A1',
  workspace: { enterpriseId: undefined, teamId: 'T1' },
  channel: 'C1',
  owner: 'U1',
  since: 0,
  lines: [],
  ...more,
})

it.each([
  [{}, 'each missed call'],
  [{ lines: ['+493055501000'] }, 'each missed call on Sales'],
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
  [{ muted: { by: 'U2' } }, { postedAt: now }, 'Muted by <@U2> · Last posted: 15:32'],
  [{ muted: { by: 'U2', until: now + minuteMs } }, {}, 'Muted until 15:33 by <@U2> · Nothing posted yet'],
  [{ muted: { by: 'U2', until: now } }, {}, 'Nothing posted yet'],
])('%j with %j is: %s', (more, state, text) => {
  const whole = { postedAt: undefined, failing: undefined, ...state }
  expect(formatStatus({ alert: alert(more), zone, now, ...whole })).toBe(text)
})
