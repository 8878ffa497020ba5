import { expect, it } from 'vitest'
import { scheduleDetail } from '../../../src/features/subscriptions/words.ts'

it('describes a schedule in the audit log, a report with its grouping', () => {
  const schedule = { channel: 'C1', rhythm: 'weekly 1', time: '09:00' } as const
  expect(scheduleDetail(schedule)).toBe('every Monday at 09:00')
  expect(scheduleDetail({ ...schedule, by: 'agent' })).toBe('every Monday at 09:00, by agent')
})
