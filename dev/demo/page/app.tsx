import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Action, PageState, TourAction } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import { Composer } from './composer.tsx'
import {
  DIRECT,
  HOME,
  PageContext,
  SLACKBOT,
  send,
  startOver,
  useActions,
  usePage,
  usePermalinks,
  usePersonState,
  useSessionValue,
  useUnread,
} from './hooks.ts'
import { CodeIcon, WarnIcon } from './icons.tsx'
import { Problem, Timeline } from './message.tsx'
import { Modal } from './modal.tsx'
import { Side, Traffic } from './side.tsx'
import { Sidebar, UnreadBadge } from './sidebar.tsx'
import { AskSlackbot, forgetConversations } from './slackbot.tsx'

function Home() {
  const { state } = usePage()
  const { home, user } = state
  const { problem, ...actions } = useActions({ view: home?.id ?? '' })
  // Slack tells the app each time that a person opens its Home tab.
  useEffect(() => void send({ kind: 'home', user }), [user])
  return (
    <div class="timeline home">
      <Problem text={problem} />
      {home ? (
        <Blocks blocks={home.blocks} surface="home" directory={state} {...actions} />
      ) : (
        <p class="quiet">Callboard shows its home tab once it is installed.</p>
      )}
    </div>
  )
}

function AppTabs({ unread }: { readonly unread: number }) {
  const { place, goTo } = usePage()
  return (
    <div class="tabs row grow">
      {[HOME, DIRECT].map((id) => (
        <button
          key={id}
          type="button"
          class="tab row"
          aria-current={place === id ? 'page' : undefined}
          onClick={() => goTo(id)}
        >
          {id === HOME ? 'Home' : 'Messages'}
          {id === DIRECT && <UnreadBadge count={unread} />}
        </button>
      ))}
    </div>
  )
}

interface NoticesProps {
  /** Result of the last button. */
  readonly note: string | undefined
  readonly problem: string | undefined
  readonly onHide: () => void
  readonly onFix: () => void
}

/** State of the phone service and the installation, and the result of the last button. */
function Notices({ note, problem, onHide, onFix }: NoticesProps) {
  const { service, isInstalled, workspace, installUrl } = usePage().state
  return (
    <>
      {service !== 'normal' && (
        <p class="notice row" role="status">
          <WarnIcon />
          {service === 'slow'
            ? 'The phone service is slow now: it takes 3 seconds to answer.'
            : 'The phone service is down now.'}
          <button type="button" class="link" onClick={onFix}>
            Fix it
          </button>
        </p>
      )}
      {note !== undefined && (
        <p class="notice row" role="status">
          {note}
          <button type="button" class="link" onClick={onHide}>
            Hide
          </button>
        </p>
      )}
      <Problem text={problem} />
      {!isInstalled && (
        <p class="notice row">
          Callboard isn't in {workspace} yet. <a href={installUrl}>Install it</a>
        </p>
      )}
    </>
  )
}

/** @throws Error with what went wrong */
async function perform(action: Action): Promise<string | undefined> {
  const { note, problem } = await send(action)
  if (problem !== undefined) throw new Error(problem)
  return note
}

/** Switches to the person and channel of a tour action, and does it there. @returns the result, if no message shows it */
async function runTourAction(
  { user, channel, service, missed, clock, lines }: TourAction,
  { become, goTo }: ReturnType<typeof usePage>,
): Promise<string | undefined> {
  become(user)
  goTo(channel)
  if (service !== undefined) await perform({ kind: 'service', user, mode: service })
  if (clock !== undefined) await perform({ kind: 'clock', user, channel, to: clock })
  for (const text of lines) await perform({ kind: 'write', user, channel, text })
  return missed === undefined ? undefined : perform({ kind: 'missed', user, count: missed })
}

interface HeaderProps {
  readonly channel: PageState['channels'][number] | undefined
  readonly unread: number
  readonly isTrafficOpen: boolean
  readonly onTraffic: () => void
}

/** The name of the place, and the button for the traffic. */
function PlaceHeader({ channel, unread, isTrafficOpen, onTraffic }: HeaderProps) {
  const { place } = usePage()
  return (
    <header class="place row">
      <h1>{channel ? `#${channel.name}` : place === SLACKBOT ? 'Slackbot' : 'Callboard'}</h1>
      {channel || place === SLACKBOT ? <p class="grow">{channel?.topic}</p> : <AppTabs unread={unread} />}
      <button type="button" class="button" aria-expanded={isTrafficOpen} onClick={onTraffic}>
        <CodeIcon /> Traffic
      </button>
    </header>
  )
}

/** Does things and keeps the result of the last one. */
function useAttempts() {
  const [note, setNote] = useState<string>()
  const [problem, setProblem] = useState<string>()

  function clear(): void {
    setNote(undefined)
    setProblem(undefined)
  }

  async function attempt(work: () => Promise<string | undefined>): Promise<void> {
    clear()
    try {
      setNote(await work())
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'That did not work.')
    }
  }

  return { note, problem, clear, attempt }
}

export function App() {
  const [kept, become] = useSessionValue('user')
  const [keptPlace, goTo] = useSessionValue('place')
  const state = usePersonState(kept)
  usePermalinks((id) => goTo(state?.channels.some((one) => one.id === id) ? id : DIRECT))
  useEffect(() => {
    // Slack leads here from the page that confirms an installation.
    const team = new URLSearchParams(location.search).get('team')
    if (!state || team === null) return
    history.replaceState(null, '', '/')
    const there = state.workspaces.find(({ id }) => id === team)
    if (!there) return
    become(there.user)
    goTo(DIRECT)
  }, [state === undefined])

  if (!state) {
    return (
      <main>
        <h1 class="quiet">One moment…</h1>
      </main>
    )
  }
  const isApp = [HOME, DIRECT, SLACKBOT].includes(keptPlace)
  const channel = isApp ? undefined : (state.channels.find(({ id }) => id === keptPlace) ?? state.channels[0])
  const place = channel?.id ?? keptPlace
  return (
    <PageContext.Provider value={{ state, place, become, goTo }}>
      <Layout channel={channel} chosen={`${kept} ${keptPlace}`} />
    </PageContext.Provider>
  )
}

interface LayoutProps extends Pick<HeaderProps, 'channel'> {
  /** Changes at once when another person or place is chosen. */
  readonly chosen: string
}

function Layout({ channel, chosen }: LayoutProps) {
  const page = usePage()
  const { state, place } = page
  // The person before, until the new person's state has arrived.
  const { user } = state
  const unread = useUnread(state.messages, user, place)
  const [isTrafficOpen, setTrafficOpen] = useState(false)
  /** The message box takes over each new object once. */
  const [proposed, propose] = useState(state.proposal)
  const { note, problem, clear, attempt } = useAttempts()
  useLayoutEffect(clear, [chosen])
  const view = state.views.at(-1)

  const onRun = (action: TourAction) =>
    attempt(() => {
      if (action.lines.length > 0) propose({ channel: action.channel, text: '' })
      return runTourAction(action, page)
    })
  const onStartOver = () =>
    attempt(async () => {
      propose(await startOver())
      forgetConversations()
      page.become('')
      page.goTo('')
      return undefined
    })

  return (
    <div class="layout">
      {(channel || place === SLACKBOT) && (
        <a class="skip visually-hidden" href="#message-box">
          Skip to message box
        </a>
      )}
      <Sidebar unread={unread} />
      <main class="main stack">
        <PlaceHeader
          channel={channel}
          unread={unread}
          isTrafficOpen={isTrafficOpen}
          onTraffic={() => setTrafficOpen(!isTrafficOpen)}
        />
        <Notices
          note={note}
          problem={problem}
          onHide={clear}
          onFix={() => void attempt(() => perform({ kind: 'service', user, mode: 'normal' }))}
        />
        {place === HOME ? <Home /> : place === SLACKBOT ? <AskSlackbot key={user} /> : <Timeline />}
        {channel && (
          <Composer
            key={channel.id}
            channelName={channel.name}
            proposed={proposed?.channel === channel.id ? proposed : undefined}
            onSend={(text) => {
              propose(undefined)
              void attempt(() => perform({ kind: 'write', user, channel: channel.id, text }))
            }}
          />
        )}
      </main>
      <Side onRun={onRun} onStartOver={onStartOver} />
      {isTrafficOpen && <Traffic />}
      {view && <Modal key={view.id} view={view} />}
    </div>
  )
}
