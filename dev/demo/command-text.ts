export interface TypedCommand {
  /** In lower case, such as `/calls`. */
  readonly command: string
  /** What follows it. */
  readonly text: string
  /** Both, as they were typed. */
  readonly whole: string
}

/** `/calls missed` → its command and the rest; undefined for what is no command. */
export function splitCommand(typed: string): TypedCommand | undefined {
  const match = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(typed.trim())
  const [whole = '', command, text = ''] = match ?? []
  return command === undefined ? undefined : { command: command.toLowerCase(), text, whole }
}
