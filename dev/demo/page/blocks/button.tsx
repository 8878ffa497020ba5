import { useId, useRef } from 'preact/hooks'
import { MoreIcon } from '../icons.tsx'
import { useBlockContext } from './field.ts'
import { asList, asObject, asText, type Json, readText } from './read.ts'

type DialogRef = { current: HTMLDialogElement | null }

/** The native dialog keeps the focus in itself and gives it back. */
export function Confirm({
  confirm,
  dialog,
  onConfirm,
}: {
  readonly confirm: Json
  readonly dialog: DialogRef
  readonly onConfirm: () => void
}) {
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog} class="confirm card" aria-label={readText(confirm['title'])}>
      <strong>{readText(confirm['title'])}</strong>
      <p>{readText(confirm['text'])}</p>
      <div class="confirm-foot row">
        <button type="button" class="button bk-button" onClick={close}>
          {readText(confirm['deny'])}
        </button>
        <button
          type="button"
          class={`button bk-button ${asText(confirm['style']) || 'primary'}`}
          onClick={() => {
            close()
            onConfirm()
          }}
        >
          {readText(confirm['confirm'])}
        </button>
      </div>
    </dialog>
  )
}

/** Asks for confirmation first if the element has a dialog. */
function useConfirmed({ confirm }: Json, onConfirm: () => void) {
  const dialog: DialogRef = useRef(null)
  return {
    run: () => (confirm === undefined ? onConfirm() : dialog.current?.showModal()),
    question: confirm !== undefined && (
      <Confirm confirm={asObject(confirm)} dialog={dialog} onConfirm={onConfirm} />
    ),
  }
}

interface ElementProps {
  readonly element: Json
  readonly blockId: string
}

export function Button({ element, blockId }: ElementProps) {
  const { onAction, busy } = useBlockContext()
  const actionId = asText(element['action_id'])
  const url = asText(element['url'])
  const isBusy = busy === `${blockId}/${actionId}`
  const act = () => onAction({ blockId, actionId })
  const { run, question } = useConfirmed(element, act)
  const attributes = {
    class: `button bk-button ${asText(element['style'])}`.trim(),
    'aria-label': asText(element['accessibility_label']) || undefined,
  }
  // A link button opens its address and sends its click.
  if (url !== '') {
    return (
      <a {...attributes} href={url} target="_blank" rel="noreferrer" onClick={act}>
        {readText(element['text'])}
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
          if (!isBusy) run()
        }}
      >
        {isBusy && <span class="spinner" />}
        {readText(element['text'])}
      </button>
      {question}
    </>
  )
}

export function Overflow({ element, blockId }: ElementProps) {
  const { onAction, busy } = useBlockContext()
  const chosen = useRef('')
  const actionId = asText(element['action_id'])
  const { run, question } = useConfirmed(element, () =>
    onAction({ blockId, actionId, choose: chosen.current }),
  )
  const items = asList(element['options']).map((option) => ({
    key: asText(option['value']),
    text: readText(option['text']),
    onChoose: () => {
      chosen.current = asText(option['value'])
      run()
    },
  }))
  return (
    <>
      <Menu label="More" items={items} isBusy={busy === `${blockId}/${actionId}`} />
      {question}
    </>
  )
}

/** A button that opens a menu, as a native popover. */
export function Menu({
  label,
  items,
  isBusy,
}: {
  /** Accessible name of the button. */
  readonly label: string
  readonly items: readonly { readonly key: string; readonly text: string; readonly onChoose: () => void }[]
  readonly isBusy: boolean
}) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <div class="overflow">
      <button type="button" class="button bk-button" aria-label={label} aria-busy={isBusy} popovertarget={id}>
        <MoreIcon />
      </button>
      <div ref={menu} id={id} class="popup" popover="auto">
        {items.map(({ key, text, onChoose }, index) => (
          <button
            key={key}
            type="button"
            autofocus={index === 0}
            onClick={() => {
              menu.current?.hidePopover()
              onChoose()
            }}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  )
}
