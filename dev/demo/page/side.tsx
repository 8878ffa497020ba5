import { useEffect, useState } from 'preact/hooks'
import type { TourAction, TrafficEntry } from '../api-types.ts'
import { getTraffic, usePage } from './hooks.ts'
import { Tour } from './tour.tsx'
import { ActionButton, type RunProps } from './tour-step.tsx'

const took = (ms: number | undefined) =>
  ms === undefined ? '' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

const Detail = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <details>
    <summary>{title}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
    <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
  </details>
)

/** Shows the requests of an interaction. */
function Entries() {
  const { state } = usePage()
  const [entries, setEntries] = useState<readonly TrafficEntry[]>([])
  const [chosen, setChosen] = useState<number>()
  useEffect(() => {
    void getTraffic().then(setEntries)
  }, [state])
  const entry = entries.find(({ id }) => id === chosen) ?? entries[0]
  if (!entry) return <p class="quiet">Nothing sent yet.</p>
  const { acknowledged, steps, warnings, sent, path } = entry
  return (
    <div class="traffic stack">
      <label>
        Interaction{' '}
        <select
          class="button"
          value={entry.id}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
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
      <Detail title={`Slack sent, signed, to ${path}`} value={sent} />
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

export const Traffic = () => (
  <section class="panel traffic-panel stack" aria-labelledby="traffic-title">
    <h2 id="traffic-title">Traffic</h2>
    <Entries />
  </section>
)

/** `Berlin` for `Europe/Berlin` */
const formatCity = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

const shortDay = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** Shows the demo's clock: `Mon 30 Nov, 09:30 in Berlin`, and the time of a person elsewhere. */
function Clock() {
  const { aheadMs, timeZone, teamZone, people, user } = usePage().state
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  const now = new Date(Date.now() + aheadMs)
  const format = (zone: string) => {
    const day = now.toLocaleDateString('en-GB', { ...shortDay, timeZone: zone })
    const time = now.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: zone })
    return `${day.replace(',', '')}, ${time}`
  }
  const [name] = people.find(({ id }) => id === user)?.name.split(' ') ?? []
  return (
    <div class="clock note">
      <p>
        <span class="visually-hidden">The demo's clock: </span>
        <time dateTime={now.toISOString()}>{`${format(teamZone)} in ${formatCity(teamZone)}`}</time>
      </p>
      {timeZone !== teamZone && <p>{`${name} is in ${formatCity(timeZone)}: ${format(timeZone)}`}</p>}
    </div>
  )
}

/** Buttons for missed calls, the clock and the phone service. */
function Controls({ onRun }: RunProps) {
  const { state, place } = usePage()
  const here = { user: state.user, channel: place, lines: [] }
  const groups: Readonly<Record<string, readonly TourAction[]>> = {
    'Missed calls': [
      { ...here, label: 'Miss a call', missed: 1 },
      { ...here, label: 'Miss 40 calls', missed: 40 },
    ],
    Clock: [
      { ...here, label: '1 hour on', clock: 'hour' },
      { ...here, label: 'Next weekday, 9:00', clock: 'weekday-morning' },
    ],
    'Phone service': [
      { ...here, label: 'Slow service', service: 'slow' },
      { ...here, label: 'Service down', service: 'down' },
    ],
  }
  return (
    <section class="panel controls stack" aria-labelledby="controls-title">
      <div class="panel-head row">
        <h2 id="controls-title">Make it happen</h2>
        <Clock />
      </div>
      {Object.entries(groups).map(([name, actions]) => (
        <fieldset key={name} class="small-buttons row" aria-label={name}>
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} onRun={onRun} />
          ))}
        </fieldset>
      ))}
    </section>
  )
}

export const Side = (props: Parameters<typeof Tour>[0]) => (
  <aside class="side stack" aria-label="About the demo">
    <Tour {...props} />
    <Controls onRun={props.onRun} />
  </aside>
)
