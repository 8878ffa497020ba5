import { action } from '../../slack/blocks/actions.ts'

export const postActions = {
  channel: action('billing.post.channel'),
  include: action('billing.post.include'),
}
