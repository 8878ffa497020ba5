import { useRef, useState } from 'preact/hooks'
import type { TourAction, TourStep } from '../api-types.ts'
import { Confirm } from './blocks/button.tsx'
import { usePage } from './hooks.ts'
import { DoneIcon } from './icons.tsx'

export interface RunProps {
  /** Settles when the commands are acknowledged. */
  readonly onRun: (action: TourAction) => Promise<void>
}

/** A button that runs an action and shows its progress. */
function ActionButton({ action, style, onRun }: RunProps & { action: TourAction; style: string }) {
  const { service } = usePage().state
  const isBreaking = action.service === 'slow' || action.service === 'down'
  const [isBusy, setBusy] = useState(false)
  return (
    <button
      type="button"
      class={style}
      aria-busy={isBusy}
      aria-pressed={isBreaking ? action.service === service : undefined}
      onClick={() => {
        if (isBusy) return
        setBusy(true)
        void onRun(action).finally(() => setBusy(false))
      }}
    >
      {action.label}
      {isBusy && <span class="spinner" />}
    </button>
  )
}

export const ActionButtons = ({ actions, onRun }: RunProps & { readonly actions: readonly TourAction[] }) =>
  actions.map((action) => <ActionButton key={action.label} action={action} style="button" onRun={onRun} />)

interface StepProps extends RunProps {
  readonly step: TourStep
  readonly number: number
  /** The first step that isn't done. */
  readonly isNext: boolean
}

function Step({ step, number, isNext, onRun }: StepProps) {
  const { title, text, isDone, actions, link } = step
  const [only, ...others] = actions
  const single = others.length === 0 && only?.label === title ? only : undefined
  return (
    <li class="step" aria-current={isNext ? 'step' : undefined}>
      <span class="step-mark">
        {isDone ? <DoneIcon /> : number}
        {isDone && <span class="visually-hidden">Done: </span>}
      </span>
      <div class="stack">
        {single ? (
          <ActionButton action={single} style="step-title" onRun={onRun} />
        ) : (
          <h3 class="step-title">{title}</h3>
        )}
        <p class="note">{text}</p>
        {single ? (
          <code>{single.lines[0]}</code>
        ) : (
          <div class="small-buttons row">
            <ActionButtons actions={actions} onRun={onRun} />
            {link && (
              <a class="button" href={link.href}>
                {link.label}
              </a>
            )}
          </div>
        )}
      </div>
    </li>
  )
}

const text = (words: string) => ({ type: 'plain_text', text: words })

const confirmStartOver = {
  title: text('Start over?'),
  text: text(
    'This deletes everything you did in the demo: messages, posts, schedules, alerts, settings, connected accounts, installations, and your progress in the tour. The clock returns to 09:30.',
  ),
  confirm: text('Delete and start over'),
  deny: text('Cancel'),
  style: 'danger',
}

export function Tour({ onRun, onStartOver }: RunProps & { readonly onStartOver: () => Promise<void> }) {
  const steps = usePage().state.tour
  const [isStarting, setStarting] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <section class="panel stack" aria-labelledby="tour-title">
      <div class="panel-head small-buttons row">
        <h2 id="tour-title">
          Take the tour <small>{`${steps.filter(({ isDone }) => isDone).length} of ${steps.length}`}</small>
        </h2>
        <button
          type="button"
          class="button"
          aria-busy={isStarting}
          onClick={() => {
            if (!isStarting) dialog.current?.showModal()
          }}
        >
          {isStarting && <span class="spinner" />} Start over
        </button>
      </div>
      <Confirm
        confirm={confirmStartOver}
        dialog={dialog}
        onConfirm={() => {
          setStarting(true)
          void onStartOver().finally(() => setStarting(false))
        }}
      />
      <p class="note">
        A simulated Slack in this page, with the real app. All data is invented and stays on this machine.
      </p>
      <ol class="steps stack">
        {steps.map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} isNext={step === next} onRun={onRun} />
        ))}
      </ol>
      <p class="note">
        <a href="/gallery">Every screen</a> on one page.
      </p>
    </section>
  )
}
