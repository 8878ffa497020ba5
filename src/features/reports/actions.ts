import type { types } from '@slack/bolt'
import type { Grouping } from '../../grammar/filters.ts'
import { action, MenuAction, overflow } from '../../slack/blocks/action.ts'
import { type Block, option, plain, select } from '../../slack/blocks/blocks.ts'
import { localDay } from '../../time/zones.ts'
import { callsMenu, exportActions, reportedCallsActions } from '../calls/query.ts'
import { shareButtons } from '../calls/sharing.ts'
import { shiftDays } from './period.ts'
import { groupingsFor, type ReportQuery, reportQuerySchema, switchDirection, toCallsQuery } from './query.ts'
import type { ReportView } from './report.ts'

/** Menu of groupings. If the query is too long for `block_id`, it omits the agent's name, then also the time of the figures. */
const groupingMenu = new MenuAction<ReportQuery>('report.by', reportQuerySchema, (query) => [
  { ...query, agentName: undefined },
  { ...query, agentName: undefined, at: undefined },
])

export const reportActions = {
  show: action('report.show.', reportQuerySchema),
  by: groupingMenu,
  filter: action('report.filter', reportQuerySchema),
  share: action('report.share', reportQuerySchema),
}

export const groupingLabels: Readonly<Record<Grouping, string>> = {
  line: 'By line',
  agent: 'By agent',
  hour: 'By hour',
  weekday: 'By weekday',
  day: 'By day',
  person: 'By person',
}

/** Builds the buttons for the previous and the next period, unless the next one starts in the future. */
function periodButtons({ report: { plan }, now }: ReportView): types.Button[] {
  const show = (name: string, text: string, step: 1 | -1) => {
    const query = { ...plan.query, ...shiftDays(plan.query, step), at: undefined }
    return reportActions.show.named(name).button(text, query)
  }
  const hasNext = shiftDays(plan.query, 1).from <= localDay(plan.zone, now)
  return [show('previous', '← Previous', -1), ...(hasNext ? [show('next', 'Next →', 1)] : [])]
}

/** Omitted if there is nothing to group. With the reason `agents`, only the table by agent is impossible. */
function groupingSelect({ report }: ReportView, isEmpty: boolean): types.StaticSelect[] {
  if (isEmpty || ('reason' in report && report.reason !== 'agents')) return []
  const { query } = report.plan
  const options = groupingsFor(query).map((by) => option(groupingLabels[by], by))
  return [{ ...select(groupingMenu.id, options, query.by), placeholder: plain('By…', 150) }]
}

function directionButton(query: ReportQuery): types.Button {
  const other = switchDirection(query)
  const text = other.direction === 'incoming' ? 'Incoming calls' : 'Outgoing calls'
  return reportActions.show.named('direction').button(text, other)
}

function callsOverflow({ direction, status }: ReportQuery): types.Overflow {
  const missed = direction === 'outgoing' ? 'Show unanswered calls' : 'Show missed calls'
  const exportEntry = [exportActions.list, 'Export…'] as const
  return status === 'answered'
    ? overflow(exportEntry)
    : overflow([reportedCallsActions.missed, missed], exportEntry)
}

/** Builds the buttons below a report that one person sees. Each `block_id` stores the query of the menu in that row. */
export function reportButtons(view: ReportView, isEmpty: boolean): readonly Block[] {
  const { report, nonce, sharePlace } = view
  const { query } = report.plan
  const share = (text: string) => reportActions.share.button(text, query)
  const filter = reportActions.filter.button('Filter…', { ...query, at: undefined })
  return [
    {
      type: 'actions',
      block_id: groupingMenu.blockId(query, nonce),
      elements: [...periodButtons(view), ...groupingSelect(view, isEmpty)],
    },
    {
      type: 'actions',
      block_id: callsMenu.blockId(toCallsQuery(query), nonce),
      elements: [
        filter,
        directionButton(query),
        ...(isEmpty
          ? []
          : [...shareButtons(share, { noun: 'report', count: 1, sharePlace }), callsOverflow(query)]),
      ],
    },
  ]
}
