import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelInfo, PageState, ServiceMode, ShownView } from '../api-types.ts'
import { send } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'
import { Composer } from './composer.tsx'
import { usePermalinks, useProposal, useSessionValue, useStateOf, useTour, useUnread } from './hooks.ts'
import { CodeIcon, FlagIcon, WarnIcon } from './icons.tsx'
import { Modal } from './modal.tsx'
import { Problem } from './problem.tsx'
import { SIDE, Side } from './side.tsx'
import { DIRECT, HOME, Sidebar, UnreadBadge } from './sidebar.tsx'
import { Timeline } from './timeline.tsx'
import { tourPosition } from './tour.tsx'
import { useActions } from './use-actions.ts'

function Tab({
  home,
  state,
  user,
}: {
  readonly home: ShownView
  readonly state: PageState
  readonly user: string
}) {
  const { busy, problem, act, suggest } = useActions(user, { view: home.id })
  return (
    <>
      <Problem text={problem} />
      <Blocks
        blocks={home.blocks}
        surface="home"
        directory={state}
        busy={busy}
        onAction={(action) => void act(action)}
        suggest={suggest}
      />
    </>
  )
}

function Home({ state, user }: { readonly state: PageState; readonly user: string }) {
  // Slack tells the app each time that somebody opens its home tab.
  useEffect(() => void send({ kind: 'home', user }), [user])
  return (
    <div class="timeline home">
      {state.home ? (
        <Tab home={state.home} state={state} user={user} />
      ) : (
        <p class="quiet">Callboard shows its home tab once it is installed.</p>
      )}
    </div>
  )
}

const tabs = [
  [HOME, 'Home'],
  [DIRECT, 'Messages'],
] as const

function AppTabs({
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

interface PlaceHeaderProps {
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
function PlaceHeader(props: PlaceHeaderProps) {
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

const texts: Readonly<Record<Exclude<ServiceMode, 'normal'>, string>> = {
  slow: 'The phone service is slow now: it takes 3 seconds to answer.',
  down: 'The phone service is down now.',
}

/** What the tour did to the phone service, as long as that lasts. */
const ServiceNotice = ({ mode, onMend }: { readonly mode: ServiceMode; readonly onMend: () => void }) =>
  mode === 'normal' ? null : (
    <p class="notice" role="status">
      <WarnIcon /> <span>{texts[mode]}</span>{' '}
      <button type="button" class="link" onClick={onMend}>
        Mend it
      </button>
    </p>
  )

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
