import { DIRECT, HOME } from './sidebar.tsx'

const tabs = [
  [HOME, 'Home'],
  [DIRECT, 'Messages'],
] as const

export function AppTabs({
  place,
  onPlace,
}: {
  readonly place: string
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
        </button>
      ))}
    </div>
  )
}
