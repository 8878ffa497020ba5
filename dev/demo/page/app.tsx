import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Action, Proposal, TourAction } from '../api-types.ts'
import { send, startOver } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'
import { Composer } from './composer.tsx'
import { useActions, usePermalinks, usePersonState, useSessionValue, useUnread } from './hooks.ts'
import { CodeIcon, WarnIcon } from './icons.tsx'
import { Problem } from './message.tsx'
import { Modal } from './modal.tsx'
import { DIRECT, HOME, PageContext, SLACKBOT, usePage } from './page-context.ts'
import { Side, Traffic } from './side.tsx'
import { Sidebar, UnreadBadge } from './sidebar.tsx'
import { AskSlackbot } from './slackbot.tsx'
import { Timeline } from './timeline.tsx'

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

export function App() {
  const [kept, become] = useSessionValue('user')
  const [keptPlace, goTo] = useSessionValue('place')
  const [isTrafficOpen, setTrafficOpen] = useState(false)
  const [note, setNote] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** The message box takes over each new object once. */
  const [proposed, propose] = useState<Proposal>()
  const state = usePersonState(kept)
  const unread = useUnread(state?.messages ?? [], state?.user ?? '', keptPlace)
  usePermalinks((id) => goTo(state?.channels.some((one) => one.id === id) ? id : DIRECT))

  useLayoutEffect(clear, [kept, keptPlace])

  function clear(): void {
    setNote(undefined)
    setProblem(undefined)
  }

  /** Does something and shows its error. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    clear()
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'That did not work.')
    }
  }

  useEffect(() => {
    propose(state?.proposal)
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

  // The person before, until the new person's state has arrived.
  const { user } = state
  const isApp = [HOME, DIRECT, SLACKBOT].includes(keptPlace)
  const channel = isApp ? undefined : (state.channels.find(({ id }) => id === keptPlace) ?? state.channels[0])
  const place = isApp ? keptPlace : (channel?.id ?? '')
  const view = state.views.at(-1)

  /** Switches to the person and channel of a tour action, and does it there. */
  const run = ({ user, channel, service, missed, clock, lines }: TourAction): Promise<void> =>
    attempt(async () => {
      become(user)
      goTo(channel)
      if (service !== undefined) await perform({ kind: 'service', user, mode: service })
      if (missed !== undefined) setNote(await perform({ kind: 'missed', user, count: missed }))
      if (clock !== undefined) await perform({ kind: 'clock', user, channel, to: clock })
      if (lines.length > 0) propose({ channel, text: '' })
      for (const text of lines) await perform({ kind: 'write', user, channel, text })
    })

  const onStartOver = () =>
    attempt(async () => {
      propose(await startOver())
      become('')
      goTo('')
    })

  return (
    <PageContext.Provider value={{ state, place, become, goTo }}>
      <div class="layout">
        {channel && (
          <a class="skip visually-hidden" href="#message-box">
            Skip to message box
          </a>
        )}
        <Sidebar unread={unread} />
        <main class="main stack">
          <header class="place row">
            <h1>{channel ? `#${channel.name}` : place === SLACKBOT ? 'Slackbot' : 'Callboard'}</h1>
            {channel || place === SLACKBOT ? (
              <p class="grow">{channel?.topic}</p>
            ) : (
              <AppTabs unread={unread} />
            )}
            <button
              type="button"
              class="button"
              aria-expanded={isTrafficOpen}
              onClick={() => setTrafficOpen(!isTrafficOpen)}
            >
              <CodeIcon /> Traffic
            </button>
          </header>
          <Notices
            note={note}
            problem={problem}
            onHide={clear}
            onFix={() =>
              void attempt(async () => void (await perform({ kind: 'service', user, mode: 'normal' })))
            }
          />
          {place === HOME ? <Home /> : place === SLACKBOT ? <AskSlackbot key={user} /> : <Timeline />}
          {channel && (
            <Composer
              key={channel.id}
              channelName={channel.name}
              proposed={proposed?.channel === channel.id ? proposed : undefined}
              onSend={(text) => {
                propose(undefined)
                const message = { kind: 'write', user, channel: channel.id, text } as const
                void attempt(async () => void (await perform(message)))
              }}
            />
          )}
        </main>
        <Side onRun={run} onStartOver={onStartOver} />
        {isTrafficOpen && <Traffic />}
        {view && <Modal key={view.id} view={view} />}
      </div>
    </PageContext.Provider>
  )
}
