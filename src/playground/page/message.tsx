import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Choice, Person, ShownMessage, State } from '../api-types.ts'
import { send } from './api.ts'
import { Avatar } from './avatar.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { Mrkdwn } from './blocks/mrkdwn.tsx'
import { EyeIcon, WarnIcon } from './icons.tsx'

export interface MessageProps {
  readonly message: ShownMessage
  readonly state: State
  readonly user: string
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const nobody: Person = { id: '', name: 'Somebody', title: '', isApp: false }

export function Message({ message, state, user }: MessageProps) {
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const root = useRef<HTMLElement>(null)
  const pressed = useRef<string | undefined>(undefined)
  const author = state.people.find(({ id }) => id === message.author) ?? nobody
  const at = new Date(Number(message.ts) * 1000)

  // A message that is replaced gets new buttons: the keyboard stays on the one of the same name, or on the message.
  useLayoutEffect(() => {
    if (pressed.current === undefined || document.activeElement !== document.body) return
    const same = [...(root.current?.querySelectorAll('button') ?? [])]
    const found = same.find((button) => button.textContent === pressed.current)
    ;(found ?? root.current)?.focus()
  }, [message.blocks])

  async function act(blockId: string, actionId: string, choose: Choice | undefined) {
    pressed.current = document.activeElement?.textContent ?? undefined
    setBusy(`${blockId}/${actionId}`)
    setProblem(undefined)
    try {
      const acted = await send({ kind: 'act', user, at: { message: message.ts }, blockId, actionId, choose })
      setProblem(acted.problem)
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <article class="message" ref={root} tabIndex={-1} aria-label={`${author.name}, ${clock.format(at)}`}>
      <Avatar person={author} index={state.people.indexOf(author)} />
      <div class="message-body">
        {message.isOnlyForYou && (
          <p class="only-you">
            <EyeIcon /> Only visible to you
          </p>
        )}
        <p class="message-head">
          <strong>{author.name}</strong>
          {author.isApp && <span class="badge">App</span>}
          <time dateTime={at.toISOString()}>{clock.format(at)}</time>
        </p>
        {message.blocks.length === 0 ? (
          <Mrkdwn text={message.text} directory={state} />
        ) : (
          <Blocks
            blocks={message.blocks}
            surface="message"
            directory={state}
            busy={busy}
            onAction={({ blockId, actionId, choose }) => void act(blockId, actionId, choose)}
            suggest={async ({ blockId, actionId, value }) =>
              (await send({ kind: 'suggest', user, at: { message: message.ts }, blockId, actionId, value }))
                .options ?? []
            }
          />
        )}
        {problem !== undefined && (
          <p class="problem" role="alert">
            <WarnIcon /> {problem}
          </p>
        )}
      </div>
    </article>
  )
}
