import { type ScheduleForm, scheduleInfo } from '../../planned/schedule-kind.ts'
import { type Block, context, section } from '../../slack/blocks/blocks.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { choice } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { ReportOptions } from '../../store/schedules.ts'

export const usualReport: ReportOptions = { range: 'day', by: 'line', onlyWithCalls: true }

const formOf = ({ range, by, onlyWithCalls }: ReportOptions) =>
  new Form({
    range: choice(
      'Calls of',
      { day: 'The day before', week: 'The week before, Monday to Sunday', month: 'The month before' },
      range,
    ),
    by: choice('Table', { line: 'By line', agent: 'By agent', hour: 'By hour' }, by),
    when: choice(
      'Post',
      { calls: 'Only when there were calls', always: 'Always' },
      onlyWithCalls ? 'calls' : 'always',
    ),
  })

/** What the form of `/calls schedule` asks for. Pure. */
export const reportForm: ScheduleForm = {
  info: scheduleInfo('calls.schedule', {
    name: 'report',
    needs: 'calls',
    command: 'calls',
    post: 'call report',
    audit: 'report schedule',
    posted: 'post report',
    rhythms: ['daily', 'weekly', 'monthly'],
    perPage: 5,
    hasPreview: true,
  }),
  intro:
    'Everyone in the channel will see the call report. Each post says that you scheduled it. You see a preview before it is saved.',
  inputs: (schedule) => formOf(schedule?.report ?? usualReport).inputs(),
  readInputs(view) {
    const { values } = formOf(usualReport).read(view)
    if (!values) throw new ForgedValueError('the options of a report')
    const { when, ...rest } = values
    return { report: { ...rest, onlyWithCalls: when === 'calls' } }
  },
}

/** Where a preview can't be shown: what was filled in can be saved anyway. @param why mrkdwn */
export const noPreview = (why: string) => [
  section(why),
  context('There is no preview for that reason. You can save the schedule anyway.'),
]

/** @param words what would be posted, without what a modal can't hold */
export const previewInWords = (words: readonly Block[]): readonly Block[] => [
  ...words,
  context('In the channel, it comes with a table and a chart.'),
]

/** @param nothing what there would be to say of it: `No calls on Fri 20 Nov 2026.`; escaped */
export const silentPreview = (nothing: string) => [
  section(nothing),
  context('Nothing would be posted, since there is nothing to tell.'),
]
