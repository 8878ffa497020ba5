import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageState } from '../api-types.ts'
import { Message } from './message.tsx'
import { DIRECT } from './sidebar.tsx'

export interface TimelineProps {
  readonly state: PageState
  readonly user: string
  readonly channel: string
}

export function Timeline({ state, user, channel }: TimelineProps) {
  const messages = state.messages.filter((message) => message.channel === channel)
  const end = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.ts
  // A new message is scrolled to; one that is replaced further up leaves the view where it is.
  useLayoutEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [newest, channel])
  return (
    <div class="timeline" role="log" aria-label="Messages">
      {messages.length === 0 && (
        <p class="quiet">
          {channel === DIRECT
            ? 'Callboard has not written to you yet.'
            : 'Nothing here yet. Type a command below: a slash shows what there is.'}
        </p>
      )}
      {messages.map((message) => (
        <Message key={message.ts} message={message} state={state} user={user} />
      ))}
      <div ref={end} />
    </div>
  )
}
