import { useEffect, useState } from 'preact/hooks'
import type { PageState, TrafficEntry } from '../api-types.ts'
import { getTraffic } from './api.ts'

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
export function TrafficPanel({ state }: { readonly state: PageState }) {
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
