import { DIRECT, HOME } from './sidebar.tsx'
import { UnreadBadge } from './unread-badge.tsx'

const tabs = [
  [HOME, 'Home'],
  [DIRECT, 'Messages'],
] as const

export function AppTabs({
  place,
  unread,
  onPlace,
}: {
  readonly place: string
  /** Messages that the person has not seen. */
  readonly unread: number
  readonly onPlace: (id: string) => void
}) {
  return (
    <div class="tabs">
      {tabs.map(([id, name]) => (
        <button
          key={id}
          type="button"
          class={place === id ? 'tab tab-here' : 'tab'}
          aria-current={place === id ? 'page' : undefined}
          onClick={() => onPlace(id)}
        >
          {name}
          {id === DIRECT && <UnreadBadge count={unread} />}
        </button>
      ))}
    </div>
  )
}
