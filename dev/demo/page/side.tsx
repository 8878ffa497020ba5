import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PageState, TourAction, TrafficEntry } from '../api-types.ts'
import { ActionButton, type RunProps } from './action-button.tsx'
import { getTraffic } from './api.ts'
import { CloseIcon } from './icons.tsx'
import { dayTimeLabel } from './times.ts'
import { Tour, type TourProps } from './tour.tsx'

const took = (ms: number | undefined) =>
  ms === undefined ? '' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

function Detail({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}

/** What went over the wire for the last interaction; for those who want to know how the app works. */
function TrafficPanel({ state }: { readonly state: PageState }) {
  const [entries, setEntries] = useState<readonly TrafficEntry[]>([])
  const [chosen, setChosen] = useState<number>()
  useEffect(() => {
    void getTraffic().then(setEntries)
  }, [state])
  const entry = entries.find(({ id }) => id === chosen) ?? entries[0]
  if (!entry) return <p class="quiet">Nothing was sent yet.</p>
  const { acknowledged, steps, warnings, sent } = entry
  return (
    <div class="traffic">
      <label>
        Interaction{' '}
        <select value={entry.id} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
          {entries.map(({ id, title }) => (
            <option key={id} value={id}>
              {id}. {title}
            </option>
          ))}
        </select>
      </label>
      {warnings.map((warning) => (
        <p key={warning} class="problem" role="alert">
          {warning}
        </p>
      ))}
      <Detail title="Slack sent, signed, to /slack/events" value={sent} />
      <ul>
        {steps.map(({ what, outcome, ms, detail, times = 1 }, index) => (
          <li key={`${entry.id} ${index}`}>
            <Detail
              title={`${times > 1 ? `${times} × ` : ''}${what}: ${outcome} ${took(ms)}`}
              value={detail}
            />
          </li>
        ))}
      </ul>
      <Detail
        title={`The app acknowledged with ${acknowledged.status} after ${took(acknowledged.ms)}`}
        value={acknowledged.body === '' ? 'nothing' : acknowledged.body}
      />
    </div>
  )
}

/** The time of the demo's clock, as it goes. */
function useNow(aheadMs: number): Date {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return new Date(Date.now() + aheadMs)
}

/** What happens in the world around the app, in every step of the tour and after it. */
function Controls({
  state,
  place,
  ...run
}: RunProps & { readonly state: PageState; readonly place: string }) {
  const { user, timeZone, aheadMs } = state
  const now = useNow(aheadMs)
  const here = { user, channel: place, lines: [] }
  const calls: readonly TourAction[] = [
    { ...here, label: 'A call is missed now', missed: 1 },
    { ...here, label: 'A burst of 40', missed: 40 },
  ]
  const moves: readonly TourAction[] = [
    { ...here, label: '1 hour on', clock: 'hour' },
    { ...here, label: 'Next weekday, 9:00', clock: 'weekday-morning' },
  ]
  const buttons = (actions: readonly TourAction[]) =>
    actions.map((action) => <ActionButton key={action.label} action={action} style="button" {...run} />)
  return (
    <section class="panel controls" aria-labelledby="controls-title">
      <div class="controls-head">
        <h2 id="controls-title">Make it happen</h2>
        <p>
          <span class="visually-hidden">The demo's clock: </span>
          <time dateTime={now.toISOString()}>{dayTimeLabel(now, timeZone)}</time>
        </p>
      </div>
      <div class="step-actions">{buttons(calls)}</div>
      <div class="step-actions">{buttons(moves)}</div>
    </section>
  )
}

/** The id of what stands beside the channel, and where there is no room over it. */
export const SIDE = 'side'

export interface SideProps extends Pick<TourProps, 'onRun' | 'onStartOver'> {
  readonly side: RefObject<HTMLElement | null>
  readonly state: PageState
  /** Where the person is. */
  readonly place: string
  readonly isTrafficOpen: boolean
}

/** What is about the demo: the tour, and what went over the wire. A popover in narrow windows, as the style sheet has it. */
export function Side({ side, state, place, isTrafficOpen, onRun, onStartOver }: SideProps) {
  return (
    <aside
      ref={side}
      id={SIDE}
      class="side"
      popover="auto"
      aria-label="About the demo"
      onToggle={({ currentTarget }) =>
        currentTarget.querySelector('.step-next')?.scrollIntoView({ block: 'nearest' })
      }
    >
      <button
        type="button"
        class="icon-button side-close"
        aria-label="Close"
        popovertarget={SIDE}
        popovertargetaction="hide"
      >
        <CloseIcon />
      </button>
      {isTrafficOpen && (
        <section class="panel" aria-labelledby="traffic-title">
          <h2 id="traffic-title">Traffic</h2>
          <TrafficPanel state={state} />
        </section>
      )}
      <Tour steps={state.tour} service={state.service} onRun={onRun} onStartOver={onStartOver} />
      <Controls state={state} place={place} service={state.service} onRun={onRun} />
    </aside>
  )
}
