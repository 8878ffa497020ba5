import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageState } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import { Menu } from './blocks/button.tsx'
import { Mrkdwn } from './blocks/text.tsx'
import { DIRECT, send, useActions, usePage } from './hooks.ts'
import { AppMark, Avatar, EyeIcon, SlackbotMark, WarnIcon } from './icons.tsx'

/** Shows an error as Slack does. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem row" role="alert">
      <WarnIcon /> {text}
    </p>
  )

/** Draws the author and time around a message. */
export function MessageFrame({
  author,
  index = 0,
  time,
  isOnlyForYou = false,
  children,
}: {
  readonly author: { readonly name: string; readonly isApp: boolean }
  /** Determines the avatar's color. */
  readonly index?: number
  /** `HH:MM` */
  readonly time?: string
  readonly isOnlyForYou?: boolean
  readonly children: ComponentChildren
}) {
  return (
    <>
      {author.name === 'Slackbot' ? (
        <SlackbotMark />
      ) : author.isApp ? (
        <AppMark />
      ) : (
        <Avatar name={author.name} index={index} />
      )}
      <div class="message-body">
        {isOnlyForYou && (
          <p class="only-you row note">
            <EyeIcon /> Only you can see this
          </p>
        )}
        <p class="message-head row">
          <strong>{author.name}</strong>
          {author.isApp && <span class="badge">App</span>}
          {time !== undefined && <time class="note">{time}</time>}
        </p>
        {children}
      </div>
    </>
  )
}

const nobody = { id: '', name: 'Unknown person', isApp: false }
const size = new Intl.NumberFormat('en-GB', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 })

function Message({ message }: { readonly message: PageState['messages'][number] }) {
  const { people, user, timeZone, shortcuts, ...state } = usePage().state
  const { ts, isOnlyForYou } = message
  const { problem, track, ...actions } = useActions({ message: ts })
  const index = people.findIndex(({ id }) => id === message.author)
  const author = people[index] ?? nobody
  const time = new Date(Number(ts) * 1000).toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone })
  const directory = { people, channels: state.channels }
  const items = shortcuts.map(({ name, callbackId }) => ({
    key: callbackId,
    text: name,
    onChoose: () => void track('shortcut', () => send({ kind: 'shortcut', user, message: ts, callbackId })),
  }))
  return (
    <article class="message" id={`message-${ts}`} aria-label={`${author.name}, ${time}`}>
      <MessageFrame author={author} index={index} time={time} isOnlyForYou={isOnlyForYou}>
        {message.blocks.length === 0 ? (
          <Mrkdwn text={message.text} directory={directory} />
        ) : (
          <Blocks blocks={message.blocks} surface="message" directory={directory} {...actions} />
        )}
        {message.files.map(({ id, name, bytes }) => (
          <a key={id} class="file card" href={`/files/${id}`} download={name}>
            <strong>{name}</strong> <span class="note">{size.format(bytes / 1000)}</span>
          </a>
        ))}
        <Problem text={problem} />
      </MessageFrame>
      {/* Slack has no menu for ephemeral messages. */}
      {!isOnlyForYou && items.length > 0 && (
        <Menu label="More actions" items={items} isBusy={actions.busy === 'shortcut'} />
      )}
    </article>
  )
}

export function Timeline() {
  const { state, place } = usePage()
  const messages = state.messages.filter(({ channel }) => channel === place)
  const list = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.ts
  // Scrolls to the beginning of a new message, but not of a replaced one.
  useLayoutEffect(() => {
    const last = list.current?.querySelector<HTMLElement>('article:last-of-type')
    if (list.current && last) list.current.scrollTop = last.offsetTop
  }, [newest, place])
  const texts = useRef(new Map<string, string>())
  // An alert further up may have got another missed call.
  useLayoutEffect(() => {
    const changed = messages.findLast(
      ({ ts, text, isOnlyForYou }) => !isOnlyForYou && (texts.current.get(ts) ?? text) !== text,
    )
    texts.current = new Map(messages.map(({ ts, text }) => [ts, text]))
    if (changed) document.getElementById(`message-${changed.ts}`)?.scrollIntoView({ block: 'nearest' })
  })
  /** `Sunday 22 November` */
  const format = { weekday: 'long', day: 'numeric', month: 'long', timeZone: state.timeZone } as const
  const formatDay = (ts = '') => new Date(Number(ts) * 1000).toLocaleDateString('en-GB', format)
  return (
    <div ref={list} class="timeline" role="log" aria-label="Messages">
      {messages.length === 0 && (
        <p class="quiet">
          {place === DIRECT
            ? "Callboard hasn't written to you yet."
            : 'Nothing here yet. Type a slash below to see what there is.'}
        </p>
      )}
      {messages.map((message, index) => (
        <Fragment key={message.ts}>
          {(index === 0 || formatDay(messages[index - 1]?.ts) !== formatDay(message.ts)) && (
            <p class="day row note">{formatDay(message.ts)}</p>
          )}
          <Message message={message} />
        </Fragment>
      ))}
    </div>
  )
}
