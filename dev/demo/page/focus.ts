import { useLayoutEffect, useRef } from 'preact/hooks'

const focusable = 'a[href], button, input, select, summary, [tabindex]'
/** Areas of the page that stay when their content is replaced. */
const areas = '.bk, .panel, .sidebar, .main'

/** Returns a function that moves the focus back: to the element, to what took its place, or to the message box. */
export function rememberFocus(): () => void {
  const element = document.activeElement instanceof HTMLElement ? document.activeElement : document.body
  const area = element.closest(areas)
  const list = () => [...(area?.querySelectorAll<HTMLElement>(focusable) ?? [])]
  const place = list().indexOf(element)
  return () => {
    const isThere = element.isConnected && element !== document.body
    const left = area?.isConnected && place >= 0 ? list() : []
    const inPlace = isThere ? element : left[Math.min(place, left.length - 1)]
    const target = inPlace ?? document.getElementById('message-box')
    target?.focus({ preventScroll: true })
  }
}

/** Keeps the focus at its place in an element when the focused part of it is replaced. */
export function useKeptFocus<T extends HTMLElement>() {
  const root = useRef<T>(null)
  const last = useRef<{ readonly element: Element; readonly restore: () => void }>(undefined)
  const remember = () => {
    const element = document.activeElement
    if (element && root.current?.contains(element)) last.current = { element, restore: rememberFocus() }
  }
  useLayoutEffect(() => {
    root.current?.addEventListener('focusin', remember)
    return () => root.current?.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body && last.current?.element.isConnected === false
    if (isLost) last.current?.restore()
    remember()
  })
  return root
}
