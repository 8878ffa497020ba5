import { useEffect, useRef, useState } from 'preact/hooks'
import type { Choice, DemoAccount, PageState, ShownInput, ShownView } from '../api-types.ts'
import { send } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'
import { ModalFrame } from './modal-frame.tsx'
import { Problem } from './problem.tsx'
import { useActions } from './use-actions.ts'

export interface ModalProps {
  readonly view: ShownView
  readonly state: PageState
  readonly user: string
}

const isEmpty = (value: Choice) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
const keyOf = ({ blockId, actionId }: ShownInput) => `${blockId}/${actionId}`

/** The demo's help with the one form that nobody could fill in without it. */
function Hint({ account, onFill }: { readonly account: DemoAccount; readonly onFill: () => void }) {
  return (
    <aside class="modal-hint" aria-label="Help of the demo">
      <p>
        An invented account. API key: <code>{account.key}</code>, API secret: <code>{account.secret}</code>{' '}
        <button type="button" class="link" onClick={onFill}>
          Fill in {account.name}'s key and secret
        </button>
      </p>
    </aside>
  )
}

export function Modal({ view, state, user }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [values, setValues] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { busy, problem, setProblem, track, act, suggest } = useActions(user, { view: view.id })
  const isSubmitting = busy === 'submit'
  const valueIn = (input: ShownInput) =>
    values.get(keyOf(input)) ?? (values.has(keyOf(input)) ? null : input.initial)
  const [key, secret] = ['key', 'secret'].map((id) => view.inputs.find(({ blockId }) => blockId === id))

  useEffect(() => {
    dialog.current?.showModal()
    dialog.current
      ?.querySelector<HTMLElement>('.modal-body :is(input:not([role]), textarea, select)')
      ?.focus()
  }, [])
  useEffect(() => {
    setErrors({})
    setProblem(undefined)
  }, [view.hash])

  /** What was wrong with a field is over once something else is in it. */
  const set = (name: string, value: Choice) => {
    setValues((before) => new Map(before).set(name, value))
    const changed = view.inputs.find((input) => keyOf(input) === name)?.blockId
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([id]) => id !== changed)))
  }
  const close = () => void send({ kind: 'close', user, view: view.id })

  async function submit(event: Event) {
    event.preventDefault()
    if (isSubmitting) return
    const missing = view.inputs.filter((input) => !input.isOptional && isEmpty(valueIn(input)))
    setErrors(Object.fromEntries(missing.map(({ blockId }) => [blockId, 'Please fill this in.'])))
    setProblem(undefined)
    if (missing.length > 0) {
      focusError()
      return
    }
    const result = await track('submit', () =>
      send({ kind: 'submit', user, view: view.id, values: entered() }),
    )
    setErrors(result.errors ?? {})
    if (result.errors) focusError()
  }

  function focusError() {
    requestAnimationFrame(() => dialog.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  const entered = () => Object.fromEntries(view.inputs.map((input) => [input.blockId, valueIn(input)]))

  return (
    <dialog
      ref={dialog}
      class="modal"
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
          busy={busy}
          values={values}
          errors={errors}
          onValue={set}
          onAction={(action) => void act(action, entered())}
          suggest={suggest}
        />
        {key && secret && (
          <Hint
            account={state.account}
            onFill={() => {
              set(keyOf(key), state.account.key)
              set(keyOf(secret), state.account.secret)
            }}
          />
        )}
      </ModalFrame>
    </dialog>
  )
}
