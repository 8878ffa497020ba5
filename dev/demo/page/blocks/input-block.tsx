import { useBlockContext } from './block-context.ts'
import { Element } from './element.tsx'
import { asObject, asText, idOf, type Json, textOf } from './read.ts'

/** A label, what is filled in, a hint, and what was wrong with it. */
export function InputBlock({ block }: { readonly block: Json }) {
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
