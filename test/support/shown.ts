import { z } from 'zod'
import type { Message } from '../../dev/slack/slack.ts'

type Cell = { readonly text?: string | undefined; readonly elements?: readonly Cell[] | undefined }
const cell: z.ZodType<Cell> = z.lazy(() =>
  z.object({ text: z.string().optional(), elements: z.array(cell).optional() }),
)
const table = z.object({ rows: z.array(z.array(cell)) })

const textOf = ({ text, elements = [] }: Cell): string => text ?? elements.map(textOf).join('')

const tableOf = ({ blocks }: Message): string[][] => {
  const found = blocks.find(({ type }) => type === 'table')
  return found ? table.parse(found).rows.map((row) => row.map(textOf)) : []
}

/** The table's head, as text. */
export const headOf = (message: Message): string[] => tableOf(message)[0] ?? []

/** The table's rows without its head, as text. */
export const rowsOf = (message: Message): string[][] => tableOf(message).slice(1)

/** What stands in the column with that head. */
export function columnOf(message: Message, head: string): string[] {
  const at = headOf(message).indexOf(head)
  return rowsOf(message).map((row) => row[at] ?? '')
}

const button = z.looseObject({ action_id: z.string(), value: z.string().default('') })

/** The buttons and menus below what is shown. */
export const buttonsOf = ({ blocks }: Message): z.infer<typeof button>[] =>
  blocks.flatMap(({ type, elements = [] }) =>
    type === 'actions' ? elements.map((one) => button.parse(one)) : [],
  )

export const actionsOf = (message: Message): string[] => buttonsOf(message).map(({ action_id }) => action_id)
