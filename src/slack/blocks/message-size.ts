import { cut, LIMITS } from './blocks.ts'

/** Codes with which Slack refuses a message for its blocks, or for their size. It was shown to nobody then. */
export const isAboutBlocks = (code: string | undefined): boolean =>
  /^(invalid_(blocks|attachments)|msg_(blocks_)?too_long|too_many_(blocks|attachments)|only_one_table_allowed)/.test(
    code ?? '',
  )

/** Of those, the ones that say nothing of what kinds of blocks this Slack takes. */
export const isAboutSize = (code: string | undefined): boolean => /too_(long|many)/.test(code ?? '')

/** A message's `text` of several lines: as many of them as fit, each whole. */
export function textOfLines([first = '', ...more]: readonly string[]): string {
  let text = cut(first, LIMITS.messageText)
  for (const line of more) {
    if (text.length + line.length + 1 > LIMITS.messageText) break
    text += `\n${line}`
  }
  return text
}
