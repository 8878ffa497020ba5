import { z } from 'zod'
import type { Message } from '../../dev/slack/slack.ts'

const table = z.object({ rows: z.array(z.array(z.looseObject({ text: z.string().optional() }))) })

/** The table's rows without its head, as text. */
export function rowsOf({ blocks }: Message): string[][] {
  const found = blocks.find(({ type }) => type === 'table')
  const rows = found ? table.parse(found).rows : []
  return rows.slice(1).map((row) => row.map((cell) => cell.text ?? JSON.stringify(cell)))
}

const button = z.looseObject({ action_id: z.string(), value: z.string().default('') })

/** The buttons and menus below what is shown. */
export const buttonsOf = ({ blocks }: Message): z.infer<typeof button>[] =>
  blocks.flatMap(({ type, elements = [] }) =>
    type === 'actions' ? elements.map((one) => button.parse(one)) : [],
  )

export const actionsOf = (message: Message): string[] => buttonsOf(message).map(({ action_id }) => action_id)
