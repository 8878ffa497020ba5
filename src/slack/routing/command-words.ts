/** One word of a command's text: plain (`missed`), or `key:value` (`agent:"Anna Smith"`). */
export interface Word {
  /** As the person wrote it, for naming it in an answer. */
  readonly written: string
  /** Lower case, for `key:value` alone. */
  readonly key: string | undefined
  readonly value: string
  readonly quoted: boolean
}

/** Slack's clients turn straight quotes into curly ones, and keyboards have more of them. */
const closing: Readonly<Record<string, string>> = {
  '"': '"“”„‟',
  '“': '"“”',
  '”': '"“”',
  '„': '"“”',
  '‟': '"“”',
  '«': '»',
}

/** Sticky: it looks at one place, without a copy of the rest. */
const keyPrefix = /([A-Za-z]+):/y

const isSpace = (char: string | undefined) => char === undefined || /\s/.test(char)

/**
 * What `should_escape: true` did to the text, undone.
 * @see https://docs.slack.dev/interactivity/implementing-slash-commands#escaping
 */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Splits a command's text into words. A quote that is never closed ends with the text. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  let at = 0
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1
      continue
    }
    const start = at
    let key: string | undefined
    keyPrefix.lastIndex = at
    const prefix = keyPrefix.exec(text)
    if (prefix?.[1]) {
      key = prefix[1].toLowerCase()
      at += prefix[0].length
    }
    const closers = closing[text[at] ?? '']
    let value: string
    const quoted = closers !== undefined
    if (quoted) {
      const open = at
      at += 1
      while (at < text.length && !closers.includes(text[at] ?? '')) at += 1
      value = text.slice(open + 1, at)
      at += 1
    } else {
      const open = at
      while (!isSpace(text[at])) at += 1
      value = text.slice(open, at)
    }
    words.push({
      written: unescapeText(text.slice(start, at)),
      key,
      value: unescapeText(value).trim(),
      quoted,
    })
  }
  return words
}
