import { expect, it } from 'vitest'
import { dayText, scheduleDetail } from '../../../src/features/planned/words.ts'
import type { ScheduleDay } from '../../../src/store/schedules.ts'
import { parseDay } from '../../../src/time/days.ts'

it.each<[ScheduleDay, string]>([
  [{ kind: 'billing-date' }, 'each billing date'],
  [{ kind: 'monthly', day: 2 }, 'monthly on the 2nd'],
  [{ kind: 'monthly', day: 'last' }, 'monthly on the last day'],
  [{ kind: 'weekly', weekday: 7 }, 'every Sunday'],
  [{ kind: 'daily', weekdays: [5, 3, 1, 2, 4] }, 'Monday to Friday'],
  [{ kind: 'daily', weekdays: [1, 2, 3, 4, 5, 6] }, 'Monday to Saturday'],
  [{ kind: 'daily', weekdays: [1, 2, 3, 4, 5, 6, 7] }, 'every day'],
  [{ kind: 'daily', weekdays: [4, 1, 4] }, 'every Monday and Thursday'],
  [{ kind: 'daily', weekdays: [6] }, 'every Saturday'],
])('%o reads "%s"', (day, text) => {
  expect(dayText(day)).toBe(text)
})

it('a report says in the audit log what it is of', () => {
  const common = { channel: 'C1', day: { kind: 'weekly', weekday: 1 }, time: '09:00' } as const
  const schedule = {
    ...common,
    id: '1',
    tenant: { enterpriseId: undefined, teamId: 'T1' },
    owner: 'U1',
    due: 0,
    dueDay: parseDay('1970-01-01')!,
  }
  expect(scheduleDetail(schedule)).toBe('every Monday at 09:00')
  const report = { range: 'week', by: 'agent', onlyWithCalls: true } as const
  expect(scheduleDetail({ ...schedule, report })).toBe('the week before, by agent, every Monday at 09:00')
})
