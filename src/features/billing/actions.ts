import { action } from '../../slack/blocks/actions.ts'

export const refreshAction = action('billing.refresh')

export const postActions = {
  channel: action('billing.post.channel'),
  include: action('billing.post.include'),
}
