import { useEffect, useState } from 'preact/hooks'
import type { Exchange, State } from '../api-types.ts'
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
export function TrafficPanel({ state }: { readonly state: State }) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [chosen, setChosen] = useState<number>()
  useEffect(() => {
    void getTraffic().then(setExchanges)
  }, [state])
  const shown = exchanges.find(({ id }) => id === chosen) ?? exchanges[0]
  if (!shown) return <p class="quiet">Nothing was sent yet.</p>
  const { acknowledged, steps, warnings, sent } = shown
  return (
    <div class="traffic">
      <label>
        Interaction{' '}
        <select value={shown.id} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
          {exchanges.map(({ id, title }) => (
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
        {steps.map(({ what, outcome, ms, detail }, index) => (
          <li key={`${shown.id} ${index}`}>
            <Detail title={`${what}: ${outcome} ${took(ms)}`} value={detail} />
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
