import { useState } from 'preact/hooks'
import { send } from './api.ts'
import { Composer } from './composer.tsx'
import { Home } from './home.tsx'
import { CodeIcon } from './icons.tsx'
import { Modal } from './modal.tsx'
import { HOME, Sidebar } from './sidebar.tsx'
import { Timeline } from './timeline.tsx'
import { Tour } from './tour.tsx'
import { TrafficPanel } from './traffic.tsx'
import { useKept, useStateOf } from './use-state-of.ts'

export function App() {
  const [kept, setUser] = useKept('user', '')
  const [keptPlace, setPlace] = useKept('place', '')
  const [proposed, setProposed] = useState<{ readonly text: string }>()
  const [isOpen, setOpen] = useState(false)
  const state = useStateOf(kept)
  if (!state) {
    return (
      <main>
        <h1 class="quiet">One moment…</h1>
      </main>
    )
  }

  const people = state.people.filter(({ isApp }) => !isApp)
  const user = (people.find(({ id }) => id === kept) ?? people[0])?.id ?? ''
  const channel = state.channels.find(({ id }) => id === keptPlace) ?? state.channels[0]
  const isHome = keptPlace === HOME
  const top = state.views.at(-1)

  function write(text: string) {
    if (channel) void send({ kind: 'write', user, channel: channel.id, text })
  }
  function propose(text: string) {
    if (isHome && channel) setPlace(channel.id)
    setProposed({ text })
  }

  return (
    <div class="layout">
      <Sidebar
        state={state}
        user={user}
        place={isHome ? HOME : (channel?.id ?? '')}
        onUser={setUser}
        onPlace={setPlace}
      />
      <main class="main">
        <header class="place">
          <h1>{isHome ? 'Callboard' : `#${channel?.name ?? ''}`}</h1>
          <p>{isHome ? 'Home tab' : channel?.topic}</p>
          <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <CodeIcon /> Traffic
          </button>
        </header>
        {isHome ? (
          <Home state={state} user={user} />
        ) : (
          <Timeline state={state} user={user} channel={channel?.id ?? ''} />
        )}
        {!isHome && (
          <Composer
            channelName={channel?.name ?? ''}
            commands={state.commands}
            proposed={proposed}
            onSend={write}
          />
        )}
      </main>
      <aside class="side" aria-label="About the demo">
        {isOpen && (
          <section class="panel" aria-labelledby="traffic-title">
            <h2 id="traffic-title">Traffic</h2>
            <TrafficPanel state={state} />
          </section>
        )}
        <Tour state={state} onPropose={propose} />
      </aside>
      {top && <Modal key={top.id} view={top} state={state} user={user} />}
    </div>
  )
}
