import { useRef } from 'preact/hooks'
import { useBlockContext } from './block-context.ts'
import { Confirm } from './button.tsx'
import { PlainText } from './emoji.tsx'
import { Menu } from './menu.tsx'
import { asList, asObject, asText, type Json, textOf } from './read.ts'

export function Overflow({ element, blockId }: { readonly element: Json; readonly blockId: string }) {
  const { onAction, busy } = useBlockContext()
  const dialog = useRef<HTMLDialogElement>(null)
  const chosen = useRef('')
  const confirm = element['confirm'] === undefined ? undefined : asObject(element['confirm'])
  const actionId = asText(element['action_id'])
  const act = () => onAction({ blockId, actionId, choose: chosen.current })
  const items = asList(element['options']).map((option) => ({
    key: asText(option['value']),
    text: <PlainText text={textOf(option['text'])} />,
    onChoose: () => {
      chosen.current = asText(option['value'])
      if (confirm) dialog.current?.showModal()
      else act()
    },
  }))
  return (
    <>
      <Menu label="More" items={items} isBusy={busy === `${blockId}/${actionId}`} />
      {confirm && <Confirm confirm={confirm} dialog={dialog} onConfirm={act} />}
    </>
  )
}
