import { useEffect, useRef, useState } from 'preact/hooks'
import { Confirm } from './blocks/button.tsx'
import { useKeptFocus } from './focus.ts'
import { SLACKBOT, usePage } from './hooks.ts'
import { ActionButton, type RunProps, Step } from './tour-step.tsx'

/** Leads on from the tour. */
function Afterwards({ isTourDone, onRun }: RunProps & { readonly isTourDone: boolean }) {
  const { state, goTo } = usePage()
  const here = { user: state.user, channel: state.channels[0]?.id ?? '' }
  const breakIt = {
    ...here,
    label: 'Break the service',
    service: 'down',
    lines: ['/calls missed last week'],
  } as const
  return (
    <div class="afterwards stack">
      <p class="note">{isTourDone ? "That's the tour. Go on with:" : 'Or look around:'}</p>
      <div class="small-buttons row">
        <button type="button" class="button" onClick={() => goTo(SLACKBOT)}>
          Ask Slackbot
        </button>
        <ActionButton action={breakIt} onRun={onRun} />
        <a class="button" href="/gallery">
          Every screen
        </a>
      </div>
    </div>
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
  const doneCount = steps.filter(({ isDone }) => isDone).length
  /** The step that was opened since the last one was done; '' if it was closed. */
  const [chosen, setChosen] = useState<string>()
  const openId = chosen ?? next?.id
  const root = useKeptFocus<HTMLElement>()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    setChosen(undefined)
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [doneCount])
  return (
    <section ref={root} class="panel stack" aria-labelledby="tour-title">
      <div class="panel-head small-buttons row">
        <h2 id="tour-title">
          Take the tour <small>{`${doneCount} of ${steps.length}`}</small>
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
      <ol ref={list} class="steps stack">
        {steps.map((step, index) => (
          <Step
            key={step.id}
            step={step}
            number={index + 1}
            isNext={step === next}
            isOpen={step.id === openId}
            onToggle={() => setChosen(step.id === openId ? '' : step.id)}
            onRun={onRun}
          />
        ))}
      </ol>
      <Afterwards isTourDone={next === undefined} onRun={onRun} />
    </section>
  )
}
