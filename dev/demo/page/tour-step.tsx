import { useState } from 'preact/hooks'
import type { TourAction, TourStep } from '../api-types.ts'
import { Mrkdwn } from './blocks/text.tsx'
import { usePage } from './hooks.ts'
import { DoneIcon } from './icons.tsx'

export interface RunProps {
  /** Settles when the commands are acknowledged. */
  readonly onRun: (action: TourAction) => Promise<void>
}

interface ButtonProps extends RunProps {
  readonly action: TourAction
  readonly style?: string
}

/** A button that runs an action and shows its progress. */
export function ActionButton({ action, style = 'button', onRun }: ButtonProps) {
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

function StepBody({ step: { text, actions, link }, onRun }: RunProps & { readonly step: TourStep }) {
  const { people, channels } = usePage().state
  return (
    <>
      <div class="note">
        <Mrkdwn text={text} directory={{ people, channels }} />
      </div>
      <div class="small-buttons row">
        {link !== undefined && (
          <a class="button primary" href={link}>
            Start
          </a>
        )}
        {actions.map((action, index) => (
          <ActionButton
            key={action.label}
            action={action}
            style={index === 0 ? 'button primary' : 'button'}
            onRun={onRun}
          />
        ))}
      </div>
    </>
  )
}

interface StepProps extends RunProps {
  readonly step: TourStep
  readonly number: number
  /** The first step that isn't done. */
  readonly isNext: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
}

export function Step({ step, number, isNext, isOpen, onToggle, onRun }: StepProps) {
  return (
    <li class="step" aria-current={isNext ? 'step' : undefined}>
      <span class="step-mark">
        {step.isDone ? <DoneIcon /> : number}
        {step.isDone && <span class="visually-hidden">Done: </span>}
      </span>
      <div class="stack">
        <h3 class="row">
          <button type="button" class="step-title" aria-expanded={isOpen} onClick={onToggle}>
            {step.title}
          </button>
          {isNext && <small>Next</small>}
        </h3>
        {isOpen && <StepBody step={step} onRun={onRun} />}
      </div>
    </li>
  )
}
