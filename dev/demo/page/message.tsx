import { useRef } from 'preact/hooks'
import type { PageState, Person, ShownFile, ShownMessage } from '../api-types.ts'
import { send } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'
import { Menu } from './blocks/menu.tsx'
import { Mrkdwn } from './blocks/mrkdwn.tsx'
import { MessageFrame } from './message-frame.tsx'
import { Problem } from './problem.tsx'
import { dateOf, timeLabel } from './times.ts'
import { useActions } from './use-actions.ts'
import { useKeptFocus } from './use-kept-focus.ts'

const size = new Intl.NumberFormat('en-GB', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 })

/** A file under a message. */
function FileCard({ file: { id, name, bytes } }: { readonly file: ShownFile }) {
  return (
    <a class="file" href={`/files/${id}`} download={name}>
      <strong>{name}</strong>
      <span>{size.format(bytes / 1000)}</span>
    </a>
  )
}

export interface MessageProps {
  readonly message: ShownMessage
  readonly state: PageState
  readonly user: string
}

const nobody: Person = { id: '', name: 'Somebody', title: '', isApp: false }

export function Message({ message, state, user }: MessageProps) {
  const { busy, problem, act, suggest, track } = useActions(user, { message: message.ts })
  const root = useRef<HTMLElement>(null)
  useKeptFocus(root, message.blocks)
  const author = state.people.find(({ id }) => id === message.author) ?? nobody
  const at = dateOf(message.ts)
  const time = timeLabel(at, state.timeZone)

  // Slack has none for what one person sees.
  const shortcuts = message.isOnlyForYou
    ? []
    : state.shortcuts.map(({ name, callbackId }) => ({
        key: callbackId,
        text: name,
        onChoose: () =>
          void track('shortcut', () => send({ kind: 'shortcut', user, message: message.ts, callbackId })),
      }))

  return (
    <article class="message" ref={root} tabIndex={-1} aria-label={`${author.name}, ${time}`}>
      <MessageFrame
        author={author}
        index={state.people.indexOf(author)}
        time={time}
        dateTime={at.toISOString()}
        isOnlyForYou={message.isOnlyForYou}
        menu={
          shortcuts.length > 0 && <Menu label="More actions" items={shortcuts} isBusy={busy === 'shortcut'} />
        }
      >
        {message.blocks.length === 0 ? (
          <Mrkdwn text={message.text} directory={state} />
        ) : (
          <Blocks
            blocks={message.blocks}
            surface="message"
            directory={state}
            busy={busy}
            onAction={(action) => void act(action)}
            suggest={suggest}
          />
        )}
        {message.files.map((file) => (
          <FileCard key={file.id} file={file} />
        ))}
        <Problem text={problem} />
      </MessageFrame>
    </article>
  )
}
