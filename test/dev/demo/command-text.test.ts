import { expect, it } from 'vitest'
import { escapeCommandText, splitCommand } from '../../../dev/demo/command-text.ts'

it('escapes what is typed as should_escape asks', () => {
  const directory = { channels: [], people: [] }
  expect(escapeCommandText('a <b> & c #nowhere', directory)).toBe('a &lt;b&gt; &amp; c #nowhere')
  expect(splitCommand(' /Calls  missed "a b" ')).toEqual({ command: '/calls', text: 'missed "a b"' })
  expect(splitCommand('hello /calls')).toBeUndefined()
})
