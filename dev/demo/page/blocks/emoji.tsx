import type { ComponentChildren } from 'preact'
import { CheckIcon, PauseIcon, WarningIcon } from './icons.tsx'

/** Drawn, since a plain machine lacks many glyphs; the character stands where nothing can be drawn. */
const emoji: Readonly<
  Record<string, { readonly character: string; readonly draw: () => ComponentChildren }>
> = {
  white_check_mark: { character: '✅', draw: () => <CheckIcon /> },
  warning: { character: '⚠', draw: () => <WarningIcon /> },
  double_vertical_bar: { character: '⏸', draw: () => <PauseIcon /> },
}

const named = /:([a-z][a-z0-9_+-]*):/g

/** An emoji by its name; spelled where this page does not know it. */
export const Emoji = ({ name }: { readonly name: string }) => <>{emoji[name]?.draw() ?? `:${name}:`}</>

/** A text to the letter, but for its emoji. */
export function PlainText({ text }: { readonly text: string }) {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(named)) {
    const [whole, name = ''] = match
    if (!(name in emoji)) continue
    parts.push(text.slice(end, match.index), <Emoji key={match.index} name={name} />)
    end = match.index + whole.length
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}

/** The same where nothing but characters can stand. */
export const withCharacters = (text: string): string =>
  text.replaceAll(named, (whole, name: string) => emoji[name]?.character ?? whole)
