import { scheduleInfo } from '../../planned/schedule-kind.ts'
import { action } from '../../slack/blocks/action.ts'
import { type Option, option } from '../../slack/blocks/inputs.ts'

/** Shown in a channel only if the poster ticks it. */
export const extraOptions = [
  option('Show the payment card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies readonly Option[]

export const billingActions = { refresh: action('billing.refresh') }

export const postActions = {
  channel: action('billing.post.channel'),
  include: action('billing.post.include'),
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

export const chooseChannel = postActions.channel.button('Post to a channel…')
