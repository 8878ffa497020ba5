import type { types } from '@slack/bolt'
import { type Grouping, groupings } from '../../grammar/filters.ts'
import { action, overflow } from '../../slack/blocks/action.ts'
import { type Block, plain } from '../../slack/blocks/blocks.ts'
import { option, select } from '../../slack/blocks/inputs.ts'
import {
  type ReportQuery,
  reportLinks,
  reportMenu,
  reportMore,
  reportQuery,
} from '../../slack/blocks/links.ts'
import type { DayRange } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { shiftedDays } from './period.ts'
import type { ReportPlan } from './report.ts'

const reportBy = reportMenu('report.by')

export const reportActions = {
  show: action('report.show.', reportQuery),
  by: reportBy,
  filter: action('report.filter', reportQuery),
  refresh: reportMore.entry('refresh'),
}

export const reportPostActions = {
  open: reportMore.entry('post'),
  retry: action('report.post.channel', reportQuery),
}

/** What its calls can be told apart by: an outgoing record says nothing of the line, and no total is one line's. */
export const groupingsFor = ({
  direction,
  line,
}: Pick<ReportQuery, 'direction' | 'line'>): readonly Grouping[] =>
  groupings.filter(
    (by) => !(by === 'line' && direction === 'outgoing') && !(by === 'agent' && line !== undefined),
  )

export const groupingTexts: Readonly<Record<Grouping, string>> = {
  line: 'By line',
  agent: 'By agent',
  hour: 'By hour',
  weekday: 'By weekday',
  day: 'By day',
}

function bySelect(query: ReportQuery): types.StaticSelect {
  const options = groupingsFor(query).map((by) => option(groupingTexts[by], by))
  return { ...select(reportBy.id, options, query.by), placeholder: plain('By…', 150) }
}

/** Another reading, at its own instant. */
const anew = ({ at: _at, ...query }: ReportQuery): ReportQuery => query

/** The neighbours of the period; nothing of what is still to come. */
function periodButtons({ query, zone }: ReportPlan, now: Date): types.Button[] {
  const show = (name: string, text: string, days: DayRange) =>
    reportActions.show.named(name).button(text, { ...anew(query), ...days })
  const next = shiftedDays(query, 1)
  return [
    show('previous', '← Previous', shiftedDays(query, -1)),
    ...(next.from <= localDay(zone, now) ? [show('next', 'Next →', next)] : []),
  ]
}

const filterButton = ({ query }: ReportPlan) => reportActions.filter.button('Filter…', anew(query))

/** The same reading, with what it doesn't show at first, or without it. */
const detailsButton = ({ query }: ReportPlan) =>
  query.details
    ? reportActions.show.named('brief').button('Hide details', { ...query, details: undefined })
    : reportActions.show.named('details').button('Details', { ...query, details: true })

const exportTexts = { incoming: 'Export incoming calls', outgoing: 'Export outgoing calls' } as const

function moreMenu({ query, directions }: ReportPlan): types.Overflow {
  const missed = query.direction === 'outgoing' ? 'Show the calls without an answer' : 'Show the missed calls'
  return overflow(
    [reportLinks.missed, missed],
    [reportPostActions.open, 'Post to a channel…'],
    ...directions.map((one) => [reportLinks[one], exportTexts[one]] as const),
    [reportActions.refresh, 'Refresh'],
  )
}

export const reportButtons = (plan: ReportPlan, now: Date, nonce: string): Block[] => [
  {
    type: 'actions',
    block_id: reportBy.blockId(plan.query, nonce),
    elements: [...periodButtons(plan, now), bySelect(plan.query)],
  },
  {
    type: 'actions',
    block_id: reportMore.blockId(plan.query, nonce),
    elements: [detailsButton(plan), filterButton(plan), moreMenu(plan)],
  },
]

/** Below a report without a call: the same without what there is nothing of. */
export const emptyButtons = (plan: ReportPlan, now: Date, nonce: string): Block[] => [
  {
    type: 'actions',
    block_id: `report.empty|${nonce}`,
    elements: [...periodButtons(plan, now), filterButton(plan)],
  },
]
