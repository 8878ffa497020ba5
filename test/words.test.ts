import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, it } from 'vitest'
import { replacedWords } from './support/replaced-words.ts'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))

/** Returns the string literals that people read: those with at least two words. */
function readTexts(file: string): string[] {
  const texts: string[] = []
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      texts.push(node.value)
    if ('quasis' in node) texts.push(readTemplate(node.quasis as readonly TemplatePart[]))
    for (const child of Object.values(node)) collect(child)
  }
  collect(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }).body)
  return texts.filter((text) => /[a-z,.] [a-z]/i.test(text))
}

interface TemplatePart {
  readonly value: { readonly raw: string }
}

/** Joins the parts of a template with an ellipsis. */
const readTemplate = (parts: readonly TemplatePart[]) => parts.map(({ value }) => value.raw).join('…')

const isForLogs = (line: string) => /^(a|the) [a-z -]+$/.test(line)

it('no text in src uses a replaced word', () => {
  const texts = sources.flatMap((file) => readTexts(file).map((text) => ({ file, text })))
  expect(texts.length).toBeGreaterThan(400)
  const wrong = texts.flatMap(({ file, text }) =>
    replacedWords.flatMap(([words, by]) =>
      words.test(text) && !isForLogs(text) ? [`${file}: "${text}" – ${by}`] : [],
    ),
  )
  expect(wrong).toEqual([])
})
