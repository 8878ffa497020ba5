import type { RefObject } from 'preact'
import type { PageState } from '../api-types.ts'
import { Controls } from './controls.tsx'
import { CloseIcon } from './icons.tsx'
import { Tour, type TourProps } from './tour.tsx'
import { TrafficPanel } from './traffic.tsx'

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
