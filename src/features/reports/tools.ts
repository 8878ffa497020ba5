import { z } from 'zod'
import { groupings } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import { ToolAction } from '../../slack/blocks/action.ts'
import type { Block } from '../../slack/blocks/blocks.ts'
import { type Tool, tool } from '../../slack/routing/routes.ts'
import { localDay } from '../../time/zones.ts'
import { answerQuery } from '../calls/query-command.ts'
import { groupingLabels } from './actions.ts'
import { reportCommand } from './filters.ts'
import type { ReportLoader } from './loader.ts'
import { shiftDays } from './period.ts'
import { groupingsFor, type ReportQuery, switchDirection } from './query.ts'
import type { ReportView } from './report.ts'
import { renderReport } from './view.ts'
import { writeDays } from './words.ts'

const reportCalls = new ToolAction(
  'report_calls',
  z.strictObject({
    range: z
      .string()
      .max(100)
      .optional()
      .describe('Days in words: last week, this month, last 30 days, 1 Nov..9 Nov; the last 7 if left out'),
    direction: z.enum(['incoming', 'outgoing']).optional().describe('Incoming if left out'),
    status: z.enum(['answered', 'missed']).optional().describe('Both if left out'),
    agent: z.string().max(200).optional().describe("An agent's name, a part of it, or an id"),
    line: z.string().max(100).optional().describe("The name or number of one of the company's own lines"),
    number: z.string().max(40).optional().describe('Digits to look for in the number called or dialed'),
    by: z.enum(groupings).optional().describe('What the table groups calls by'),
  }),
)
type ReportArgs = z.infer<typeof reportCalls.input>

const toReportArgs = ({
  direction,
  status,
  agentId,
  line,
  number,
  by,
  ...days
}: ReportQuery): ReportArgs => ({
  range: writeDays(days),
  direction,
  status,
  agent: agentId,
  line,
  number,
  by,
})

/** Other groupings, the periods before and after, and the other direction. */
function toolButtons({ report: { plan }, now }: ReportView): readonly Block[] {
  const { query, zone } = plan
  const [before, after] = [shiftDays(query, -1), shiftDays(query, 1)]
  const other = switchDirection(query)
  const others = groupingsFor(query).filter((by) => by !== query.by)
  return [
    ...reportCalls.menu(
      'By…',
      others.map((by) => [groupingLabels[by], toReportArgs({ ...query, by })]),
    ),
    ...reportCalls.row('← Previous', toReportArgs({ ...query, ...before })),
    ...(after.from <= localDay(zone, now)
      ? reportCalls.row('Next →', toReportArgs({ ...query, ...after }))
      : []),
    ...reportCalls.row(
      other.direction === 'incoming' ? 'Incoming calls' : 'Outgoing calls',
      toReportArgs(other),
    ),
  ]
}

export const reportTools = (services: Services, loader: Pick<ReportLoader, 'load'>): readonly Tool[] => [
  tool(
    reportCalls,
    {
      needs: 'calls',
      title: 'Report on calls',
      description:
        'Counts the calls of a range of days: how many came in or, if asked for outgoing, were made, how many were missed, the missed rate, talk time and cost, compared with the period before, by line, agent, hour, weekday or day, with a chart. Answers "how many calls did we miss last week, and when?". For single calls use list_calls.',
    },
    (interaction, args) =>
      answerQuery(services, reportCommand, interaction, args, async (query) => {
        const view = await loader.load(interaction, query)
        return renderReport(view, toolButtons(view), true)
      }),
  ),
]
