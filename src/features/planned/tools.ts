import { z } from 'zod'
import type { PlannedList, PlannedRow } from '../../planned/kind.ts'
import type { Services } from '../../services.ts'
import { ToolAction } from '../../slack/blocks/action.ts'
import { header, section, sections } from '../../slack/blocks/blocks.ts'
import { unescapeText } from '../../slack/routing/commands.ts'
import type { Tool } from '../../slack/routing/routes.ts'
import { tool } from '../../slack/routing/tools.ts'
import { capital } from '../../util/text.ts'

const listPlanned = new ToolAction('list_planned', z.strictObject({}))

const mostShown = 20
const noneText = 'No schedules or alerts that you can see.'

/** Of mrkdwn; channels and people as logs and files have them. */
const plainText = (mrkdwn: string) =>
  capital(
    unescapeText(
      mrkdwn
        .replaceAll(/<#(\w+)>/g, 'channel $1')
        .replaceAll(/<@(\w+)>/g, 'person $1')
        .replaceAll('`', ''),
    ),
  )

const rowOf = (kind: string, { title, details, state }: PlannedRow) => [
  kind,
  plainText(title),
  [...details, ...state].map(plainText).join(' · '),
]

/** What goes to channels by itself, of all kinds. */
export const plannedTools = ({ guards }: Services, kinds: readonly PlannedList[]): readonly Tool[] => [
  tool(
    listPlanned,
    {
      needs: 'member',
      title: 'List schedules and alerts',
      description:
        'Lists what Callboard posts to channels by itself: scheduled bills and call reports, and alerts on missed calls, with where each goes, when, and whether it is paused. It changes nothing; people change them with /calls schedules, /calls alerts and /billing schedules.',
    },
    async ({ actor, tenant }) => {
      const may = await guards.areas(actor)
      const seen = kinds.filter(({ info }) => may.includes(info.needs))
      const lists = seen.map(async (kind) => {
        const rows = await kind.list(tenant)
        return rows
          .toSorted((one, other) => one.at - other.at)
          .map((row) => ({ kind: kind.info.longWord, row }))
      })
      const all = (await Promise.all(lists)).flat()
      const about = all.length === 0 ? noneText : `${all.length} planned`
      const more = all.length > mostShown ? [`and ${all.length - mostShown} more`] : []
      const lines = all
        .slice(0, mostShown)
        .map(({ row: { title, details, state } }) => [`*${title}*`, ...details, ...state].join('\n'))
      const shown = all.length === 0 ? [section(noneText)] : sections([...lines, ...more])
      return {
        title: 'Schedules and alerts',
        about,
        columns: ['Kind', 'What and where', 'How it is'],
        rows: all.map(({ kind, row }) => rowOf(kind, row)),
        notes: all.length === 0 ? [noneText] : [],
        forms: { message: { text: about, blocks: [header('Schedules and alerts'), ...shown] } },
      }
    },
  ),
]
