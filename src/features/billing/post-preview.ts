import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Answer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { billingPost, type Extra, extras } from '../../slack/blocks/billing-post.ts'
import { button } from '../../slack/blocks/blocks.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { readValue } from '../../slack/blocks/values.ts'
import { discardButton, postButtonText } from '../../slack/posting/messages.ts'
import {
  digestOf,
  type PreviewSetting,
  previewOf,
  postPlan as sharedPlan,
} from '../../slack/posting/preview.ts'
import type { Billing } from '../../telephony/types.ts'

/** Rides in the preview's buttons. */
const postPlan = sharedPlan.extend({ include: z.array(z.enum(extras)).max(2) })
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

const ticks = [
  option('Show the payment method and masked card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies types.PlainTextOption[]

export const postOf = (billing: Billing, { include }: { readonly include: readonly Extra[] }): Answer => ({
  message: billingPost(billing, include),
})

/** Exactly what would be posted, with buttons to post or discard it. Pure. */
export function previewMessage(post: Answer, plan: PostPlan, setting: PreviewSetting): Answer {
  const value = JSON.stringify({ ...plan, digest: digestOf(post.message) })
  const initial = ticks.filter(({ value: own }) => plan.include.some((extra) => extra === own))
  return previewOf(post, plan.channel, setting, [
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
        button(ACTIONS.postSend, postButtonText(setting.channelName), value, 'primary'),
        discardButton(ACTIONS.postCancel),
      ],
    },
  ])
}
