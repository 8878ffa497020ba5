import { expect } from 'vitest'
import { z } from 'zod'
import { readableText } from '../../dev/slack/readable-text.ts'
import type { Message, View } from '../../dev/slack/slack.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>> {
    /**
     * Expects a message, modal or Home tab to show all parts. With `.not`, none of them may be anywhere in it, including values
     * and metadata.
     */
    toShow(...parts: readonly string[]): R
  }
}

expect.extend({
  toShow(shown: Message | View | undefined, ...parts: readonly string[]) {
    if (!shown) return { pass: this.isNot, message: () => 'there is no message, modal or home tab' }
    const text = readableText(shown)
    const everything = `${text}\n${JSON.stringify({ ...shown, team: undefined })}`
    const found = parts.filter((part) => (this.isNot ? everything : text).includes(part))
    const wrong = this.isNot ? found : parts.filter((part) => !found.includes(part))
    return {
      pass: this.isNot ? found.length > 0 : wrong.length === 0,
      message: () =>
        `expected ${this.isNot ? 'not ' : ''}to show ${JSON.stringify(wrong)}, and it reads:\n\n${this.isNot ? everything : text}`,
    }
  },
})

type Cell = { readonly text?: string | undefined; readonly elements?: readonly Cell[] | undefined }
const cell: z.ZodType<Cell> = z.lazy(() =>
  z.object({ text: z.string().optional(), elements: z.array(cell).optional() }),
)
const table = z.object({ rows: z.array(z.array(cell)) })

const getText = ({ text, elements = [] }: Cell): string => text ?? elements.map(getText).join('')

const getTable = ({ blocks }: Message): string[][] => {
  const found = blocks.find(({ type }) => type === 'data_table' || type === 'table')
  return found ? table.parse(found).rows.map((row) => row.map(getText)) : []
}

/** Returns the table's head as text. */
export const getHead = (message: Message): string[] => getTable(message)[0] ?? []

/** Returns the table's rows without its head as text. */
export const getRows = (message: Message): string[][] => getTable(message).slice(1)

/** Returns the cells of the column with that title, which may be said once below the table. */
export function getColumn(message: Message, head: string): string[] {
  const at = getHead(message).indexOf(head)
  const [, sameValues = ''] = /Same in every row: (.*)/.exec(readableText(message)) ?? []
  const same = sameValues.split(' · ').find((value) => value.startsWith(`${head} `))
  return getRows(message).map((row) => row[at] ?? same?.slice(head.length + 1) ?? '')
}

const button = z.looseObject({ action_id: z.string(), value: z.string().default('') })

/** Returns the buttons and menus of a message or view. */
export const getButtons = ({ blocks }: Message): z.infer<typeof button>[] =>
  blocks.flatMap(({ type, elements = [] }) =>
    type === 'actions' ? elements.map((one) => button.parse(one)) : [],
  )

export const getActions = (message: Message): string[] =>
  getButtons(message).map(({ action_id }) => action_id)

/** Parses a CSV file as strictly as RFC 4180 and returns its records. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  for (field.lastIndex = 0; field.lastIndex < text.length; ) {
    const at = field.lastIndex
    const [, quoted, plain = '', end] = field.exec(text) ?? []
    if (end === undefined) throw new Error(`no CSV at ${at}: ${text.slice(at, at + 40)}`)
    record.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}
