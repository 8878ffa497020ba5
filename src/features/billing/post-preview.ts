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
  option('Add the payment method and masked card', 'card'),
  option('Add the credit limit', 'limit'),
] satisfies types.PlainTextOption[]

/** Exactly what would be posted, with Post and Cancel. @param name of who posts it. Pure. */
export function previewMessage(billing: Billing, plan: PostPlan, name: string, note?: string): Message {
  const post = billingPost(billing, plan.include)
  const value = JSON.stringify({ ...plan, digest: digestOf(post) })
  const initial = ticks.filter(({ value: own }) => plan.include.some((extra) => extra === own))
  return {
    text: `Preview of what would be posted to <#${plan.channel}>. ${post.text}`,
    blocks: [
      section(
        `${note === undefined ? '' : `${note}\n`}*Preview.* Everyone in <#${plan.channel}> would see this:`,
      ),
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
          button(ACTIONS.postSend, 'Post', value, 'primary'),
          button(ACTIONS.postCancel, 'Cancel', 'cancel'),
        ],
      },
    ],
  }
}
