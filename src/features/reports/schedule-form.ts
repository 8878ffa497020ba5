import { z } from 'zod'
import type { ScheduleForm } from '../../scheduler/kind.ts'
import { kindInfos } from '../../scheduler/kinds.ts'
import { type Block, context, section } from '../../slack/blocks/blocks.ts'
import { input, option, select } from '../../slack/blocks/inputs.ts'
import { readForm } from '../../slack/inbound/payloads.ts'
import { type ReportOptions, reportOptions } from '../../store/schedules.ts'

const ranges: Readonly<Record<ReportOptions['range'], string>> = {
  day: 'The day before',
  week: 'The week before, Monday to Sunday',
  month: 'The month before',
}
const groupings: Readonly<Record<ReportOptions['by'], string>> = {
  line: 'By line',
  agent: 'By agent',
  hour: 'By hour',
}
const always = option('Always', 'always')
const withCalls = option('Only when there were calls', 'calls')

export const usualReport: ReportOptions = { range: 'day', by: 'line', onlyWithCalls: true }

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, text]) => option(text, value))

const form = z
  .object({ range: reportOptions.shape.range, by: reportOptions.shape.by, when: z.enum(['always', 'calls']) })
  .transform(({ when, ...rest }): ReportOptions => ({ ...rest, onlyWithCalls: when === 'calls' }))

/** What the form of `/calls schedule` asks for. Pure. */
export const reportForm: ScheduleForm = {
  info: kindInfos.report,
  intro:
    'Everyone in the channel will see the call report. Each post says that you scheduled it. You see a preview before it is saved.',
  inputs(schedule) {
    const { range, by, onlyWithCalls } = schedule?.report ?? usualReport
    return [
      input('range', 'Calls of', select('range', optionsOf(ranges), range)),
      input('by', 'Table', select('by', optionsOf(groupings), by)),
      input('when', 'Post', select('when', [withCalls, always], (onlyWithCalls ? withCalls : always).value)),
    ]
  },
  readInputs: (view) => ({ report: readForm(view, form) }),
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
