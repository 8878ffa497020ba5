import type { ComponentChildren } from 'preact'
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
  return (
    <form onSubmit={onSubmit} noValidate>
      <header class="modal-head">
        <h2 id={titleId}>{view.title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <div class="modal-body">{children}</div>
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
