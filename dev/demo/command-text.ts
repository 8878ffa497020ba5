interface TypedCommand {
  /** In lower case, such as `/calls`. */
  readonly command: string
  /** Text after the command. */
  readonly text: string
  /** Command and text as typed. */
  readonly whole: string
}

/** `/calls missed` → its command and the rest; undefined for what is no command. */
export function splitCommand(typed: string): TypedCommand | undefined {
  const match = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(typed.trim())
  const [whole = '', command, text = ''] = match ?? []
  return command === undefined ? undefined : { command: command.toLowerCase(), text, whole }
}
