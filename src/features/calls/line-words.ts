import { type Answer, textAnswer } from '../../slack/answers/answer.ts'
import { actionRow, escapeText, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { splitWords, type Word } from '../../slack/routing/command-words.ts'
import { type LineNames, lineKey } from '../../telephony/line-names.ts'

const mostButtons = 10

/** Words with numbers in place of lines, or what to ask the person first. */
type NamedLines = { readonly words: readonly Word[] } | { readonly answer: Answer }

const isDirection = ({ key, value }: Word) => key === undefined && /^(in|out)(coming|going)?$/i.test(value)

/**
 * The words of `/calls` with `line:` read as the `number:` that it means, since the service can't be asked for a line. Only
 * incoming calls say theirs.
 * @param command as it is typed, of these words: `/calls`
 */
export function readLineWords(words: readonly Word[], names: LineNames, command = '/calls'): NamedLines {
  const at = words.findIndex(({ key }) => key === 'line')
  const word = words[at]
  if (!word) return { words }
  const matching = word.value === '' ? [] : names.matching(word.value)
  const withNumber = (number: string) =>
    words.map((one, place) =>
      place === at ? { ...one, key: 'number', value: lineKey(number), quoted: true } : one,
    )
  const [line, ...others] = matching
  if (line && others.length === 0) {
    const incoming = words.some(isDirection) ? [] : splitWords('incoming')
    return { words: [...withNumber(line.number), ...incoming] }
  }
  if (!line) return { answer: textAnswer(`No line matches "${escapeText(word.value)}".`) }
  const text = `${matching.length} lines match "${escapeText(word.value)}". Which one?`
  const buttons = matching.slice(0, mostButtons).map(({ number }, index) => {
    const written = words.map((one, place) => (place === at ? `line:${lineKey(number)}` : one.written))
    return commandButton(`line-${index}`, names.labelOf(number), `${command} ${written.join(' ')}`)
  })
  return { answer: { message: { text, blocks: [section(text), ...actionRow(buttons)] } } }
}
