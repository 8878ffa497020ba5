import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ServiceMode, TourAction } from '../api-types.ts'

export interface RunProps {
  readonly service: ServiceMode
  /** Settles once what was typed is acknowledged. */
  readonly onRun: (action: TourAction) => Promise<void>
}

const breaks = ({ service }: TourAction) => service !== undefined && service !== 'normal'

/** Does what one of the tour's actions says, and shows that it is under way. */
export function ActionButton({
  action,
  service,
  style,
  onRun,
  children,
}: RunProps & {
  readonly action: TourAction
  readonly style: string
  readonly children?: ComponentChildren
}) {
  const [isBusy, setBusy] = useState(false)
  return (
    <button
      type="button"
      class={style}
      aria-busy={isBusy}
      aria-pressed={breaks(action) ? action.service === service : undefined}
      onClick={async () => {
        if (isBusy) return
        setBusy(true)
        try {
          await onRun(action)
        } finally {
          setBusy(false)
        }
      }}
    >
      {action.label}
      {isBusy && <span class="spinner" />}
      {children}
    </button>
  )
}
