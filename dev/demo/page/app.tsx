import { useEffect, useRef, useState } from 'preact/hooks'
import { send } from './api.ts'
import { Composer } from './composer.tsx'
import { Home } from './home.tsx'
import { Modal } from './modal.tsx'
import { PlaceHeader } from './place-header.tsx'
import { ServiceNotice } from './service-notice.tsx'
import { Side } from './side.tsx'
import { DIRECT, HOME, Sidebar } from './sidebar.tsx'
import { Timeline } from './timeline.tsx'
import { usePermalinks } from './use-permalinks.ts'
import { useProposal } from './use-proposal.ts'
import { useSessionValue, useStateOf } from './use-state-of.ts'
import { useTour } from './use-tour.ts'
import { useUnread } from './use-unread.ts'

export function App() {
  const [kept, setUser] = useSessionValue('user', '')
  const [keptPlace, setPlace] = useSessionValue('place', '')
  const [isTrafficOpen, setTrafficOpen] = useState(false)
  const side = useRef<HTMLElement>(null)
  const state = useStateOf(kept)
  const { proposed, propose } = useProposal(state)
  const tour = useTour({
    become: setUser,
    goTo: setPlace,
    propose,
    uncover: () => side.current?.hidePopover(),
  })
  usePermalinks((id) => setPlace(state?.channels.some((one) => one.id === id) ? id : DIRECT))

  // Slack's way back into a workspace, from the page of an installation.
  useEffect(() => {
    const team = new URLSearchParams(location.search).get('team')
    if (!state || team === null) return
    history.replaceState(null, '', '/')
    const there = state.workspaces.find(({ id }) => id === team)
    if (!there) return
    setUser(there.user)
    setPlace(DIRECT)
  }, [state === undefined])

  const unread = useUnread(state?.messages ?? [], state?.user ?? '', keptPlace)
  if (!state) {
    return (
      <main>
        <h1 class="quiet">One moment…</h1>
      </main>
    )
  }

  // Until the state of somebody else is there, one is who one was.
  const { user } = state
  const channel = state.channels.find(({ id }) => id === keptPlace) ?? state.channels[0]
  const isApp = keptPlace === HOME || keptPlace === DIRECT
  const here = isApp ? keptPlace : (channel?.id ?? '')
  const top = state.views.at(-1)

  return (
    <div class="layout">
      {!isApp && (
        <a class="skip" href="#message-box">
          Skip to message box
        </a>
      )}
      <Sidebar state={state} user={user} place={here} unread={unread} onUser={setUser} onPlace={setPlace} />
      <main class="main">
        <PlaceHeader
          state={state}
          channel={isApp ? undefined : channel}
          place={here}
          unread={unread}
          isTrafficOpen={isTrafficOpen}
          onPlace={setPlace}
          onTraffic={() => {
            const isSheet = side.current !== null && getComputedStyle(side.current).position === 'fixed'
            setTrafficOpen(isSheet || !isTrafficOpen)
            if (isSheet) side.current?.showPopover()
          }}
        />
        <ServiceNotice
          mode={state.service}
          onMend={() => void send({ kind: 'service', user, mode: 'normal' })}
        />
        {tour.note !== undefined && (
          <p class="notice" role="status">
            {tour.note}{' '}
            <button type="button" class="link" onClick={tour.hideNote}>
              Hide
            </button>
          </p>
        )}
        {!state.isInstalled && (
          <p class="notice">
            Callboard isn't in {state.workspace} yet. <a href={state.installUrl}>Install it</a>
          </p>
        )}
        {here === HOME ? (
          <Home state={state} user={user} />
        ) : (
          <Timeline state={state} user={user} channel={here} />
        )}
        {!isApp && (
          <Composer
            key={channel?.id}
            channelName={channel?.name ?? ''}
            commands={state.commands}
            proposed={proposed?.channel === channel?.id ? proposed : undefined}
            onSend={(text) => {
              propose(undefined)
              if (channel) void send({ kind: 'write', user, channel: channel.id, text })
            }}
          />
        )}
      </main>
      <Side
        side={side}
        state={state}
        place={here}
        isTrafficOpen={isTrafficOpen}
        onRun={tour.run}
        onStartOver={tour.startOver}
      />
      {top && <Modal key={top.id} view={top} state={state} user={user} />}
    </div>
  )
}
