import { asList, asText, type Json } from './read.ts'
import { RichText } from './rich-text.tsx'

const cellsOf = (row: unknown): readonly Json[] => asList(row)

const contentOf = (cell: Json) =>
  cell['type'] === 'rich_text' ? <RichText block={cell} /> : asText(cell['text'])

/** Wider than the message, it scrolls in a region of its own, which the keyboard reaches. */
export function Table({ block }: { readonly block: Json }) {
  const [head, ...rows] = Array.isArray(block['rows']) ? block['rows'].map(cellsOf) : []
  const settings = asList(block['column_settings'])
  const aligned = (column: number) => `bk-align-${asText(settings[column]?.['align']) || 'left'}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div class="bk-table" role="group" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {(head ?? []).map((cell, column) => (
              <th key={`${column}`} scope="col" class={aligned(column)}>
                {contentOf(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index}`}>
              {row.map((cell, column) => (
                <td key={`${column}`} class={aligned(column)}>
                  {contentOf(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
