import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replacedWords } from './support/replaced-words.ts'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))

const withoutComments = (code: string) =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** Replaces the interpolations of a template with an ellipsis. */
function withoutCode(template: string): string {
  const inner = template.replaceAll(/\$\{[^{}]*\}/g, '…')
  return inner === template ? template : withoutCode(inner)
}

/** Returns the string literals that people read: those with at least two words. */
function readTexts(file: string): string[] {
  const code = withoutComments(readFileSync(file, 'utf8'))
  const literals = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...literals]
    .map(([, single, double, template]) => single ?? double ?? withoutCode(template ?? ''))
    .filter((text) => /[a-z,.] [a-z]/i.test(text))
}

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
