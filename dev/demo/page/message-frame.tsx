import type { ComponentChildren } from 'preact'
import type { Person } from '../api-types.ts'
import { Avatar } from './avatar.tsx'
import { EyeIcon } from './icons.tsx'

export interface MessageFrameProps {
  readonly author: Person
  /** Decides the avatar's colour. */
  readonly index: number
  /** `HH:MM` */
  readonly time: string
  /** The same for programs. */
  readonly dateTime: string
  readonly isOnlyForYou: boolean
  /** What can be done with it. */
  readonly menu?: ComponentChildren
  readonly children: ComponentChildren
}

/** Who wrote a message and when, around what it says. */
export function MessageFrame({
  author,
  index,
  time,
  dateTime,
  isOnlyForYou,
  menu,
  children,
}: MessageFrameProps) {
  return (
    <>
      <Avatar person={author} index={index} />
      <div class="message-body">
        {isOnlyForYou && (
          <p class="only-you">
            <EyeIcon /> Only you can see this
          </p>
        )}
        <p class="message-head">
          <strong>{author.name}</strong>
          {author.isApp && <span class="badge">App</span>}
          <time dateTime={dateTime}>{time}</time>
        </p>
        {children}
      </div>
      {menu}
    </>
  )
}
