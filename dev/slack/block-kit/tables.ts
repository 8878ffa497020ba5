import { z } from 'zod'
import {
  block,
  chars,
  integer,
  list,
  object,
  oneOf,
  oneType,
  refuse,
  required,
  webUrl,
} from './primitives.ts'

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
// Text is literal, so nothing is escaped; empty text is refused. Slack documents no limit; 3000 is that of a text object.
const longText = chars(3000)
const style = object({ bold: z.boolean() }).optional()

const text = object({ type: z.literal('text'), text: longText, style })
const link = object({ type: z.literal('link'), url: webUrl, text: longText.optional(), style })
const elements = list(oneType([text, link]), 1000)

export const richText = object({
  type: z.literal('rich_text'),
  ...block,
  elements: list(
    oneType([
      object({ type: z.literal('rich_text_section'), elements }),
      object({ type: z.literal('rich_text_preformatted'), elements }),
    ]),
    1000,
  ),
})

// https://docs.slack.dev/reference/block-kit/blocks/table-block
// At most 100 rows of 20 cells, 20 column settings, 10,000 characters in all cells together, no cell without text.
const MAX_ROWS = 100
const MAX_COLUMNS = 20
export const MAX_CHARACTERS = 10_000

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
  // Slack doesn't document rows of different lengths, so they are refused.
  checkCells(rows, context)
})

// https://docs.slack.dev/reference/block-kit/blocks/data-table-block
// A head and up to 100 rows of 1 to 20 cells; 10,000 characters in all cells together.
const rawNumber = object({
  type: z.literal('raw_number'),
  value: z.number({ error: required('must provide a number') }),
  text: chars(MAX_CHARACTERS),
})

export const dataTable = object({
  type: z.literal('data_table'),
  ...block,
  caption: chars(3000),
  rows: list(list(oneType([rawText, rawNumber]), MAX_COLUMNS), MAX_ROWS + 1, 2),
  page_size: integer(1, 100).optional(),
}).superRefine(({ rows }, context) => checkCells(rows, context))

function checkCells(rows: readonly (readonly unknown[])[], context: z.RefinementCtx): void {
  const columns = rows[0]?.length ?? 0
  for (const [index, row] of rows.entries()) {
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
}

/** Counts the characters that a reader sees: texts, and the URL of a link without text. */
export function countCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countCharacters(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  if ('text' in value && typeof value.text === 'string') return value.text.length
  if ('url' in value && typeof value.url === 'string') return value.url.length
  return 'elements' in value ? countCharacters(value.elements) : 0
}
