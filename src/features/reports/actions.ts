import type { types } from '@slack/bolt'
import { z } from 'zod'
import { type Grouping, groupings } from '../../grammar/filters.ts'
import { action, overflow } from '../../slack/blocks/action.ts'
import { type Block, plain } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import {
  type ReportQuery,
  reportLinks,
  reportMenu,
  reportMore,
  reportQuery,
} from '../../slack/blocks/report-query.ts'
import { postPlan } from '../../slack/deliver/post-messages.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { shiftedDays } from './period.ts'
import { directionsOf, type Report } from './report.ts'

/** A report for a channel: as of one instant, so that what is posted is what was previewed. */
const reportPost = postPlan.extend({ query: reportQuery })
export type ReportPost = z.infer<typeof reportPost>

/** By another grouping. */
const reportBy = reportMenu('report.by')

export const reportActions = {
  show: action('report.show.', reportQuery),
  by: reportBy,
  filter: action('report.filter', reportQuery),
  refresh: reportMore.entry('refresh'),
}

export const reportPostActions = {
  open: reportMore.entry('post'),
  channel: action('report.post.channel', reportQuery),
  again: action('report.post.again', reportPost),
  send: action('report.post.send', reportPost.extend({ digest: z.string() })),
  cancel: action('report.post.cancel', reportQuery),
}

/** Another reading, at its own instant. */
const anew = ({ at: _at, ...query }: ReportQuery): ReportQuery => query

const show = (name: string, text: string, query: ReportQuery) =>
  reportActions.show.named(name).button(text, query)

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
  const initial = options.find(({ value }) => value === query.by)
  return {
    type: 'static_select',
    action_id: reportBy.id,
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

const filterButton = (query: ReportQuery) => reportActions.filter.button('Filter…', anew(query))

const exportTexts = { incoming: 'Export incoming calls…', outgoing: 'Export outgoing calls…' } as const

function moreMenu({ direction }: ReportQuery): types.Overflow {
  const missed = direction === 'outgoing' ? 'Show the calls without an answer' : 'Show the missed calls'
  return overflow(
    [reportLinks.missed, missed],
    [reportPostActions.open, 'Post in a channel…'],
    ...directionsOf({ direction }).map((one) => [reportLinks[one], exportTexts[one]] as const),
    [reportActions.refresh, 'Refresh'],
  )
}

/** Below a report: its neighbours and what the table goes by, and then the rest. */
export function reportButtons({ plan }: Report, now: Date, nonce: string): Block[] {
  const { query, zone } = plan
  return [
    {
      type: 'actions',
      block_id: reportBy.blockId(query, nonce),
      elements: [...periodButtons(query, zone, now), bySelect(query)],
    },
    {
      type: 'actions',
      block_id: reportMore.blockId(query, nonce),
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
