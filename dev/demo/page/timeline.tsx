import { Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Message } from './message.tsx'
import { DIRECT, usePage } from './page-context.ts'

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
          {index > 0 && formatDay(messages[index - 1]?.ts) !== formatDay(message.ts) && (
            <p class="day row note">{formatDay(message.ts)}</p>
          )}
          <Message message={message} />
        </Fragment>
      ))}
    </div>
  )
}
