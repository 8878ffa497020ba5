import { InfoIcon } from '../icons.tsx'
import { BlockContext, type BlockContextValue, idle, useBlockContext } from './block-context.ts'
import { Chart } from './chart.tsx'
import { Element, Unknown } from './element.tsx'
import { asList, asObject, asText, idOf, type Json, textOf } from './read.ts'
import { RichText, Text } from './text.tsx'

const contentOf = (cell: Json) =>
  cell['type'] === 'rich_text' ? <RichText block={cell} /> : asText(cell['text'])

/** Wider than the message, it scrolls in a region of its own, which the keyboard reaches. */
function Table({ block }: { readonly block: Json }) {
  const [head = [], ...rows] = Array.isArray(block['rows']) ? block['rows'].map(asList) : []
  const settings = asList(block['column_settings'])
  const styleOf = (column: number) => ({
    textAlign: asText(settings[column]?.['align']) || 'left',
    whiteSpace: settings[column]?.['is_wrapped'] === true ? 'normal' : 'nowrap',
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div class="table card" role="group" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={`${column}`} scope="col" style={styleOf(column)}>
                {contentOf(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index}`}>
              {row.map((cell, column) => (
                <td key={`${column}`} style={styleOf(column)}>
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

/** A label, what is filled in, a hint, and what was wrong with it. */
function InputBlock({ block, blockId }: BlockProps) {
  const { scope, errors } = useBlockContext()
  const element = asObject(block['element'])
  const id = idOf(scope, blockId, asText(element['action_id']))
  return (
    <div class="input stack">
      <label for={id}>
        {textOf(block['label'])}
        {block['optional'] === true && <span> (optional)</span>}
      </label>
      <Element element={element} blockId={blockId} input={block} />
      <p class="error" id={`${id}-error`} role="alert">
        {errors[blockId]}
      </p>
      <p class="note" id={`${id}-hint`}>
        {textOf(block['hint'])}
      </p>
    </div>
  )
}

function Section({ block: { text, fields, accessory }, blockId }: BlockProps) {
  return (
    <div class="section">
      <div class="grow">
        {text !== undefined && <Text value={text} />}
        {fields !== undefined && (
          <div class="fields">
            {asList(fields).map((field, index) => (
              <Text key={`${index}`} value={field} />
            ))}
          </div>
        )}
      </div>
      {accessory !== undefined && (
        <Element element={asObject(accessory)} blockId={blockId} label={textOf(text)} />
      )}
    </div>
  )
}

interface BlockProps {
  readonly block: Json
  readonly blockId: string
}

/** One of those of Slack's blocks that the app uses. */
function Block({ block, blockId }: BlockProps) {
  const { surface } = useBlockContext()
  const type = asText(block['type'])
  switch (type) {
    case 'header': {
      // Below the channel's name, and in a modal below its title.
      const Tag = surface === 'modal' ? 'h3' : 'h2'
      return <Tag class="header">{textOf(block['text'])}</Tag>
    }
    case 'section':
      return <Section block={block} blockId={blockId} />
    case 'context':
      return (
        <div class="context row note">
          {asList(block['elements']).map((element, index) => (
            <Text key={`${index}`} value={element} />
          ))}
        </div>
      )
    case 'divider':
      return <hr />
    case 'actions':
      return (
        <div class="actions row">
          {asList(block['elements']).map((element) => (
            <Element key={asText(element['action_id'])} element={element} blockId={blockId} />
          ))}
        </div>
      )
    case 'table':
      return <Table block={block} />
    case 'rich_text':
      return <RichText block={block} />
    case 'alert':
      return (
        <div class={`alert card ${asText(block['level'])}`} role="status">
          <InfoIcon />
          <Text value={block['text']} />
        </div>
      )
    case 'data_visualization':
      return <Chart block={block} />
    case 'input':
      return <InputBlock block={block} blockId={blockId} />
    default:
      return <Unknown what={`a block of type ${type}`} />
  }
}

/** Blocks as Slack keeps them: every block has its block_id, every element its action_id. */
export function Blocks({
  blocks,
  ...context
}: Partial<BlockContextValue> &
  Pick<BlockContextValue, 'surface' | 'directory'> & { readonly blocks: readonly unknown[] }) {
  return (
    <BlockContext.Provider value={{ ...idle, scope: context.surface, ...context }}>
      <div class="bk stack">
        {blocks.map(asObject).map((block) => (
          <Block key={asText(block['block_id'])} block={block} blockId={asText(block['block_id'])} />
        ))}
      </div>
    </BlockContext.Provider>
  )
}
