import type { Raw } from './types.ts'
import { exactText, raw } from './wire-values.ts'

/** The spec's `Recording` is a path relative to an address that the spec doesn't name. */
const download = 'download_file.php?'
const fileType = 'callrecording'

/** The file name in `download_file.php?filename=<file>&filetype=callrecording`; `undefined` for no recording. */
export function parseRecording(value: unknown): string | Raw | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = exactText(value)
  if (!text.startsWith(download)) return raw(value)
  const parameters = new URLSearchParams(text.slice(download.length))
  const fileName = parameters.get('filename')
  const isRecording = parameters.get('filetype') === fileType && parameters.size === 2
  return fileName && isRecording ? fileName : raw(value)
}

/** Where a recording is downloaded from. @param baseUrl with or without a slash at its end */
export function recordingUrl(baseUrl: string, fileName: string): string {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  return `${base}${download}filename=${encodeURIComponent(fileName)}&filetype=${fileType}`
}
