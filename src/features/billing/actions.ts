import { action } from '../../slack/blocks/action.ts'
import { type Option, option } from '../../slack/blocks/inputs.ts'
import { scheduleInfo } from '../subscriptions/schedule-kind.ts'
import { WEEKLY_RHYTHMS } from '../subscriptions/schedule-rows.ts'

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
  rhythms: ['billing-date', 'monthly first', 'monthly last', ...WEEKLY_RHYTHMS, 'weekdays', 'daily'],
  perPage: 7,
  invitation: 'A team can get the phone bill on each billing date, month or week.',
})

export const chooseChannel = postActions.channel.button('Post to a channel…')
