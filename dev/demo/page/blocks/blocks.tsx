import { BlockContext, type BlockContextValue, useBlockContext } from './block-context.ts'
import { Chart } from './chart.tsx'
import { Element } from './element.tsx'
import { PlainText } from './emoji.tsx'
import { InfoIcon } from './icons.tsx'
import { InputBlock } from './input-block.tsx'
import { Mrkdwn } from './mrkdwn.tsx'
import { Picture } from './picture.tsx'
import { asList, asObject, asText, type Json, textOf } from './read.ts'
import { RichText } from './rich-text.tsx'
import { Table } from './table.tsx'
import { Unknown } from './unknown.tsx'

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
