import type { ComponentChildren } from 'preact'
import { type Directory, useBlockContext } from './field.ts'
import { asList, asObject, asText, type Json, readText } from './read.ts'

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Matches links, mentions, code and emphasis. */
const token =
  /<([^<>|]+)(?:\|([^<>]*))?>|`([^`\n]+)`|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])/g

const Link = ({ url, text }: { readonly url: string; readonly text: string }) => (
  <a href={url} target="_blank" rel="noreferrer">
    {text}
  </a>
)

function angled(target: string, label: string | undefined, { people, channels }: Directory) {
  const [sign = '', id] = [target[0], target.slice(1)]
  // Group mentions and dates show their fallback.
  if (sign === '!') return label ?? `@${id}`
  if (!'@#'.includes(sign)) return <Link url={unescaped(target)} text={unescaped(label ?? target)} />
  const named = (sign === '@' ? people : channels).find((one) => one.id === id)
  return (
    <span class="mention">
      {sign}
      {named?.name ?? label ?? id}
    </span>
  )
}

function inline(text: string, directory: Directory): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, target, label, code, bold, italic] = match
    parts.push(unescaped(text.slice(end, match.index)))
    end = match.index + whole.length
    if (target !== undefined) parts.push(angled(target, label, directory))
    else if (code !== undefined) parts.push(<code>{unescaped(code)}</code>)
    else if (bold !== undefined) parts.push(<strong>{inline(bold, directory)}</strong>)
    else if (italic !== undefined) parts.push(<em>{inline(italic, directory)}</em>)
  }
  return [...parts, unescaped(text.slice(end))]
}

/** Draws the part of mrkdwn that the app uses. https://docs.slack.dev/messaging/formatting-message-text */
export const Mrkdwn = ({ text, directory }: { readonly text: string; readonly directory: Directory }) => (
  <div class="text">
    {text.split('\n').map((line, number) => (
      <div key={`${number}`}>{line === '' && text !== '' ? <br /> : inline(line, directory)}</div>
    ))}
  </div>
)

/** Draws a text object. */
export function Text({ value }: { readonly value: unknown }) {
  const { directory } = useBlockContext()
  const text = readText(value)
  return asObject(value)['type'] === 'mrkdwn' ? (
    <Mrkdwn text={text} directory={directory} />
  ) : (
    <div class="plain text">{text}</div>
  )
}

function RichPart({ part }: { readonly part: Json }) {
  const text = asText(part['text'])
  if (part['type'] === 'link') return <Link url={asText(part['url'])} text={text || asText(part['url'])} />
  return asObject(part['style'])['bold'] === true ? <strong>{text}</strong> : text
}

/** Draws the part of rich text that the app uses. */
export const RichText = ({ block }: { readonly block: Json }) => (
  <div class="text">
    {asList(block['elements']).map((part, index) => {
      const Tag = part['type'] === 'rich_text_preformatted' ? 'pre' : 'div'
      return (
        <Tag key={`${index}`}>
          {asList(part['elements']).map((element, place) => (
            <RichPart key={`${place}`} part={element} />
          ))}
        </Tag>
      )
    })}
  </div>
)
