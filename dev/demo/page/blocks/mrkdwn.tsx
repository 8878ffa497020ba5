import type { ComponentChildren } from 'preact'
import type { Directory } from './block-context.ts'
import { Emoji } from './emoji.tsx'

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Links, mentions, code, emphasis and emoji; the first group that matches decides. */
const token =
  /<([^<>|]+)(?:\|([^<>]*))?>|`([^`\n]+)`|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])|(?<![\w~])~([^~\n]+)~(?![\w~])|:([a-z0-9_+-]+):/g

function angled(
  target: string,
  label: string | undefined,
  { people, channels }: Directory,
): ComponentChildren {
  if (target.startsWith('@')) {
    const name = people.find(({ id }) => id === target.slice(1))?.name
    return <span class="bk-mention">@{name ?? label ?? target.slice(1)}</span>
  }
  if (target.startsWith('#')) {
    const name = channels.find(({ id }) => id === target.slice(1))?.name
    return <span class="bk-mention">#{name ?? label ?? target.slice(1)}</span>
  }
  // A group mention, or a date that can't be drawn, shows what stands for it.
  if (target.startsWith('!')) return label ?? `@${target.slice(1)}`
  return (
    <a href={unescaped(target)} target="_blank" rel="noreferrer">
      {unescaped(label ?? target)}
    </a>
  )
}

function inline(text: string, directory: Directory): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, target, label, code, bold, italic, strike, emoji] = match
    parts.push(unescaped(text.slice(end, match.index)))
    end = match.index + whole.length
    if (target !== undefined) parts.push(angled(target, label, directory))
    else if (code !== undefined) parts.push(<code>{unescaped(code)}</code>)
    else if (bold !== undefined) parts.push(<strong>{inline(bold, directory)}</strong>)
    else if (italic !== undefined) parts.push(<em>{inline(italic, directory)}</em>)
    else if (strike !== undefined) parts.push(<s>{inline(strike, directory)}</s>)
    else if (emoji !== undefined) parts.push(<Emoji name={emoji} />)
  }
  return [...parts, unescaped(text.slice(end))]
}

/** Slack's mrkdwn. https://docs.slack.dev/messaging/formatting-message-text */
export function Mrkdwn({ text, directory }: { readonly text: string; readonly directory: Directory }) {
  const pieces = text.split('```')
  return (
    <div class="bk-mrkdwn">
      {pieces.map((piece, index) =>
        index % 2 === 1 && index < pieces.length - 1 ? (
          <pre key={`${index}`}>{unescaped(piece.replace(/^\n/, ''))}</pre>
        ) : (
          // The line breaks next to preformatted text are its own.
          piece
            .replace(index > 0 ? /^\n/ : '', '')
            .replace(index < pieces.length - 1 ? /\n$/ : '', '')
            .split('\n')
            .map((line, number) => {
              const quoted = /^(?:&gt;|>)\s?(.*)$/.exec(line)?.[1]
              const key = `${index} ${number}`
              return quoted === undefined ? (
                <div key={key}>{line === '' && piece !== '' ? <br /> : inline(line, directory)}</div>
              ) : (
                <blockquote key={key}>{inline(quoted, directory)}</blockquote>
              )
            })
        ),
      )}
    </div>
  )
}
