import { useRef, useState } from 'preact/hooks'
import type { TourStep } from '../api-types.ts'
import { ActionButton, type RunProps } from './action-button.tsx'
import { Confirm } from './blocks/button.tsx'
import { DoneIcon } from './icons.tsx'

function Step({ step, number, isNext, ...run }: RunProps & StepProps) {
  const { title, text, isDone, actions, link } = step
  const [only, ...others] = actions
  const isSingle = only !== undefined && others.length === 0 && only.label === title
  return (
    <li class={isNext ? 'step step-next' : 'step'}>
      <span class={isDone ? 'step-mark step-done' : 'step-mark'}>
        {isDone ? <DoneIcon /> : number}
        {isDone && <span class="visually-hidden">Done: </span>}
      </span>
      <div class="step-body">
        {isSingle ? (
          <ActionButton action={only} style="step-title" {...run} />
        ) : (
          <h3 class="step-title">{title}</h3>
        )}
        <p>{text}</p>
        {isSingle && <code>{only.lines[0]}</code>}
        {!isSingle && (actions.length > 0 || link) && (
          <div class="step-actions">
            {actions.map((action) => (
              <ActionButton key={action.label} action={action} style="button" {...run} />
            ))}
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

interface StepProps {
  readonly step: TourStep
  readonly number: number
  /** The first that was not done yet. */
  readonly isNext: boolean
}

export interface TourProps extends RunProps {
  readonly steps: readonly TourStep[]
  readonly onStartOver: () => Promise<void>
}

const text = (words: string) => ({ type: 'plain_text', text: words })

/** As Slack asks back. */
const confirmStartOver = {
  title: text('Start over?'),
  text: text(
    'This deletes everything you did in the demo: messages, posts, schedules, alerts, settings, connected accounts, what you installed, and your place in the tour. The clock shows the real time again.',
  ),
  confirm: text('Delete and start over'),
  deny: text('Cancel'),
  style: 'danger',
}

export function Tour({ steps, onStartOver, ...run }: TourProps) {
  const [isStarting, setStarting] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <section class="panel" aria-labelledby="tour-title">
      <div class="tour-head">
        <h2 id="tour-title">
          Take the tour <small>{tourPosition(steps)}</small>
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
      <p>The real app in a local Slack. Everything in it is invented, and stays on this machine.</p>
      <ol class="steps">
        {steps.map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} isNext={step === next} {...run} />
        ))}
      </ol>
      <p>
        <a href="/gallery">Everything that Callboard can show</a>, on one page.
      </p>
    </section>
  )
}

/** How far one has come: `2 of 9`. */
export const tourPosition = (steps: readonly TourStep[]): string =>
  `${steps.filter(({ isDone }) => isDone).length} of ${steps.length}`
