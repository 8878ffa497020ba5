import { z } from 'zod'
import { allBlocks } from './layout.ts'
import { block, chars, integer, list, object, oneOf, refuse, unsupportedType } from './primitives.ts'
import { richText } from './rich-text.ts'
import { type Violation, violation } from './violations.ts'

// https://docs.slack.dev/reference/block-kit/blocks/table-block
// At most 100 rows of 20 cells, 20 column settings, 10,000 characters in all cells together, no cell without text.
const ROWS = 100
const COLUMNS = 20
const CHARACTERS = 10_000

const rawText = object({ type: z.literal('raw_text'), text: chars(CHARACTERS) })
const rawNumber = object({ type: z.literal('raw_number'), value: z.number(), text: chars(CHARACTERS) })
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richText], { error: unsupportedType })
const headerCell = z.discriminatedUnion('type', [rawText, rawNumber], { error: unsupportedType })

export const table = object({
  type: z.literal('table'),
  ...block,
  rows: list(list(cell, COLUMNS), ROWS),
  // `null` is refused: "must provide an object".
  column_settings: list(
    object({ align: oneOf(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() }),
    COLUMNS,
  ).optional(),
}).superRefine(({ rows, column_settings = [] }, context) => {
  checkRows(rows, context)
  const columns = rows[0]?.length ?? 0
  if (column_settings.length > columns) {
    refuse(context, ['column_settings'], `no more than ${columns} items allowed`)
  }
})

// https://docs.slack.dev/reference/block-kit/blocks/data-table-block
// A head of plain cells and 1 to 100 rows. (Some say 200: the number that both readings take.)
export const dataTable = object({
  type: z.literal('data_table'),
  ...block,
  caption: chars(CHARACTERS),
  rows: z
    .tuple([list(headerCell, COLUMNS)], list(cell, COLUMNS))
    .refine((rows) => rows.length > 1, 'no fewer than 2 items allowed')
    .refine((rows) => rows.length <= ROWS + 1, `no more than ${ROWS + 1} items allowed`),
  page_size: integer(1, 100).optional(),
  row_header_column_index: integer(0, COLUMNS - 1).optional(),
}).superRefine(({ rows }, context) => checkRows(rows, context))

/** Together, as the tables of a message share the characters that each may have. */
export function checkTables(blocks: unknown): readonly Violation[] {
  const tables = allBlocks(blocks).filter(([, { type }]) => type === 'table' || type === 'data_table')
  const characters = tables.reduce((sum, [, { rows }]) => sum + textLength(rows), 0)
  if (tables.length < 2 || characters <= CHARACTERS) return []
  return [
    violation(['blocks'], `must be less than ${CHARACTERS + 1} characters in all tables, has ${characters}`),
  ]
}

function checkRows(rows: readonly (readonly unknown[])[], context: z.RefinementCtx): void {
  const columns = rows[0]?.length ?? 0
  for (const [index, row] of rows.entries()) {
    // Slack does not say what it makes of a ragged table, so there is none.
    if (row.length !== columns) {
      refuse(context, ['rows', index], `must have ${columns} cells as the first row`)
    }
  }
  const characters = textLength(rows)
  if (characters > CHARACTERS) {
    refuse(
      context,
      ['rows'],
      `must be less than ${CHARACTERS + 1} characters in all cells, has ${characters}`,
    )
  }
}

/** Characters that a reader sees: text, the text of a link (its URL where there is none), a date's fallback. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  if ('text' in value && typeof value.text === 'string') return value.text.length
  if ('fallback' in value && typeof value.fallback === 'string') return value.fallback.length
  if ('url' in value && typeof value.url === 'string') return value.url.length
  return 'elements' in value ? textLength(value.elements) : 0
}
