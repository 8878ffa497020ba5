import { z } from 'zod'
import { answerQuery, handleQuery } from '../../query/command.ts'
import { filterArguments } from '../../query/filters/call-filters.ts'
import { groupings } from '../../query/filters/filter.ts'
import type { Services } from '../../services.ts'
import { findPermalink, postMessage } from '../../slack/api/messages.ts'
import { SlackFailure } from '../../slack/api/slack-failure.ts'
import { ForgedValueError } from '../../slack/blocks/actions.ts'
import { ToolAction, textArgument } from '../../slack/blocks/tool-action.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import * as routing from '../../slack/routing/routes.ts'
import { getShareLabel, share, sharedFooter } from '../calls/sharing.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import { ReportLoader } from './loader.ts'
import { describeRequest, isReportMeant, reportCommand, reportFilter } from './query.ts'
import { isEmptyReport } from './report.ts'
import { personalReport, renderReport } from './view.ts'

export function reports(services: Services): routing.FeatureRoutes {
  const loader = new ReportLoader(services)

  async function show(interaction: routing.Interaction, query: ReportQuery): Promise<Answer> {
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
        aliases: ['stats', 'statistics', 'summary'],
        moreWords: 'read',
        isMeant: isReportMeant,
        needs: 'calls',
        handle: handleQuery(services, reportCommand, show),
      },
    ],
    actions: routing.bind(reportActions, {
      show: { needs: 'calls', handle: ({ interaction, value }) => show(interaction, value) },
      by: {
        needs: 'calls',
        async handle({ interaction, value: query, click }) {
          const chosen = click.action.selected_option?.value
          const by = groupings.find((name) => name === chosen)
          if (!by) throw new ForgedValueError('a grouping')
          return show(interaction, { ...query, by })
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
          share(services, interaction, click, async () => {
            const view = await loader.load(interaction, query)
            const answer = renderReport(view, { below: sharedFooter(interaction.actor.person) })
            return { answer, what: describeRequest(query) }
          }),
      },
    }),
    submissions: [reportFilter.createSubmission(services, show)],
  }
}

/** Home's modal can't show tables and charts, so reports that aren't empty go to the app's Messages tab. */
async function sendToPerson(services: Services, { actor }: routing.Interaction, report: Answer) {
  const { delivery, webApi } = services
  const { botToken } = actor.installation
  const sent = await delivery.send(report, actor.workspace, ({ message }) =>
    postMessage(webApi, botToken, actor.person.id, message),
  )
  if (sent.kind !== 'sent') throw new SlackFailure('a direct message failed', sent)
  const link = await findPermalink(services, botToken, sent)
  const sentence = "The report is in Callboard's *Messages* tab."
  if (link === undefined) return textAnswer(sentence)
  return textAnswer(`${sentence} <${link}|Show report>`)
}

const rangeDescription =
  'Days in words: last week, november, last 30 days, 1 Nov..9 Nov, last month vs this month; the last 7 if left out'
const groupingDescription =
  'What the table groups calls by: line, agent, hour, weekday, day, or person (who in Slack took missed calls that alerts posted)'
const toolInput = z.strictObject({
  range: textArgument(100, rangeDescription),
  ...filterArguments,
  by: textArgument(40, groupingDescription),
})
const reportToolAction = new ToolAction('report_calls', toolInput)

const reportToolDetails = {
  needs: 'calls',
  title: 'Report on calls',
  description:
    'Counts the calls of a range of days: how many came in or, if asked for outgoing, were made, how many were missed, the missed rate, talk time and cost, compared with the period before, by line, agent, hour, weekday, day or person, with a chart. Answers "how many calls did we miss last week, and when?". For single calls use list_calls.',
} as const

const reportTool = (services: Services, loader: ReportLoader): routing.Tool =>
  routing.tool(reportToolAction, reportToolDetails, (interaction, args) =>
    answerQuery(services, reportCommand, interaction, args, async (query) => {
      const view = await loader.load(interaction, query)
      return renderReport(view, { below: [], isTool: true })
    }),
  )
