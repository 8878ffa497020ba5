import { z } from 'zod'
import { block, chars, list, object, oneOf, oneType, refuse } from './primitives.ts'
import { richText } from './rich-text.ts'

// https://docs.slack.dev/reference/block-kit/blocks/table-block
// At most 100 rows of 20 cells, 20 column settings, 10,000 characters in all cells together, no cell without text.
const MAX_ROWS = 100
const MAX_COLUMNS = 20
const MAX_CHARACTERS = 10_000

const rawText = object({ type: z.literal('raw_text'), text: chars(MAX_CHARACTERS) })

export const table = object({
  type: z.literal('table'),
  ...block,
  rows: list(list(oneType([rawText, richText]), MAX_COLUMNS), MAX_ROWS),
  column_settings: list(
    object({ align: oneOf(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() }),
    MAX_COLUMNS,
  ).optional(),
}).superRefine(({ rows, column_settings = [] }, context) => {
  const columns = rows[0]?.length ?? 0
  if (column_settings.length > columns)
    refuse(context, ['column_settings'], `no more than ${columns} items allowed`)
  for (const [index, row] of rows.entries()) {
    // Slack doesn't document rows of different lengths, so they are refused.
    if (row.length !== columns)
      refuse(context, ['rows', index], `must have ${columns} cells as the first row`)
  }
  const characters = countCharacters(rows)
  if (characters > MAX_CHARACTERS)
    refuse(
      context,
      ['rows'],
      `must be less than ${MAX_CHARACTERS + 1} characters in all cells, has ${characters}`,
    )
})

/** Counts the characters that a reader sees: texts, and the URL of a link without text. */
function countCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countCharacters(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  if ('text' in value && typeof value.text === 'string') return value.text.length
  if ('url' in value && typeof value.url === 'string') return value.url.length
  return 'elements' in value ? countCharacters(value.elements) : 0
}
