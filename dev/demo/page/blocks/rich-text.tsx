import type { ComponentChildren } from 'preact'
import { type Directory, useBlockContext } from './block-context.ts'
import { Emoji } from './emoji.tsx'
import { asList, asNumber, asObject, asText, type Json } from './read.ts'

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A date shows the viewer's own time, as Slack's does. */
function dateOf(element: Json): string {
  const seconds = asNumber(element['timestamp'])
  return seconds === undefined ? asText(element['fallback']) : dateFormat.format(new Date(seconds * 1000))
}

function styled(children: ComponentChildren, style: Json): ComponentChildren {
  let result = children
  if (style['code'] === true) result = <code>{result}</code>
  if (style['bold'] === true) result = <strong>{result}</strong>
  if (style['italic'] === true) result = <em>{result}</em>
  if (style['strike'] === true) result = <s>{result}</s>
  return result
}

function content(element: Json, { people, channels }: Directory): ComponentChildren {
  const text = asText(element['text'])
  switch (element['type']) {
    case 'text':
      return text
    case 'link': {
      const url = asText(element['url'])
      return (
        <a href={url} target="_blank" rel="noreferrer">
          {text === '' ? url : text}
        </a>
      )
    }
    case 'user': {
      const id = asText(element['user_id'])
      return <span class="bk-mention">@{people.find((one) => one.id === id)?.name ?? id}</span>
    }
    case 'channel': {
      const id = asText(element['channel_id'])
      return <span class="bk-mention">#{channels.find((one) => one.id === id)?.name ?? id}</span>
    }
    case 'emoji':
      return <Emoji name={asText(element['name'])} />
    case 'date':
      return <time>{dateOf(element)}</time>
    default:
      return asText(element['fallback'])
  }
}

/** The elements of a section, a quote or a list's item. */
export function RichLine({ elements }: { readonly elements: readonly Json[] }) {
  const { directory } = useBlockContext()
  return (
    <>
      {elements.map((element, index) => (
        <span key={`${index}`}>{styled(content(element, directory), asObject(element['style']))}</span>
      ))}
    </>
  )
}

function Part({ part }: { readonly part: Json }) {
  const elements = asList(part['elements'])
  switch (part['type']) {
    case 'rich_text_list': {
      const items = elements.map((item, index) => (
        <li key={`${index}`}>
          <RichLine elements={asList(item['elements'])} />
        </li>
      ))
      const indent = { marginLeft: `${(asNumber(part['indent']) ?? 0) * 20}px` }
      return part['style'] === 'ordered' ? <ol style={indent}>{items}</ol> : <ul style={indent}>{items}</ul>
    }
    case 'rich_text_preformatted':
      return (
        <pre>
          <RichLine elements={elements} />
        </pre>
      )
    case 'rich_text_quote':
      return (
        <blockquote>
          <RichLine elements={elements} />
        </blockquote>
      )
    default:
      return (
        <div class="bk-rich-line">
          <RichLine elements={elements} />
        </div>
      )
  }
}

export function RichText({ block }: { readonly block: Json }) {
  return (
    <div class="bk-rich">
      {asList(block['elements']).map((part, index) => (
        <Part key={`${index}`} part={part} />
      ))}
    </div>
  )
}
