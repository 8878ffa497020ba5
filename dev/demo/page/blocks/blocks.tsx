import { BlockContext, type BlockContextValue, useBlockContext } from './block-context.ts'
import { Chart } from './chart.tsx'
import { Element } from './element.tsx'
import { PlainText } from './emoji.tsx'
import { InfoIcon } from './icons.tsx'
import { Mrkdwn } from './mrkdwn.tsx'
import { Picture } from './picture.tsx'
import { asList, asObject, asText, idOf, type Json, textOf } from './read.ts'
import { RichText } from './rich-text.tsx'
import { Unknown } from './unknown.tsx'

const cellsOf = (row: unknown): readonly Json[] => asList(row)

const contentOf = (cell: Json) =>
  cell['type'] === 'rich_text' ? <RichText block={cell} /> : asText(cell['text'])

/** Wider than the message, it scrolls in a region of its own, which the keyboard reaches. */
function Table({ block }: { readonly block: Json }) {
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

/** A label, what is filled in, a hint, and what was wrong with it. */
function InputBlock({ block }: { readonly block: Json }) {
  const { scope, errors } = useBlockContext()
  const element = asObject(block['element'])
  const blockId = asText(block['block_id'])
  const id = idOf(scope, blockId, asText(element['action_id']))
  const error = errors[blockId]
  const hint = textOf(block['hint'])
  return (
    <div class="bk-input">
      <label for={id}>
        {textOf(block['label'])}
        {block['optional'] === true && <span class="bk-optional"> (optional)</span>}
      </label>
      <Element
        element={element}
        blockId={blockId}
        isInput
        dispatches={block['dispatch_action'] === true}
        isOptional={block['optional'] === true}
      />
      <p class="bk-error" id={`${id}-error`} role="alert">
        {error}
      </p>
      <p class="bk-hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  )
}

/** A text object, as mrkdwn or to the letter. */
function Text({ value }: { readonly value: unknown }) {
  const { directory } = useBlockContext()
  const text = textOf(value)
  return asObject(value)['type'] === 'mrkdwn' ? (
    <Mrkdwn text={text} directory={directory} />
  ) : (
    <div class="bk-plain">
      <PlainText text={text} />
    </div>
  )
}

/** Below the channel's name, and in a modal below its title. */
function Header({ text }: { readonly text: string }) {
  const { surface } = useBlockContext()
  const Tag = surface === 'modal' ? 'h3' : 'h2'
  return (
    <Tag class="bk-header">
      <PlainText text={text} />
    </Tag>
  )
}

function Section({ block, blockId }: { readonly block: Json; readonly blockId: string }) {
  const { text, fields, accessory } = block
  return (
    <div class="bk-section">
      <div class="bk-section-text">
        {text !== undefined && <Text value={text} />}
        {fields !== undefined && (
          <div class="bk-fields">
            {asList(fields).map((field, index) => (
              <Text key={`${index}`} value={field} />
            ))}
          </div>
        )}
      </div>
      {accessory !== undefined && (
        <Element element={asObject(accessory)} blockId={blockId} isInput={false} label={textOf(text)} />
      )}
    </div>
  )
}

function Image({ image }: { readonly image: Json }) {
  return (
    <figure class="bk-image">
      <Picture url={asText(image['image_url'])} alt={asText(image['alt_text'])} />
      {image['title'] !== undefined && <figcaption>{textOf(image['title'])}</figcaption>}
    </figure>
  )
}

function Block({ block }: { readonly block: Json }) {
  const blockId = asText(block['block_id'])
  const type = asText(block['type'])
  switch (type) {
    case 'header':
      return <Header text={textOf(block['text'])} />
    case 'section':
      return <Section block={block} blockId={blockId} />
    case 'context':
      return (
        <div class="bk-context">
          {asList(block['elements']).map((element, index) =>
            element['type'] === 'image' ? (
              <Picture
                key={`${index}`}
                url={asText(element['image_url'])}
                alt={asText(element['alt_text'])}
                kind="bk-small"
              />
            ) : (
              <Text key={`${index}`} value={element} />
            ),
          )}
        </div>
      )
    case 'divider':
      return <hr class="bk-divider" />
    case 'actions':
      return (
        <div class="bk-actions">
          {asList(block['elements']).map((element) => (
            <Element key={asText(element['action_id'])} element={element} blockId={blockId} isInput={false} />
          ))}
        </div>
      )
    case 'table':
      return <Table block={block} />
    case 'rich_text':
      return <RichText block={block} />
    case 'image':
      return <Image image={block} />
    case 'alert':
      return (
        <div class={`bk-alert bk-alert-${asText(block['level']) || 'default'}`} role="status">
          <InfoIcon />
          <Text value={block['text']} />
        </div>
      )
    case 'data_visualization':
      return <Chart block={block} />
    case 'input':
      return <InputBlock block={block} />
    default:
      return <Unknown what={`a block of type ${type}`} />
  }
}

export type BlocksProps = Pick<BlockContextValue, 'surface' | 'directory' | 'onAction' | 'suggest'> &
  Partial<Omit<BlockContextValue, 'surface' | 'directory' | 'onAction' | 'suggest'>> & {
    readonly blocks: readonly unknown[]
  }

const untouched: BlockContextValue['values'] = new Map()
const faultless: BlockContextValue['errors'] = {}

/** Blocks as Slack keeps them: every block has its block_id, every element its action_id. */
export function Blocks({ blocks, scope, values, errors, onValue, busy, ...context }: BlocksProps) {
  const all = {
    ...context,
    scope: scope ?? context.surface,
    busy,
    values: values ?? untouched,
    errors: errors ?? faultless,
    onValue: onValue ?? (() => {}),
  }
  return (
    <BlockContext.Provider value={all}>
      <div class="bk">
        {blocks.map(asObject).map((block) => (
          <Block key={asText(block['block_id'])} block={block} />
        ))}
      </div>
    </BlockContext.Provider>
  )
}
