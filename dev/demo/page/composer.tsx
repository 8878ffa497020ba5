import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Proposal } from '../api-types.ts'
import { usePage } from './hooks.ts'
import { SendIcon } from './icons.tsx'

interface ComposerProps {
  readonly channelName: string
  readonly proposed: Proposal | undefined
  readonly onSend: (text: string) => void
}

export function Composer({ channelName, proposed, onSend }: ComposerProps) {
  const { commands, subcommands } = usePage().state
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const typedCommand = commands.find(({ command }) => text.startsWith(`${command} `))

  useLayoutEffect(() => {
    if (!proposed) return
    setText(proposed.text)
    if (proposed.text === '' || !input.current) return
    input.current.value = proposed.text
    // Typing replaces the proposal.
    input.current.select()
  }, [proposed])

  function submit(event: Event) {
    event.preventDefault()
    // Enter may come before the state has followed the field.
    const typed = input.current?.value.trim() ?? ''
    if (typed === '') return
    setText('')
    onSend(typed)
  }

  return (
    <form class="composer" onSubmit={submit}>
      {typedCommand && <p class="usage note">{`${typedCommand.command} ${typedCommand.usageHint}`}</p>}
      <div class="composer-line card">
        <input
          ref={input}
          id="message-box"
          type="text"
          list="commands"
          value={text}
          autoComplete="off"
          spellcheck={false}
          aria-label={`Message #${channelName}`}
          placeholder={`Message #${channelName}, or type a slash for commands`}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <datalist id="commands">
          {commands.map(({ command, description }) => (
            <option key={command} value={`${command} `} label={`${command} – ${description}`} />
          ))}
          {subcommands.map((subcommand) => (
            <option key={subcommand} value={`${subcommand} `} label={subcommand} />
          ))}
        </datalist>
        <button type="submit" class="send" aria-label="Send" aria-disabled={text.trim() === ''}>
          <SendIcon />
        </button>
      </div>
    </form>
  )
}
