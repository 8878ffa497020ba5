import type { Channel, User } from '../slack/slack.ts'

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * What Slack makes of a command's text with `should_escape: true`: entities escaped, names of channels and people resolved.
 * https://docs.slack.dev/interactivity/implementing-slash-commands#creating_commands
 */
export function escapeCommandText(
  text: string,
  directory: { readonly channels: readonly Channel[]; readonly people: readonly User[] },
): string {
  const channels = new Map(directory.channels.map(({ id, name }) => [name, id]))
  const people = new Map(directory.people.map(({ id, name }) => [name, id]))
  return escapeText(text).replaceAll(
    /(^|\s)([#@])([\w-]+)/g,
    (whole, before: string, sign: string, name: string) => {
      const id = sign === '#' ? channels.get(name) : people.get(name)
      if (id === undefined) return whole
      return sign === '#' ? `${before}<#${id}|${name}>` : `${before}<@${id}|${name}>`
    },
  )
}

/** `/calls missed` → its command and the rest; undefined for what is no command. */
export function splitCommand(text: string): { readonly command: string; readonly text: string } | undefined {
  const match = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  return match?.[1] === undefined ? undefined : { command: match[1].toLowerCase(), text: match[2] ?? '' }
}
