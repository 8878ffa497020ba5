import type { types } from '@slack/bolt'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { type Block, button, plain } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import {
  EXPORT_OPTIONS,
  type Grouping,
  groupings,
  REPORT_OPTIONS,
  type ReportQuery,
  writeReportMenu,
  writeReportQuery,
} from '../../slack/blocks/report-query.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { shiftedDays } from './period.ts'
import { directionsOf, type Report } from './report.ts'
import { groupingNames } from './rows.ts'

/** Another reading, at its own instant. */
const anew = ({ at: _at, ...query }: ReportQuery): ReportQuery => query

const show = (name: string, text: string, query: ReportQuery) =>
  button(`${ACTIONS.reportShow}${name}`, text, writeReportQuery(query))

/** What its calls can be told apart by: an outgoing record says nothing of the line, and no total is one line's. */
export const groupingsFor = ({
  direction,
  line,
}: Pick<ReportQuery, 'direction' | 'line'>): readonly Grouping[] =>
  groupings.filter(
    (by) => !(by === 'line' && direction === 'outgoing') && !(by === 'agent' && line !== undefined),
  )

export const groupingOption = (by: Grouping) => option(`By ${groupingNames[by].title.toLowerCase()}`, by)

function bySelect(query: ReportQuery): types.StaticSelect {
  const options = groupingsFor(query).map(groupingOption)
  const initial = options.find(({ value }) => value === query.by)
  return {
    type: 'static_select',
    action_id: ACTIONS.reportBy,
    placeholder: plain('By…', 150),
    options,
    ...(initial ? { initial_option: initial } : {}),
  }
}

/** The neighbours of the period; nothing of what is still to come. */
function periodButtons(query: ReportQuery, zone: Zone, now: Date): types.Button[] {
  const next = shiftedDays(query, 1)
  const isOver = next.from <= localDay(zone, now)
  return [
    show('previous', '← Previous', { ...anew(query), ...shiftedDays(query, -1) }),
    ...(isOver ? [show('next', 'Next →', { ...anew(query), ...next })] : []),
  ]
}

const filterButton = (query: ReportQuery) =>
  button(ACTIONS.reportFilter, 'Filter…', writeReportQuery(anew(query)))

const exportTexts = { incoming: 'Export incoming calls…', outgoing: 'Export outgoing calls…' } as const

function moreMenu({ direction }: ReportQuery): types.Overflow {
  const missed = direction === 'outgoing' ? 'Show the calls without an answer' : 'Show the missed calls'
  return {
    type: 'overflow',
    action_id: ACTIONS.reportMore,
    options: [
      option(missed, REPORT_OPTIONS.missed),
      option('Post in a channel…', REPORT_OPTIONS.post),
      ...directionsOf({ direction }).map((one) => option(exportTexts[one], EXPORT_OPTIONS[one])),
      option('Refresh', REPORT_OPTIONS.refresh),
    ],
  }
}

/** Below a report: its neighbours and what the table goes by, and then the rest. */
export function reportButtons({ plan }: Report, now: Date, nonce: string): Block[] {
  const { query, zone } = plan
  return [
    {
      type: 'actions',
      block_id: writeReportMenu(ACTIONS.reportBy, query, nonce),
      elements: [...periodButtons(query, zone, now), bySelect(query)],
    },
    {
      type: 'actions',
      block_id: writeReportMenu(ACTIONS.reportMore, query, nonce),
      elements: [filterButton(query), moreMenu(query)],
    },
  ]
}

/** Below a report without a call: the same without what there is nothing of. */
export const emptyButtons = ({ plan }: Report, now: Date, nonce: string): Block[] => [
  {
    type: 'actions',
    block_id: `report.empty|${nonce}`,
    elements: [...periodButtons(plan.query, plan.zone, now), filterButton(plan.query)],
  },
]
