import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Answer } from '../answers/answer.ts'
import { type Block, type Message, section } from '../blocks/blocks.ts'
import { attribution } from '../blocks/shared-blocks.ts'

/** Rides in a preview's buttons, with what is to be posted. */
export const postPlan = z.strictObject({
  channel: z.string().regex(/^[A-Z0-9]{2,40}$/),
  /** Claimed once, so that a double click posts once. */
  nonce: z.string().regex(/^[\w-]{8,40}$/),
})
export type PostPlan = z.infer<typeof postPlan>

/** Tells whether what is posted still is what was previewed. */
export const digestOf = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16)

/** What a preview says beside the post itself. */
export interface PreviewSetting {
  /** Of who posts it. */
  readonly name: string
  /** Without the `#`; `undefined` where Slack didn't tell it. */
  readonly channelName: string | undefined
  /** What the person has to know first. mrkdwn. */
  readonly note?: string | undefined
}

/** Each form of the answer, changed alike. */
const eachForm = (answer: Answer, change: (message: Message) => Message): Answer => ({
  ...answer,
  message: change(answer.message),
  otherwise: (answer.otherwise ?? []).map((form) => () => change(form())),
})

/**
 * What everyone in the channel sees: the post, and below it who posted it.
 * @param more what there is to say beside that
 */
export const attributed = (
  post: Answer,
  name: string,
  how: 'Posted' | 'Scheduled' = 'Posted',
  more: readonly Block[] = [],
): Answer =>
  eachForm(post, ({ text, blocks = [] }) => ({
    text,
    blocks: [...blocks, attribution(name, how), ...more],
  }))

/** Exactly what would be posted. @param below the buttons that post or discard it. Pure. */
export const previewOf = (
  post: Answer,
  channel: string,
  { name, note }: PreviewSetting,
  below: readonly Block[],
): Answer =>
  eachForm(attributed(post, name), ({ text, blocks = [] }) => {
    const intro = `*Preview, not posted yet.* Everyone in <#${channel}> will see:`
    return {
      text: `${note === undefined ? '' : `${note} `}${intro.replaceAll('*', '')} ${text}`,
      blocks: [
        section(note === undefined ? intro : `${note}\n${intro}`),
        { type: 'divider' },
        ...blocks,
        { type: 'divider' },
        ...below,
      ],
    }
  })
