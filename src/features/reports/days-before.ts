import type { ReportOptions } from '../../store/schedules.ts'
import { addDays, endOfMonth, startOfMonth, startOfWeek } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'

/** What a report that comes on a day is of: the day before it, or the week or the month before its own. */
export function daysBefore(range: ReportOptions['range'], day: LocalDay): DayRange {
  switch (range) {
    case 'day':
      return { from: addDays(day, -1), to: addDays(day, -1) }
    case 'week': {
      const monday = addDays(startOfWeek(day), -7)
      return { from: monday, to: addDays(monday, 6) }
    }
    case 'month': {
      const first = startOfMonth(day, -1)
      return { from: first, to: endOfMonth(first) }
    }
  }
}
