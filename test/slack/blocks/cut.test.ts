import { expect, it } from 'vitest'
import { cut, escapeText, mrkdwn, sections } from '../../../src/slack/blocks/blocks.ts'

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['a😀😀', 4, 'a😀…'],
  ['a😀😀', 3, 'a…'],
  ['half \ud83d', 9, 'half \ufffd'],
])('cuts %j to %i units', (text, max, expected) => {
  expect(cut(text, max)).toBe(expected)
})

it.each([
  ['escaped characters', escapeText('&'.repeat(20)), /^(&amp;)*…$/],
  ['mentions', 'by <@U0ANNA> '.repeat(4), /^((by)? ?(<@U0ANNA>)? ?)*b?…$/],
  ['links', '<https://a.example|here> '.repeat(4), /^(<https:\/\/a\.example\|here> ?)*…$/],
])('cuts %s between them', (_, text, expected) => {
  for (let max = 1; max < 40; max += 1) expect(mrkdwn(text, max).text).toMatch(expected)
})

it('spreads lines over sections that nothing is cut from', () => {
  const lengths = (...lines: number[]) =>
    sections(lines.map((length) => 'a'.repeat(length))).map(({ text }) => text?.text.length)
  expect(lengths(1500, 1499)).toEqual([3000])
  expect(lengths(1500, 1500)).toEqual([1500, 1500])
})
