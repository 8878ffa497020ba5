import { useRef } from 'preact/hooks'
import { useBlockContext } from './block-context.ts'
import { PlainText } from './emoji.tsx'
import { asObject, asText, type Json, textOf } from './read.ts'

interface ConfirmProps {
  readonly confirm: Json
  readonly dialog: { current: HTMLDialogElement | null }
  readonly onConfirm: () => void
}

/** The native dialog keeps the focus in itself and gives it back. */
export function Confirm({ confirm, dialog, onConfirm }: ConfirmProps) {
  const isDanger = confirm['style'] === 'danger'
  return (
    <dialog ref={dialog} class="bk-confirm" aria-label={textOf(confirm['title'])}>
      <strong>{textOf(confirm['title'])}</strong>
      <p>{textOf(confirm['text'])}</p>
      <div class="bk-confirm-foot">
        <button type="button" class="bk-button" onClick={() => dialog.current?.close()}>
          {textOf(confirm['deny'])}
        </button>
        <button
          type="button"
          class={`bk-button ${isDanger ? 'bk-danger' : 'bk-primary'}`}
          onClick={() => {
            dialog.current?.close()
            onConfirm()
          }}
        >
          {textOf(confirm['confirm'])}
        </button>
      </div>
    </dialog>
  )
}

export function Button({ element, blockId }: { readonly element: Json; readonly blockId: string }) {
  const { onAction, busy } = useBlockContext()
  const dialog = useRef<HTMLDialogElement>(null)
  const actionId = asText(element['action_id'])
  const url = asText(element['url'])
  const isBusy = busy === `${blockId}/${actionId}`
  const confirm = element['confirm'] === undefined ? undefined : asObject(element['confirm'])
  const style =
    element['style'] === 'primary' ? ' bk-primary' : element['style'] === 'danger' ? ' bk-danger' : ''
  const act = () => onAction({ blockId, actionId })
  const attributes = {
    class: `bk-button${style}`,
    'aria-label': asText(element['accessibility_label']) || undefined,
  }
  // A link button opens its address and sends its click too.
  if (url !== '') {
    return (
      <a {...attributes} href={url} target="_blank" rel="noreferrer" onClick={act}>
        <PlainText text={textOf(element['text'])} />
      </a>
    )
  }
  return (
    <>
      <button
        {...attributes}
        type="button"
        aria-busy={isBusy}
        onClick={() => {
          if (isBusy) return
          if (confirm) dialog.current?.showModal()
          else act()
        }}
      >
        {isBusy && <span class="spinner" />}
        <PlainText text={textOf(element['text'])} />
      </button>
      {confirm && <Confirm confirm={confirm} dialog={dialog} onConfirm={act} />}
    </>
  )
}
