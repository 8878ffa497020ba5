import { type Block, cell, cut, escapeText, section } from '../../slack/blocks/blocks.ts'
import type { Call } from '../../telephony/types.ts'
import { CELL_LENGTH, type CellContext, cellOf, columns } from './columns.ts'

export interface Rows extends CellContext {
  readonly calls: readonly Call[]
}

/** @param withLinks a recording is a link, where it can be; a long table is too long with them */
export function callsTable({ calls, ...context }: Rows, nonce: string, withLinks: boolean): Block {
  return {
    type: 'table',
    block_id: `calls.table|${nonce}`,
    column_settings: columns.map(({ align }) => ({ align })),
    rows: [
      columns.map(({ title }) => cell(title)),
      ...calls.map((call) => columns.map((column) => cellOf(column, call, context, withLinks))),
    ],
  }
}

/** The same rows where Slack refuses the table: two sections, each below Slack's limit. */
export function callsLines({ calls, ...context }: Rows): Block[] {
  const line = (call: Call) =>
    columns
      .map((column) => column.text(call, context))
      .filter((text) => text !== '')
      .map((text) => escapeText(cut(text, CELL_LENGTH)))
      .join(' · ')
  const half = Math.ceil(calls.length / 2)
  return [calls.slice(0, half), calls.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => section(part.map(line).join('\n')))
}
