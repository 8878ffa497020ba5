import { useKeptFocus } from '../focus.ts'
import { InfoIcon } from '../icons.tsx'
import { Chart } from './chart.tsx'
import { Element, Unknown } from './element.tsx'
import { BlockContext, type BlockContextValue, idle, useBlockContext } from './field.ts'
import { asList, asObject, asText, type Json, readText, toElementId } from './read.ts'
import { DataTable, Table } from './table.tsx'
import { RichText, Text } from './text.tsx'

/** Draws a label, its field, a hint and an error. */
function InputBlock({ block, blockId }: BlockProps) {
  const { scope, errors } = useBlockContext()
  const element = asObject(block['element'])
  const id = toElementId(scope, blockId, asText(element['action_id']))
  // A group of checkboxes refers to its label.
  const Label = element['type'] === 'checkboxes' ? 'p' : 'label'
  return (
    <div class="input stack">
      <Label class="label" id={`${id}-label`} for={id}>
        {readText(block['label'])}
        {block['optional'] === true && <span> (optional)</span>}
      </Label>
      <Element element={element} blockId={blockId} input={block} />
      <p class="error" id={`${id}-error`} role="alert">
        {errors[blockId]}
      </p>
      <p class="note" id={`${id}-hint`}>
        {readText(block['hint'])}
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
        <Element element={asObject(accessory)} blockId={blockId} label={readText(text)} />
      )}
    </div>
  )
}

interface BlockProps {
  readonly block: Json
  readonly blockId: string
}

/** Draws a block of a type that the app uses. */
function Block({ block, blockId }: BlockProps) {
  const { surface } = useBlockContext()
  const type = asText(block['type'])
  switch (type) {
    case 'header': {
      // The channel's name is h1; a modal's title is h2.
      const Tag = surface === 'modal' ? 'h3' : 'h2'
      return <Tag class="header">{readText(block['text'])}</Tag>
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
    case 'data_table':
      return <DataTable key={blockId} block={block} />
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

/** Draws blocks as Slack stores them, with block_id and action_id everywhere. */
export function Blocks({
  blocks,
  ...context
}: Partial<BlockContextValue> &
  Pick<BlockContextValue, 'surface' | 'directory'> & { readonly blocks: readonly unknown[] }) {
  const root = useKeptFocus<HTMLDivElement>()
  return (
    <BlockContext.Provider value={{ ...idle, scope: context.surface, ...context }}>
      <div ref={root} class="bk stack">
        {blocks.map(asObject).map((block, index) => {
          const blockId = asText(block['block_id'])
          // A replaced message has new block ids; by their places, its buttons keep the focus.
          return <Block key={block['type'] === 'input' ? blockId : index} block={block} blockId={blockId} />
        })}
      </div>
    </BlockContext.Provider>
  )
}
