import { DIRECT, HOME, SLACKBOT, usePage } from './hooks.ts'
import { Avatar, BotIcon, HashIcon, HomeIcon } from './icons.tsx'

export const UnreadBadge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span class="unread">
      {count}
      <span class="visually-hidden"> unread</span>
    </span>
  )

function People() {
  const { state, become } = usePage()
  return (
    <fieldset class="nav-group people stack">
      <legend>You are</legend>
      {state.people.map(({ id, name, title, isApp }, index) =>
        isApp ? undefined : (
          <label key={id} class="nav-item">
            <input type="radio" name="person" checked={id === state.user} onChange={() => become(id)} />
            <Avatar name={name} index={index} />
            <span>
              {name}
              <small>{title}</small>
            </span>
          </label>
        ),
      )}
    </fieldset>
  )
}

export function Sidebar({ unread }: { readonly unread: number }) {
  const { state, place, become, goTo } = usePage()
  const entry = (id: string) => ({
    type: 'button' as const,
    class: 'nav-item',
    'aria-current': place === id || (id === HOME && place === DIRECT) ? ('page' as const) : undefined,
    onClick: () => goTo(id),
  })
  return (
    <nav class="sidebar stack" aria-label="Workspace">
      <label>
        <span class="visually-hidden">Workspace</span>
        <select
          class="workspace"
          value={state.workspaces.find(({ name }) => name === state.workspace)?.user}
          onChange={({ currentTarget }) => become(currentTarget.value)}
        >
          {state.workspaces.map(({ name, user }) => (
            <option key={user} value={user}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="nav-group stack">
        <h2>Channels</h2>
        {state.channels.map(({ id, name }) => (
          <button key={id} {...entry(id)}>
            <HashIcon />
            {name}
          </button>
        ))}
      </div>
      <div class="nav-group stack">
        <h2>Direct messages</h2>
        <button {...entry(SLACKBOT)}>
          <BotIcon />
          Slackbot
        </button>
      </div>
      <div class="nav-group stack">
        <h2>Apps</h2>
        <button {...entry(HOME)}>
          <HomeIcon />
          Callboard
          <UnreadBadge count={unread} />
        </button>
      </div>
      <People />
    </nav>
  )
}
