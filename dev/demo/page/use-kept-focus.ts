import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** Where something else than a button has the focus. */
const NO_BUTTON = ''

/** What a button is called: those with an icon have no text. */
const nameOf = (button: Element | null) =>
  button?.getAttribute('aria-label') ?? button?.textContent ?? NO_BUTTON

/**
 * What is replaced gets new buttons: the keyboard stays on the one of the same name, or on the whole, unless it has gone
 * elsewhere since. A modal that opened in between is not elsewhere: the focus comes back when it closes.
 * @param content what `root` shows: a new object wherever it may be replaced
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>, content: unknown): void {
  /** Of the button that had the focus last; undefined where the focus went outside. */
  const name = useRef<string | undefined>(undefined)

  useEffect(() => {
    const follow = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      if (root.current?.contains(target)) name.current = nameOf(target.closest('button'))
      else if (!target.closest('dialog')) name.current = undefined
    }
    document.addEventListener('focusin', follow)
    document.addEventListener('pointerdown', follow)
    return () => {
      document.removeEventListener('focusin', follow)
      document.removeEventListener('pointerdown', follow)
    }
  }, [root])

  useLayoutEffect(() => {
    if (name.current === undefined || document.activeElement !== document.body) return
    const buttons = [...(root.current?.querySelectorAll('button') ?? [])]
    const same = buttons.find((button) => nameOf(button) === name.current)
    ;(same ?? root.current)?.focus()
  }, [root, content])
}
