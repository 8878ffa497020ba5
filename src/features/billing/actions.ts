import { z } from 'zod'
import { scheduleInfo } from '../../planned/schedule-kind.ts'
import { action, MenuAction } from '../../slack/blocks/action.ts'
import { type Option, option } from '../../slack/blocks/inputs.ts'
import { postPlan as sharedPlan, viewPost } from '../../slack/deliver/post-messages.ts'
import { billExtra } from '../../store/schedules.ts'

/** What is left out of a channel unless the poster ticks it. */
export const extraOptions = [
  option('Show the payment card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies readonly Option[]

export const billingActions = { refresh: action('billing.refresh') }

const postPlan = sharedPlan.extend({ include: z.array(billExtra).max(2) })
export type PostPlan = z.infer<typeof postPlan>

/** The ticks' block carries the plan. */
export const includeExtras = new MenuAction('billing.post.include', postPlan)

export const postActions = {
  channel: action('billing.post.channel'),
  back: action('billing.post.back', postPlan),
  again: action('billing.post.again', postPlan),
  view: viewPost,
  include: includeExtras,
  send: action('billing.post.send', postPlan.extend({ digest: z.string() })),
  cancel: action('billing.post.cancel'),
}

export const billingSchedule = scheduleInfo('billing.schedule', {
  needs: 'billing',
  command: 'billing',
  post: 'billing post',
  audit: 'schedule',
  posted: 'post billing',
  // Versions that know billing posts alone know no other rhythm.
  rhythms: ['billing-date', 'monthly', 'weekly'],
  isDirectOffered: false,
  perPage: 7,
})

export const chooseText = 'Post to a channel…'
export const chooseChannel = postActions.channel.button(chooseText)
