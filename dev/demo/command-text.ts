/** `/calls missed` → its command and the rest; undefined for what is no command. */
export function splitCommand(text: string): { readonly command: string; readonly text: string } | undefined {
  const match = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  return match?.[1] === undefined ? undefined : { command: match[1].toLowerCase(), text: match[2] ?? '' }
}
