import { useEffect, useRef, useState } from 'preact/hooks'
import { useBlockContext } from './block-context.ts'
import { Confirm } from './button.tsx'
import { PlainText } from './emoji.tsx'
import { MoreIcon } from './icons.tsx'
import { asList, asObject, asText, type Json, textOf } from './read.ts'

export function Overflow({ element, blockId }: { readonly element: Json; readonly blockId: string }) {
  const { onAction, busy } = useBlockContext()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const chosen = useRef('')
  const confirm = element['confirm'] === undefined ? undefined : asObject(element['confirm'])
  const actionId = asText(element['action_id'])
  const act = () => onAction({ blockId, actionId, choose: chosen.current })
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  useEffect(() => {
    if (!isOpen) return undefined
    items()[0]?.focus()
    const away = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [isOpen])

  function close() {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    const all = items()
    const here = all.findIndex((item) => item.matches(':focus'))
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) all[(here + step + all.length) % all.length]?.focus()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="bk-overflow" ref={root}>
      <button
        type="button"
        class="bk-button bk-square"
        aria-label="More"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-busy={busy === `${blockId}/${actionId}`}
        onClick={() => setOpen(!isOpen)}
      >
        <MoreIcon />
      </button>
      {isOpen && (
        <div class="bk-menu" role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
          {asList(element['options']).map((option) => (
            <button
              key={asText(option['value'])}
              type="button"
              role="menuitem"
              onClick={() => {
                close()
                chosen.current = asText(option['value'])
                if (confirm) dialog.current?.showModal()
                else act()
              }}
            >
              <PlainText text={textOf(option['text'])} />
            </button>
          ))}
        </div>
      )}
      {confirm && <Confirm confirm={confirm} dialog={dialog} onConfirm={act} />}
    </div>
  )
}
