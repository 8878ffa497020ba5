import { z } from 'zod'
import { groupings } from '../../grammar/filters.ts'
import { splitWords } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { ToolAction } from '../../slack/blocks/action.ts'
import type { Block } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/links.ts'
import type { Interaction, Tool, ToolResult } from '../../slack/routing/routes.ts'
import { answerQuery, keyWord, plainWord, rowsOfTable, tool } from '../../slack/routing/tools.ts'
import { localDay } from '../../time/zones.ts'
import { groupingsFor, groupingTexts } from './actions.ts'
import { reportCommand } from './command.ts'
import { shiftedDays } from './period.ts'
import { shownDirections } from './report.ts'
import type { reportLoader } from './reports.ts'
import { reportTable } from './table.ts'
import { isEmpty, type ReportView, reportWith } from './view.ts'
import { aboutText, comparisonText, emptyText, factsFor, notes, notTakenText, titleOf } from './words.ts'

const mostRows = 100

const reportCalls = new ToolAction(
  'report_calls',
  z.strictObject({
    range: z
      .string()
      .max(100)
      .optional()
      .describe('Days in words: last week, this month, last 30 days, 1 Nov..9 Nov; the last 7 if left out'),
    direction: z.enum(['incoming', 'outgoing']).optional().describe('Incoming if left out'),
    agent: z.string().max(200).optional().describe("An agent's name, a part of it, or an id"),
    by: z.enum(groupings).optional().describe('What the table groups calls by'),
  }),
)
type ReportArgs = z.infer<typeof reportCalls.input>

const argsOf = ({ from, to, direction, agentId, by }: ReportQuery, own: Partial<ReportArgs>): ReportArgs => ({
  range: from === to ? from : `${from}..${to}`,
  direction,
  agent: agentId,
  by,
  ...own,
})

/** The periods before and after, and the same calls told apart otherwise. */
function buttonsFor({ report: { plan }, now }: ReportView): readonly Block[] {
  const { query, zone } = plan
  const period = (by: 1 | -1) => {
    const { from, to } = shiftedDays(query, by)
    return { from, args: argsOf(query, { range: `${from}..${to}` }) }
  }
  const [before, after] = [period(-1), period(1)]
  const others = groupingsFor(query).filter((by) => by !== query.by)
  return [
    ...reportCalls.menu(
      'By…',
      others.map((by) => [groupingTexts[by], argsOf(query, { by })]),
    ),
    ...reportCalls.row('← Previous', before.args),
    ...(after.from <= localDay(zone, now) ? reportCalls.row('Next →', after.args) : []),
  ]
}

function resultOf(view: ReportView): ToolResult {
  const { report, lines, now } = view
  const { plan } = report
  const today = localDay(plan.zone, now)
  const table = reportTable(report, { lines, today }, mostRows)?.table
  const said = [
    notTakenText(report),
    ...factsFor(report).map((facts) => facts.map(({ name, value }) => `${name}: ${value}`).join(', ')),
    comparisonText(report, today),
    ...notes(report),
  ]
  return {
    title: titleOf(plan.query, lines),
    about: aboutText(plan, lines, today, shownDirections(report)),
    ...(table && !isEmpty(report) ? rowsOfTable(table) : { columns: [], rows: [] }),
    notes: isEmpty(report) ? [emptyText(plan.query, lines)] : said.filter((one) => one !== undefined),
    forms: reportWith(view, buttonsFor(view)),
  }
}

export const reportTools = (
  services: Services,
  loader: Pick<ReturnType<typeof reportLoader>, 'load'>,
): readonly Tool[] => [
  tool(
    reportCalls,
    {
      needs: 'calls',
      title: 'Report on calls',
      description:
        'Counts the calls of a range of days: how many came in or, if asked for outgoing, were made, how many were missed, the missed rate and talk time, compared with the period before, by line, agent, hour, weekday or day, with a chart. Answers "how many calls did we miss last week, and when?". For single calls use list_calls.',
    },
    (interaction: Interaction, { range = '', direction, agent, by }) => {
      const words = [
        ...splitWords(range),
        ...plainWord(direction),
        ...keyWord('agent', agent),
        ...keyWord('by', by),
      ]
      return answerQuery(services, reportCommand, interaction, words, async (query) =>
        resultOf(await loader.load(interaction, query)),
      )
    },
  ),
]
