import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRecording, recordingUrl } from '../../src/telephony/wire.ts'
import { anyCharacter } from '../support/any-character.ts'

test('a recording is its decoded file name', () => {
  const path = (file: string) => `download_file.php?filename=${file}&filetype=callrecording`
  expect(parseRecording(path('rec-1.mp3'))).toBe('rec-1.mp3')
  expect(parseRecording('')).toBeUndefined()
  expect(parseRecording(undefined)).toBeUndefined()
  const files = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 100 })
    .filter((s) => s.isWellFormed())
  fc.assert(
    fc.property(files, (file) => void expect(parseRecording(path(encodeURIComponent(file)))).toBe(file)),
  )
})

test.each([
  'rec-1.mp3',
  'download_file.php',
  'download_file.php?filename=&filetype=callrecording',
  'download_file.php?filename=a.mp3',
  'download_file.php?filename=a.mp3&filetype=voicemail',
  'download_file.php?filename=a&b.mp3&filetype=callrecording',
  'https://elsewhere.example/download_file.php?filename=a.mp3&filetype=callrecording',
])('the recording %j is kept as it came', (text) => {
  expect(parseRecording(text)).toEqual({ raw: text })
})

test('a recording is downloaded from below the base URL, by its encoded name', () => {
  const url = 'https://example.com/files/download_file.php?filename=a%20%26b.mp3&filetype=callrecording'
  expect(recordingUrl('https://example.com/files', 'a &b.mp3')).toBe(url)
  expect(recordingUrl('https://example.com/files/', 'a &b.mp3')).toBe(url)
})
