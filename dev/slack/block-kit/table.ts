import { z } from 'zod'
import { block, chars, list, object, oneOf, refuse, unsupportedType } from './primitives.ts'
import { richText } from './rich-text.ts'

// https://docs.slack.dev/reference/block-kit/blocks/table-block
// At most 100 rows of 20 cells, 20 column settings, 10,000 characters in all cells together, no cell without text.
const ROWS = 100
const COLUMNS = 20
const CHARACTERS = 10_000

const cell = z.discriminatedUnion(
  'type',
  [
    object({ type: z.literal('raw_text'), text: chars(CHARACTERS) }),
    object({ type: z.literal('raw_number'), value: z.number(), text: chars(CHARACTERS) }),
    richText,
  ],
  { error: unsupportedType },
)

export const table = object({
  type: z.literal('table'),
  ...block,
  rows: list(list(cell, COLUMNS), ROWS),
  column_settings: list(
    object({ align: oneOf(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() }),
    COLUMNS,
  ).optional(),
}).superRefine(({ rows, column_settings = [] }, context) => {
  const columns = rows[0]?.length ?? 0
  for (const [index, row] of rows.entries()) {
    // Slack does not say what it makes of a ragged table, so there is none.
    if (row.length !== columns) {
      refuse(context, ['rows', index], `must have ${columns} cells as the first row`)
    }
  }
  if (column_settings.length > columns) {
    refuse(context, ['column_settings'], `no more than ${columns} items allowed`)
  }
  const characters = rows.flat().reduce((sum, one) => sum + textLength(one), 0)
  if (characters > CHARACTERS) {
    refuse(
      context,
      ['rows'],
      `must be less than ${CHARACTERS + 1} characters in all cells, has ${characters}`,
    )
  }
})

/** Characters that a reader sees: text, the text of a link (its URL where there is none), a date's fallback. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  if ('text' in value && typeof value.text === 'string') return value.text.length
  if ('fallback' in value && typeof value.fallback === 'string') return value.fallback.length
  if ('url' in value && typeof value.url === 'string') return value.url.length
  return 'elements' in value ? textLength(value.elements) : 0
}
