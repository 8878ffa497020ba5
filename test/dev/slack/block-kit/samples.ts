// Makers of plain Block Kit JSON, deliberately unchecked by the compiler.
export const plain = (text: string) => ({ type: 'plain_text' as const, text })
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
/** A text where only plain_text is accepted. */
export const notPlain = { type: 'mrkdwn', text: 'a' }
export const x = (length: number) => 'x'.repeat(length)
export const times = <T>(n: number, make: (index: number) => T): T[] =>
  Array.from({ length: n }, (_, index) => make(index))

export const section = (fields: object) => ({ type: 'section', expand: true, ...fields })
export const actions = (...elements: unknown[]) => ({ type: 'actions', elements })
export const input = (element: unknown, fields: object = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...fields,
})
export const button = (fields: object = {}) => ({ type: 'button', text: plain('Go'), ...fields })
export const option = (value: string, text = value) => ({ text: plain(text), value })
export const options = (n: number) => times(n, (index) => option(`v${index}`))
export const modal = <T>(blocks: T[], fields: object = {}) => ({
  type: 'modal' as const,
  title: plain('Title'),
  submit: plain('Save'),
  blocks,
  ...fields,
})
