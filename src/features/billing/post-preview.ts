import { createHash } from 'node:crypto'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { billingPost, extras } from '../../slack/blocks/billing-post.ts'
import { button, type Message, section } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import { readValue } from '../../slack/blocks/values.ts'
import type { Billing } from '../../telephony/types.ts'
import { postButtonText } from './post-texts.ts'

/** Rides in the preview's buttons. */
const postPlan = z.strictObject({
  channel: z.string().regex(/^[A-Z0-9]{2,40}$/),
  /** Claimed once, so that a double click posts once. */
  nonce: z.string().regex(/^[\w-]{8,40}$/),
  include: z.array(z.enum(extras)).max(2),
})
export type PostPlan = z.infer<typeof postPlan>
const planWithDigest = postPlan.extend({ digest: z.string() })

/** @throws {ForgedValueError} */
export const readPlanWithDigest = (value: string | undefined) => readValue(planWithDigest, value, 'a post')

const blockPrefix = 'billing.include|'
/** The ticks' block carries the rest of the plan. @throws {ForgedValueError} */
export const readPlanWithExtras = (blockId: string, ticked: readonly string[]): PostPlan => ({
  ...readValue(postPlan, blockId.startsWith(blockPrefix) ? blockId.slice(blockPrefix.length) : '', 'a post'),
  include: extras.filter((extra) => ticked.includes(extra)),
})

/** Tells whether what is posted still is what was previewed. */
export const digestOf = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16)

const ticks = [
  option('Show the payment method and masked card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies types.PlainTextOption[]

/** What a preview says beside the post itself. */
export interface PreviewSetting {
  /** Of who posts it. */
  readonly name: string
  /** Without the `#`; `undefined` where Slack didn't tell it. */
  readonly channelName: string | undefined
  /** What the person has to know first. mrkdwn. */
  readonly note?: string | undefined
}

/** Exactly what would be posted, with buttons to post or discard it. Pure. */
export function previewMessage(
  billing: Billing,
  plan: PostPlan,
  { name, channelName, note }: PreviewSetting,
): Message {
  const intro = `*Preview, not posted yet.* Everyone in <#${plan.channel}> will see:`
  const post = billingPost(billing, plan.include)
  const value = JSON.stringify({ ...plan, digest: digestOf(post) })
  const initial = ticks.filter(({ value: own }) => plan.include.some((extra) => extra === own))
  return {
    text: `${note === undefined ? '' : `${note} `}${intro.replaceAll('*', '')} ${post.text}`,
    blocks: [
      section(note === undefined ? intro : `${note}\n${intro}`),
      { type: 'divider' },
      ...post.blocks,
      attribution(name, 'Posted'),
      { type: 'divider' },
      {
        type: 'actions',
        block_id: `${blockPrefix}${JSON.stringify(plan)}`,
        elements: [
          {
            type: 'checkboxes',
            action_id: ACTIONS.postInclude,
            options: ticks,
            ...(initial.length > 0 ? { initial_options: initial } : {}),
          },
        ],
      },
      {
        type: 'actions',
        elements: [
          button(ACTIONS.postSend, postButtonText(channelName), value, 'primary'),
          button(ACTIONS.postCancel, 'Discard', 'cancel'),
        ],
      },
    ],
  }
}
