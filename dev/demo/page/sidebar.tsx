import type { PageState } from '../api-types.ts'
import { Avatar } from './avatar.tsx'
import { HashIcon, HomeIcon } from './icons.tsx'

/** How much is unread; nothing where nothing is. */
export const UnreadBadge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span class="unread">
      {count}
      <span class="visually-hidden"> unread</span>
    </span>
  )

/** The app's home tab, where a channel's id would stand. */
export const HOME = 'home'
/** What the app tells the person alone. */
export const DIRECT = 'direct'

export interface SidebarProps {
  readonly state: PageState
  readonly user: string
  readonly place: string
  /** The app's messages that the person has not seen. */
  readonly unread: number
  readonly onUser: (id: string) => void
  readonly onPlace: (id: string) => void
}

/** Where there is little room the first name is enough. */
function PersonName({ name }: { readonly name: string }) {
  const [first = '', ...family] = name.split(' ')
  return (
    <>
      {first}
      <span class="family-name"> {family.join(' ')}</span>
    </>
  )
}

export function Sidebar({ state, user, place, unread, onUser, onPlace }: SidebarProps) {
  const isAt = (id: string) => place === id || (id === HOME && place === DIRECT)
  const entry = (id: string) => ({
    type: 'button' as const,
    class: isAt(id) ? 'nav-item nav-here' : 'nav-item',
    'aria-current': isAt(id) ? ('page' as const) : undefined,
    onClick: () => onPlace(id),
  })
  return (
    <nav class="sidebar" aria-label="Workspace">
      <label class="workspace">
        <span class="visually-hidden">Workspace</span>
        <select
          value={state.workspaces.find(({ name }) => name === state.workspace)?.user}
          onChange={({ currentTarget }) => onUser(currentTarget.value)}
        >
          {state.workspaces.map(({ name, user: first }) => (
            <option key={first} value={first}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="nav-places">
        <div class="nav-group">
          <h2>Channels</h2>
          {state.channels.map(({ id, name }) => (
            <button key={id} {...entry(id)}>
              <HashIcon />
              {name}
            </button>
          ))}
        </div>
        <div class="nav-group">
          <h2>Apps</h2>
          <button {...entry(HOME)}>
            <HomeIcon />
            Callboard
            <UnreadBadge count={unread} />
          </button>
        </div>
      </div>
      <fieldset class="nav-group people">
        <legend>You are</legend>
        {state.people.map((person, index) =>
          person.isApp ? undefined : (
            <label key={person.id} class={person.id === user ? 'nav-item nav-here' : 'nav-item'}>
              <input
                type="radio"
                name="person"
                checked={person.id === user}
                onChange={() => onUser(person.id)}
              />
              <Avatar person={person} index={index} />
              <span>
                <PersonName name={person.name} />
                <small>{person.title}</small>
              </span>
            </label>
          ),
        )}
      </fieldset>
    </nav>
  )
}
