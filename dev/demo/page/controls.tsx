import { useEffect, useState } from 'preact/hooks'
import type { PageState, TourAction } from '../api-types.ts'
import { ActionButton, type RunProps } from './action-button.tsx'
import { dayTimeLabel } from './times.ts'

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
export function Controls({
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
