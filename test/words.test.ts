import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gallery } from '../dev/demo/gallery/gallery.ts'

/** Words that people don't meet, and what stands for them. */
const replaced: readonly (readonly [words: RegExp, by: string])[] = [
  [/telephony (account|service|provider)/i, 'phone account, phone service'],
  [/\b(this|right|same|the|new) pair\b/i, 'API key and secret'],
  [/(?<!\b[Tt]ime )\b[Zz]ones?\b/, 'time zone'],
  [/every (status|agent)\b/i, 'all calls, all agents'],
  [/\bany day\b/i, 'any date'],
  [/\bnot understood\b/i, "I don't recognise …"],
  [/\bfits? (several|no)\b/i, '3 agents match'],
  [/\bis no (day|date|time zone)\b/i, "isn't a date"],
  [/\byou alone\b/i, 'only you can see this'],
  [/who may see what/i, 'Access…'],
  [/in (your|the|whose) name\b/i, 'Scheduled by'],
  [/\bretry\b/i, 'Try again'],
  [/\bcan not\b/i, "can't"],
]

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))

const withoutComments = (code: string) =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** A template's words alone, without what is put between them. */
function withoutCode(template: string): string {
  const inner = template.replaceAll(/\$\{[^{}]*\}/g, '…')
  return inner === template ? template : withoutCode(inner)
}

/** The texts of a source that are made to be read: they have words with spaces between them. */
function textsOf(file: string): string[] {
  const code = withoutComments(readFileSync(file, 'utf8'))
  const literals = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...literals]
    .map(([, single, double, template]) => single ?? double ?? withoutCode(template ?? ''))
    .filter((text) => /[a-z,.] [a-z]/i.test(text))
}

const isForLogs = (line: string) => /^(a|the) [a-z -]+$/.test(line)

it('no text in src says a word that another stands for', () => {
  const texts = sources.flatMap((file) => textsOf(file).map((text) => ({ file, text })))
  expect(texts.length).toBeGreaterThan(400)
  const wrong = texts.flatMap(({ file, text }) =>
    replaced.flatMap(([words, by]) =>
      words.test(text) && !isForLogs(text) ? [`${file}: "${text}" – ${by}`] : [],
    ),
  )
  expect(wrong).toEqual([])
})

it('no message, modal or home tab of the gallery says one either', () => {
  const wrong = gallery.flatMap(({ feature, name, body }) => {
    const texts = JSON.stringify(body).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)
    return [...texts].flatMap(([, text = '']) =>
      replaced.flatMap(([words, by]) => (words.test(text) ? [`${feature}, ${name}: "${text}" – ${by}`] : [])),
    )
  })
  expect(wrong).toEqual([])
})
