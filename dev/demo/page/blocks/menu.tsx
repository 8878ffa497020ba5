import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { MoreIcon } from './icons.tsx'

export interface MenuItem {
  readonly key: string
  readonly text: ComponentChildren
  readonly onChoose: () => void
}

/** A button that opens a menu. @param label what a screen reader calls the button */
export function Menu({
  label,
  items,
  isBusy,
}: {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly isBusy: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  useEffect(() => {
    if (!isOpen) return undefined
    entries()[0]?.focus()
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
    const all = entries()
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
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-busy={isBusy}
        onClick={() => setOpen(!isOpen)}
      >
        <MoreIcon />
      </button>
      {isOpen && (
        <div class="bk-menu" role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map(({ key, text, onChoose }) => (
            <button
              key={key}
              type="button"
              role="menuitem"
              onClick={() => {
                close()
                onChoose()
              }}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
