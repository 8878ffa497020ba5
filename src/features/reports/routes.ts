import { z } from 'zod'
import { answerQuery, queryCommand } from '../../query/command.ts'
import { filterArguments, toFilterArguments } from '../../query/filters/call-filters.ts'
import { groupings } from '../../query/filters/filter.ts'
import type { Services } from '../../services.ts'
import { directMessageFailure, findPermalink, postMessage } from '../../slack/api/web-api.ts'
import type { Block } from '../../slack/blocks/blocks.ts'
import { ToolAction, textArgument } from '../../slack/blocks/tool-action.ts'
import { ForgedValueError } from '../../slack/blocks/written-values.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { bind, type FeatureRoutes, type Interaction, type Tool, tool } from '../../slack/routing/routes.ts'
import { writeRange } from '../../time/ranges.ts'
import { getShareLabel, share } from '../calls/sharing.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import { relateDirection, relatePeriods } from './buttons.ts'
import { ReportLoader } from './loader.ts'
import {
  describeRequest,
  groupingLabels,
  groupingsFor,
  isReportMeant,
  reportCommand,
  reportFilter,
} from './query.ts'
import { isEmptyReport, type ReportPlan } from './report.ts'
import { personalReport, renderReport, sharedReport } from './view.ts'

export function reports(services: Services): FeatureRoutes {
  const loader = new ReportLoader(services)

  async function show(interaction: Interaction, query: ReportQuery): Promise<Answer> {
    const view = await loader.load(interaction, query)
    const answer = personalReport(view, getShareLabel(interaction))
    const isFromHome = interaction.isInView && interaction.channel === ''
    if (isFromHome && !isEmptyReport(view.report)) return sendToPerson(services, interaction, answer)
    return answer
  }

  return {
    tools: [async () => [reportTool(services, loader)]],
    commands: [
      {
        command: 'calls',
        word: 'report',
        otherWords: ['stats', 'statistics', 'summary'],
        moreWords: 'read',
        isMeant: isReportMeant,
        needs: 'calls',
        handle: queryCommand(services, { ...reportCommand, run: show }),
      },
    ],
    actions: bind(reportActions, {
      show: { needs: 'calls', handle: ({ interaction, value }) => show(interaction, value) },
      by: {
        needs: 'calls',
        async handle({ interaction, value: query, click }) {
          const chosen = click.action.selected_option?.value
          const grouping = groupings.find((name) => name === chosen)
          if (!grouping) throw new ForgedValueError('a grouping')
          return show(interaction, { ...query, by: grouping })
        },
      },
      filter: {
        needs: 'calls',
        opensModal: true,
        handle: ({ interaction, value, click }) => reportFilter.open(services, interaction, click, value),
      },
      share: {
        needs: 'calls',
        replacesOriginal: false,
        handle: ({ interaction, value: query, click }) =>
          share(services, interaction, click, async () => ({
            answer: sharedReport(await loader.load(interaction, query), interaction.actor.person),
            what: describeRequest(query),
          })),
      },
    }),
    submissions: [reportFilter.submission(services, show)],
  }
}

/** Home answers in a modal, which can't show tables and charts: the report goes to the app's Messages tab. */
async function sendToPerson(
  services: Services,
  { actor: { workspace, person, installation } }: Interaction,
  report: Answer,
): Promise<Answer> {
  const { delivery, webApi } = services
  const { botToken } = installation
  const sent = await delivery.send(report, workspace, ({ message }) =>
    postMessage(webApi, botToken, person.id, message),
  )
  if (sent.kind !== 'sent') throw directMessageFailure(sent)
  const link = await findPermalink(services, botToken, sent)
  const where = "The report is in Callboard's *Messages* tab."
  if (link === undefined) return textAnswer(where)
  return textAnswer(`${where} <${link}|Show report>`)
}

const reportCalls = new ToolAction(
  'report_calls',
  z.strictObject({
    range: textArgument(
      100,
      'Days in words: last week, november, last 30 days, 1 Nov..9 Nov, last month vs this month; the last 7 if left out',
    ),
    ...filterArguments,
    by: textArgument(
      40,
      'What the table groups calls by: line, agent, hour, weekday, day, or person (who in Slack took missed calls that alerts posted)',
    ),
  }),
)

const toReportArgs = (query: ReportQuery) => ({
  range: writeRange(query),
  ...toFilterArguments(query),
  by: query.by,
})

function toolButtons(plan: ReportPlan): readonly Block[] {
  const { query } = plan
  const groupings: [label: string, args: ReturnType<typeof toReportArgs>][] = []
  for (const by of groupingsFor(query))
    if (by !== query.by) groupings.push([groupingLabels[by], toReportArgs({ ...query, by })])
  const rows = reportCalls.menu('By…', groupings)
  for (const { text, query } of [...relatePeriods(plan), relateDirection(plan)])
    rows.push(...reportCalls.row(text, toReportArgs(query)))
  return rows
}

const reportTool = (services: Services, loader: ReportLoader): Tool =>
  tool(
    reportCalls,
    {
      needs: 'calls',
      title: 'Report on calls',
      description:
        'Counts the calls of a range of days: how many came in or, if asked for outgoing, were made, how many were missed, the missed rate, talk time and cost, compared with the period before, by line, agent, hour, weekday, day or person, with a chart. Answers "how many calls did we miss last week, and when?". For single calls use list_calls.',
    },
    (interaction, args) =>
      answerQuery(services, reportCommand, interaction, args, async (query) => {
        const view = await loader.load(interaction, query)
        return renderReport(view, { below: toolButtons(view.report.plan), isTool: true })
      }),
  )
