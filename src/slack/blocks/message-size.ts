import { cut, LIMITS } from './blocks.ts'

/** A message's `text` of several lines: as many of them as fit, each whole. */
export function textOfLines([first = '', ...more]: readonly string[]): string {
  let text = cut(first, LIMITS.messageText)
  for (const line of more) {
    if (text.length + line.length + 1 > LIMITS.messageText) break
    text += `\n${line}`
  }
  return text
}
