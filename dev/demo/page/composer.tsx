import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Proposal } from '../api-types.ts'
import { stepOf } from './blocks/button.tsx'
import { SendIcon } from './icons.tsx'
import { usePage } from './page-context.ts'

interface ComposerProps {
  readonly channelName: string
  readonly proposed: Proposal | undefined
  readonly onSend: (text: string) => void
}

export function Composer({ channelName, proposed, onSend }: ComposerProps) {
  const { commands } = usePage().state
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isClosed, setClosed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const word = /^\/\S*$/.test(text) ? text : undefined
  const matches = word === undefined ? [] : commands.filter(({ command }) => command.startsWith(word))
  const isOpen = matches.length > 0 && !isClosed
  const chosen = matches[Math.min(active, matches.length - 1)]
  const typedCommand = commands.find(({ command }) => text.startsWith(`${command} `))

  useLayoutEffect(() => {
    if (!proposed) return
    setText(proposed.text)
    setClosed(true)
    if (proposed.text === '' || !input.current) return
    input.current.value = proposed.text
    // Whoever types something else types it instead.
    input.current.select()
  }, [proposed])

  function complete(command: string) {
    setText(`${command} `)
    setClosed(true)
    input.current?.focus()
  }

  function submit(event: Event) {
    event.preventDefault()
    // What is in the field, not what was drawn last: Enter may come sooner.
    const typed = input.current?.value.trim() ?? ''
    if (typed === '') return
    setText('')
    onSend(typed)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return
    const step = stepOf(event)
    if (step !== 0) setActive((active + step + matches.length) % matches.length)
    else if (event.key === 'Escape') setClosed(true)
    else if (chosen && (event.key === 'Tab' || (event.key === 'Enter' && chosen.command !== text)))
      complete(chosen.command)
    else return
    event.preventDefault()
  }

  return (
    <form class="composer" onSubmit={submit}>
      {isOpen && (
        <div class="completions popup" role="listbox" id="completions" aria-label="Slash commands">
          {matches.map(({ command, description, usageHint }) => (
            <div
              key={command}
              id={`completion-${command.slice(1)}`}
              role="option"
              tabIndex={-1}
              aria-selected={chosen?.command === command}
              onMouseDown={(event) => {
                event.preventDefault()
                complete(command)
              }}
            >
              <strong>{command}</strong> <code>{usageHint}</code>
              <small>{description}</small>
            </div>
          ))}
        </div>
      )}
      {typedCommand && <p class="usage note">{`${typedCommand.command} ${typedCommand.usageHint}`}</p>}
      <div class="composer-line card">
        <input
          ref={input}
          id="message-box"
          type="text"
          value={text}
          autoComplete="off"
          spellcheck={false}
          role="combobox"
          aria-label={`Message #${channelName}`}
          aria-expanded={isOpen}
          aria-controls="completions"
          aria-autocomplete="list"
          aria-activedescendant={isOpen && chosen ? `completion-${chosen.command.slice(1)}` : undefined}
          placeholder={`Message #${channelName}, or type a slash for commands`}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setActive(0)
            setClosed(false)
          }}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="send" aria-label="Send" aria-disabled={text.trim() === ''}>
          <SendIcon />
        </button>
      </div>
    </form>
  )
}
