import { expect, it } from 'vitest'
import { escapeCommandText } from '../../../dev/slack/actions/command-text.ts'

it('escapes typed text like should_escape', () => {
  const escaped = (text: string) => escapeCommandText(text, { channels: [], people: [] })
  expect(escaped('a <b> & c #nowhere')).toBe('a &lt;b&gt; &amp; c #nowhere')
  expect(escaped('agent:anna@example.com x')).toBe('agent:<mailto:anna@example.com|anna@example.com> x')
  expect(escaped('"https://example.com/?a&b"')).toBe('"<https://example.com/?a&amp;b>"')
  const links = '<http://example.com|example.com> <tel:+49301234567|+49 30 1234567>'
  expect(escaped('example.com +49 30 1234567')).toBe(links)
})
