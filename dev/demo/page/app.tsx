import { useState } from 'preact/hooks'
import { send } from './api.ts'
import { AppTabs } from './app-tabs.tsx'
import { Composer } from './composer.tsx'
import { Home } from './home.tsx'
import { CodeIcon } from './icons.tsx'
import { Modal } from './modal.tsx'
import { DIRECT, HOME, Sidebar } from './sidebar.tsx'
import { Timeline } from './timeline.tsx'
import { Tour } from './tour.tsx'
import { TrafficPanel } from './traffic.tsx'
import { useSessionValue, useStateOf } from './use-state-of.ts'

export function App() {
  const [kept, setUser] = useSessionValue('user', '')
  const [keptPlace, setPlace] = useSessionValue('place', '')
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
  const isApp = keptPlace === HOME || keptPlace === DIRECT
  const here = isApp ? keptPlace : (channel?.id ?? '')
  const top = state.views.at(-1)

  function write(text: string) {
    if (channel) void send({ kind: 'write', user, channel: channel.id, text })
  }
  function propose(text: string) {
    if (isApp && channel) setPlace(channel.id)
    setProposed({ text })
  }

  return (
    <div class="layout">
      <Sidebar state={state} user={user} place={here} onUser={setUser} onPlace={setPlace} />
      <main class="main">
        <header class="place">
          <h1>{isApp ? 'Callboard' : `#${channel?.name ?? ''}`}</h1>
          {isApp ? <AppTabs place={here} onPlace={setPlace} /> : <p>{channel?.topic}</p>}
          <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <CodeIcon /> Traffic
          </button>
        </header>
        {!state.isInstalled && (
          <p class="install">
            Callboard is not in {state.workspace} yet. <a href={state.installUrl}>Install it</a>
          </p>
        )}
        {here === HOME ? (
          <Home state={state} user={user} />
        ) : (
          <Timeline state={state} user={user} channel={here} />
        )}
        {!isApp && (
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
