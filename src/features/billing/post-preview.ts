import type { types } from '@slack/bolt'
import type { Answer } from '../../slack/answers/answer.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { postButtonText } from '../../slack/posting/messages.ts'
import { digestOf, type PreviewSetting, previewOf } from '../../slack/posting/preview.ts'
import type { Billing } from '../../telephony/types.ts'
import { type Extra, includeExtras, type PostPlan, postActions } from './actions.ts'
import { billingPost } from './post.ts'

const ticks = [
  option('Show the payment method and masked card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies types.PlainTextOption[]

export const postOf = (billing: Billing, { include }: { readonly include: readonly Extra[] }): Answer => ({
  message: billingPost(billing, include),
})

/** Exactly what would be posted, with buttons to post or discard it. Pure. */
export function previewMessage(post: Answer, plan: PostPlan, setting: PreviewSetting): Answer {
  const value = { ...plan, digest: digestOf(post.message) }
  const initial = ticks.filter(({ value: own }) => plan.include.some((extra) => extra === own))
  return previewOf(post, plan.channel, setting, [
    {
      type: 'actions',
      block_id: includeExtras.blockId(plan, ''),
      elements: [
        {
          type: 'checkboxes',
          action_id: includeExtras.id,
          options: ticks,
          ...(initial.length > 0 ? { initial_options: initial } : {}),
        },
      ],
    },
    {
      type: 'actions',
      elements: [
        postActions.send.button(postButtonText(setting.channelName), value, 'primary'),
        postActions.cancel.button('Discard'),
      ],
    },
  ])
}
