import { Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageState } from '../api-types.ts'
import { Message } from './message.tsx'
import { DIRECT } from './sidebar.tsx'
import { dateOf, dayLabel } from './times.ts'

export interface TimelineProps {
  readonly state: PageState
  readonly user: string
  readonly channel: string
}

export function Timeline({ state, user, channel }: TimelineProps) {
  const messages = state.messages.filter((message) => message.channel === channel)
  const list = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.ts
  // A new message is scrolled to, to its beginning where it is a long one; one that is replaced leaves the view where it is.
  useLayoutEffect(() => {
    const last = list.current?.querySelector<HTMLElement>('article:last-of-type')
    if (list.current && last) list.current.scrollTop = last.offsetTop
  }, [newest, channel])
  const dayOf = (message: PageState['messages'][number] | undefined) =>
    dayLabel(dateOf(message?.ts ?? ''), state.timeZone)
  return (
    <div ref={list} class="timeline" role="log" aria-label="Messages">
      {messages.length === 0 && (
        <p class="quiet">
          {channel === DIRECT
            ? "Callboard hasn't written to you yet."
            : 'Nothing here yet. Type a slash below to see what there is.'}
        </p>
      )}
      {messages.map((message, index) => (
        <Fragment key={message.ts}>
          {index > 0 && dayOf(messages[index - 1]) !== dayOf(message) && <p class="day">{dayOf(message)}</p>}
          <Message message={message} state={state} user={user} />
        </Fragment>
      ))}
    </div>
  )
}
