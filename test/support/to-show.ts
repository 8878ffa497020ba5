import { expect } from 'vitest'
import { readableText } from '../../dev/slack/readable-text.ts'
import type { Message, View } from '../../dev/slack/slack.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>> {
    /**
     * Of a message, a modal or a home tab: a person reads all of these in it. With `.not`: none of them is anywhere in
     * it, be it in the value of a button or in metadata.
     */
    toShow(...parts: readonly string[]): R
  }
}

expect.extend({
  toShow(shown: Message | View | undefined, ...parts: readonly string[]) {
    if (!shown) return { pass: this.isNot, message: () => 'there is no message, modal or home tab' }
    const text = readableText(shown)
    const everything = `${text}\n${JSON.stringify({ ...shown, team: undefined })}`
    const found = parts.filter((part) => (this.isNot ? everything : text).includes(part))
    const wrong = this.isNot ? found : parts.filter((part) => !found.includes(part))
    return {
      pass: this.isNot ? found.length > 0 : wrong.length === 0,
      message: () =>
        `expected ${this.isNot ? 'not ' : ''}to show ${JSON.stringify(wrong)}, and it reads:\n\n${this.isNot ? everything : text}`,
    }
  },
})
