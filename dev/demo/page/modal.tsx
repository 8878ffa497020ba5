import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Choice, PageState, ShownView } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import { listInputs } from './blocks/field.ts'
import { rememberFocus } from './focus.ts'
import { send, useActions, usePage } from './hooks.ts'
import { CloseIcon } from './icons.tsx'
import { Problem } from './message.tsx'

/** Draws a modal's title and buttons around its content. */
export function ModalFrame({
  view,
  titleId,
  isSubmitting = false,
  onClose,
  onSubmit,
  children,
}: {
  readonly view: Pick<ShownView, 'title' | 'submit' | 'close'>
  readonly titleId: string
  readonly isSubmitting?: boolean
  readonly onClose: () => void
  readonly onSubmit: (event: Event) => void
  readonly children: ComponentChildren
}) {
  const body = useRef<HTMLDivElement>(null)
  // Content without controls must be focusable, so that the keyboard can scroll it.
  useLayoutEffect(() => {
    const isReached = body.current?.querySelector('a, button, input, select')
    if (isReached) body.current?.removeAttribute('tabindex')
    else body.current?.setAttribute('tabindex', '0')
  })
  return (
    <form class="stack" onSubmit={onSubmit} noValidate>
      <header class="modal-head row">
        <h2 id={titleId}>{view.title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      {/* The key resets the scroll position after a form. */}
      <div key={view.submit} ref={body} class="modal-body">
        {children}
      </div>
      <footer class="modal-foot row">
        <button type="button" class="button" onClick={onClose}>
          {view.close}
        </button>
        {view.submit !== undefined && (
          <button type="submit" class="button primary" disabled={isSubmitting} aria-busy={isSubmitting}>
            {isSubmitting && <span class="spinner" />}
            {view.submit}
          </button>
        )}
      </footer>
    </form>
  )
}

type Account = PageState['account']

/** The form to connect needs an invented key and secret. */
function AccountHint({ onFill }: { readonly onFill: (account: Account) => void }) {
  const { account } = usePage().state
  return (
    <aside class="modal-hint note" aria-label="Help of the demo">
      An invented account. API key: <code>{account.key}</code>, API secret: <code>{account.secret}</code>{' '}
      <button type="button" class="link" onClick={() => onFill(account)}>
        Fill in {account.name}'s key and secret
      </button>
    </aside>
  )
}

const isEmpty = (value: Choice) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

export function Modal({ view }: { readonly view: ShownView }) {
  const { state } = usePage()
  const { user } = state
  const dialog = useRef<HTMLDialogElement>(null)
  const [values, setValues] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { problem, setProblem, track, onAction, ...actions } = useActions({ view: view.id })
  const isSubmitting = actions.busy === 'submit'
  const inputs = listInputs(view.blocks, values)
  const [key, secret] = ['key', 'secret'].map((id) => inputs.find(({ blockId }) => blockId === id)?.key)

  useEffect(() => {
    const shown = dialog.current
    const restoreFocus = rememberFocus()
    shown?.showModal()
    shown?.querySelector<HTMLElement>('.modal-body :is(input:not([role]), select)')?.focus()
    return () => {
      // While it is open, nothing else can have the focus.
      shown?.close()
      restoreFocus()
    }
  }, [])
  useEffect(() => {
    setErrors({})
    setProblem(undefined)
  }, [view.hash])

  /** Sets a value and removes the field's error. */
  const set = (name: string, value: Choice) => {
    setValues((before) => new Map(before).set(name, value))
    const changed = inputs.find((input) => input.key === name)?.blockId
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([id]) => id !== changed)))
  }
  const close = () => void send({ kind: 'close', user, view: view.id })
  const entered = Object.fromEntries(inputs.map(({ blockId, value }) => [blockId, value]))

  async function submit(event: Event) {
    event.preventDefault()
    if (isSubmitting) return
    const missing = inputs.filter(({ isOptional, value }) => !isOptional && isEmpty(value))
    setProblem(undefined)
    if (missing.length > 0)
      return showErrors(Object.fromEntries(missing.map(({ blockId }) => [blockId, 'Please fill this in.'])))
    setErrors({})
    const values = { kind: 'submit', user, view: view.id, values: entered } as const
    return showErrors((await track('submit', () => send(values))).errors ?? {})
  }

  function showErrors(found: Readonly<Record<string, string>>) {
    setErrors(found)
    requestAnimationFrame(() => dialog.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  return (
    <dialog
      ref={dialog}
      class="modal card"
      aria-labelledby={`title-${view.id}`}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        close()
      }}
    >
      <ModalFrame
        view={view}
        titleId={`title-${view.id}`}
        isSubmitting={isSubmitting}
        onClose={close}
        onSubmit={(event) => void submit(event)}
      >
        <Problem text={problem} />
        <Blocks
          blocks={view.blocks}
          surface="modal"
          directory={state}
          values={values}
          errors={errors}
          onValue={set}
          {...actions}
          onAction={(action) => onAction(action, entered)}
        />
        {key !== undefined && secret !== undefined && (
          <AccountHint
            onFill={(account) => {
              set(key, account.key)
              set(secret, account.secret)
            }}
          />
        )}
      </ModalFrame>
    </dialog>
  )
}
