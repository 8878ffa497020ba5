import { splitWords, type Word } from '../../grammar/words.ts'

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

/** The words of a command's text as Slack sends it. */
export const commandWords = (text: string): readonly Word[] => splitWords(unescapeText(unwrapLinks(text)))
