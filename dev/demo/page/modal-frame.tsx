import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ShownView } from '../api-types.ts'
import { CloseIcon } from './icons.tsx'

export interface ModalFrameProps {
  readonly view: Pick<ShownView, 'title' | 'submit' | 'close'>
  readonly titleId: string
  readonly isSubmitting?: boolean
  readonly onClose: () => void
  readonly onSubmit: (event: Event) => void
  readonly children: ComponentChildren
}

/** A modal's title and buttons, around what it asks. */
export function ModalFrame({
  view,
  titleId,
  isSubmitting = false,
  onClose,
  onSubmit,
  children,
}: ModalFrameProps) {
  const body = useRef<HTMLDivElement>(null)
  // It may scroll, so the keyboard has to reach it where it reaches nothing in it.
  useLayoutEffect(() => {
    const isReached = body.current?.querySelector('a, button, input, select, textarea')
    if (isReached) body.current?.removeAttribute('tabindex')
    else body.current?.setAttribute('tabindex', '0')
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <header class="modal-head">
        <h2 id={titleId}>{view.title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      {/* What follows a form is seen from its beginning. */}
      <div key={view.submit} ref={body} class="modal-body">
        {children}
      </div>
      <footer class="modal-foot">
        <button type="button" class="button" onClick={onClose}>
          {view.close}
        </button>
        {view.submit !== undefined && (
          <button
            type="submit"
            class="button button-primary"
            disabled={isSubmitting}
            aria-busy={isSubmitting}
          >
            {isSubmitting && <span class="spinner" />}
            {view.submit}
          </button>
        )}
      </footer>
    </form>
  )
}
