/** One word of a command's text: plain (`missed`), or `key:value` (`agent:"Anna Smith"`). */
export interface Word {
  /** As the person wrote it, for naming it in an answer. */
  readonly written: string
  /** Lower case, for `key:value` alone. */
  readonly key: string | undefined
  readonly value: string
  readonly quoted: boolean
}

/** What ends a quotation, by what began it. Slack's clients make straight quotes curly, and keyboards have more of them. */
const closing: Readonly<Record<string, RegExp>> = {
  '"': /["“”„‟]|$/,
  '“': /["“”]|$/,
  '”': /["“”]|$/,
  '„': /["“”]|$/,
  '‟': /["“”]|$/,
  '«': /»|$/,
}

/**
 * What `should_escape: true` did to the text, undone.
 * @see https://docs.slack.dev/interactivity/implementing-slash-commands#escaping
 */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/**
 * Links, addresses and telephone numbers as the person typed them: `should_escape: true` makes `<mailto:a@b.com|a@b.com>` of
 * `a@b.com`. A `<` that a person typed arrives as an entity, so each one is Slack's; those of channels, people and groups stay.
 */
const unwrapLinks = (text: string): string =>
  text.replaceAll(
    /<(?![#@!])(?:mailto:|tel:)?([^|<>]*)(?:\|([^<>]*))?>/g,
    (_, target: string, label: string | undefined) => label || target,
  )

/** Splits a command's text into words. A quote that is never closed ends with the text. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  for (let rest = unwrapLinks(text).trimStart(); rest !== ''; ) {
    const [prefix = '', key] = /^([A-Za-z]+):/.exec(rest) ?? []
    const closers = closing[rest[prefix.length] ?? '']
    const quote = closers ? 1 : 0
    const start = prefix.length + quote
    const end = start + rest.slice(start).search(closers ?? /\s|$/)
    words.push({
      written: unescapeText(rest.slice(0, end + quote)),
      key: key?.toLowerCase(),
      value: unescapeText(rest.slice(start, end)).trim(),
      quoted: quote === 1,
    })
    rest = rest.slice(end + quote).trimStart()
  }
  return words
}
