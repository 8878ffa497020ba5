import type { Channel, User } from '../directory.ts'

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Patterns for links, addresses and telephone numbers, in the order in which Slack applies them. */
const links = [
  { found: /https?:\/\/[^\s<>|"“”]+/y, wrap: (text: string) => `<${text}>` },
  { found: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y, wrap: (text: string) => `<mailto:${text}|${text}>` },
  { found: /\+\d[\d -]{5,}\d/y, wrap: (text: string) => `<tel:${text.replaceAll(/[ -]/g, '')}|${text}>` },
  { found: /[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io)\b/y, wrap: (text: string) => `<http://${text}|${text}>` },
] as const

/** Escapes entities and wraps links in a command's text, like Slack with `should_escape: true`. Leaves names unchanged. */
export function wrapLinks(text: string): string {
  let wrapped = ''
  for (let at = 0; at < text.length; ) {
    const isStart = !/[\w@.+-]/.test(text[at - 1] ?? '')
    const [found, wrap] = isStart ? firstLink(text, at) : []
    const part = found ?? text.charAt(at)
    wrapped += wrap ? wrap(escapeText(part)) : escapeText(part)
    at += part.length
  }
  return wrapped
}

function firstLink(text: string, at: number): readonly [string, (text: string) => string] | readonly [] {
  for (const { found, wrap } of links) {
    found.lastIndex = at
    const [link] = found.exec(text) ?? []
    if (link !== undefined) return [link, wrap]
  }
  return []
}

/**
 * Escapes a command's text like Slack with `should_escape: true`: escapes entities, wraps links and addresses, resolves names
 * of channels and people.
 * https://docs.slack.dev/interactivity/implementing-slash-commands#creating_commands
 */
export function escapeCommandText(
  text: string,
  directory: { readonly channels: readonly Channel[]; readonly people: readonly User[] },
): string {
  const channels = new Map(directory.channels.map(({ id, name }) => [name, id]))
  const people = new Map(directory.people.map(({ id, name }) => [name, id]))
  return wrapLinks(text).replaceAll(
    /(^|\s)([#@])([\w-]+)/g,
    (whole, before: string, sign: string, name: string) => {
      const id = sign === '#' ? channels.get(name) : people.get(name)
      if (id === undefined) return whole
      return sign === '#' ? `${before}<#${id}|${name}>` : `${before}<@${id}|${name}>`
    },
  )
}
