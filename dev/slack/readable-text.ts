import type { Message, View } from './surfaces.ts'

export const isView = (place: Message | View): place is View => 'hash' in place

/** Fields of Block Kit that people read, including URLs of links. */
const readable = ['text', 'caption', 'alt_text', 'url', 'initial_value', 'initial_date', 'initial_time']

function* collectLines(value: unknown, key = ''): Generator<string> {
  if (typeof value === 'string') {
    if (readable.includes(key)) yield value
  } else if (Array.isArray(value)) {
    if (key === 'rows') for (const row of value) yield [...collectLines(row)].join(' | ')
    else for (const one of value) yield* collectLines(one, key)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) yield* collectLines(one, name)
  }
}

/** Returns the visible text of a message or view, each line once: without ids, values of buttons and metadata. */
export function readableText(place: Message | View): string {
  const lines = isView(place)
    ? collectLines([place.title, place.blocks, place.submit, place.close])
    : collectLines({
        text: place.text,
        blocks: place.blocks,
        files: place.files?.map(({ title, name }) => ({ text: title ?? name })),
      })
  return [...new Set(lines)].join('\n')
}
