import type { types } from '@slack/bolt'
import { LIMITS, option, plain } from '../blocks/blocks.ts'
import type { ActionPayload } from '../inbound/payloads.ts'

/** Returns the button or menu entry that was clicked, to offer it again. */
export function clickAgain({
  action_id,
  block_id,
  ...action
}: ActionPayload): types.ActionsBlock | undefined {
  const { type, text, value, selected_option: selected } = action
  if (type === 'button' && text) {
    const button: types.Button = { type, action_id, text: plain(text.text, LIMITS.buttonText) }
    if (value !== undefined) button.value = value
    return { type: 'actions', block_id, elements: [button] }
  }
  if (!selected?.text) return undefined
  const options = [option(selected.text.text, selected.value)]
  if (type === 'overflow') return { type: 'actions', block_id, elements: [{ type, action_id, options }] }
  if (type === 'static_select') return { type: 'actions', block_id, elements: [{ type, action_id, options }] }
  return undefined
}
