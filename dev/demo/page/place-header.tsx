import type { ChannelInfo, PageState } from '../api-types.ts'
import { AppTabs } from './app-tabs.tsx'
import { CodeIcon, FlagIcon } from './icons.tsx'
import { SIDE } from './side.tsx'
import { tourPosition } from './tour.tsx'

export interface PlaceHeaderProps {
  readonly state: PageState
  /** Undefined in the app's own tabs. */
  readonly channel: ChannelInfo | undefined
  readonly place: string
  readonly unread: number
  readonly isTrafficOpen: boolean
  readonly onPlace: (id: string) => void
  readonly onTraffic: () => void
}

/** Where one is, and what the demo has to tell about it. */
export function PlaceHeader(props: PlaceHeaderProps) {
  const { state, channel, place, unread, isTrafficOpen, onPlace, onTraffic } = props
  return (
    <header class="place">
      <h1>{channel ? `#${channel.name}` : 'Callboard'}</h1>
      {channel ? <p>{channel.topic}</p> : <AppTabs place={place} unread={unread} onPlace={onPlace} />}
      <button type="button" class="button" aria-expanded={isTrafficOpen} onClick={onTraffic}>
        <CodeIcon /> <span class="traffic-word">Traffic</span>
      </button>
      <button type="button" class="button button-primary tour-button" popovertarget={SIDE}>
        <FlagIcon /> Tour <span class="visually-hidden">, {tourPosition(state.tour)}</span>
      </button>
    </header>
  )
}
