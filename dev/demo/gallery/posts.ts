import type { Extra, PostPlan } from '../../../src/features/billing/actions.ts'
import {
  noChannelMessage,
  postMessages,
  postOf,
  ticksOf,
} from '../../../src/features/billing/post-by-hand.ts'
import { VIEWS } from '../../../src/slack/blocks/action-ids.ts'
import { outdatedText } from '../../../src/slack/deliver/clicks.ts'
import { channelRefusal, plainChannelRefusal } from '../../../src/slack/deliver/failures.ts'
import { attributed, changedNote, notInItNote, postModal } from '../../../src/slack/deliver/post-messages.ts'
import { terms } from './billing.ts'
import { type FeatureSample, message, modal } from './sample.ts'
import { adaName, finance, nonce, support, team } from './setting.ts'

const planOf = (include: Extra[]): PostPlan => ({ channel: finance, nonce: `${nonce}-post`, include })
const messages = postMessages(planOf([]))
const preview = (include: Extra[], note?: string, channelName: string | undefined = 'finance') => {
  const plan = planOf(include)
  const setting = { name: adaName, channelName, note }
  return postMessages(plan).preview(postOf(terms, plan), finance, setting, ticksOf(plan)).message
}
const post = attributed(postOf(terms, { include: [] }), adaName)
const form = postModal({
  id: VIEWS.billingPost,
  title: 'Post billing',
  team,
  channel: support,
  place: { responseUrl: undefined, message: '1', actionTs: '1' },
})
const address = 'https://larkfield.slack.com/archives/C0FINANCE/p1762353130000100'

export const posts: readonly FeatureSample[] = [
  modal('Where to post', form),
  modal('Where to post, a channel that is refused', form, { channel: plainChannelRefusal('not-in') }),
  modal('Where to post, opened too long ago', form, { channel: outdatedText }),
  message('Preview', preview([])),
  message('Preview with everything', preview(['card', 'limit'])),
  message('Preview once more, the figures having changed', preview([], changedNote)),
  message('Preview for a channel that the administrator is not in', preview([], notInItNote(finance))),
  message('A channel that the person is not in', messages.notInIt(finance)),
  message('A channel that Callboard is not in', messages.refused(channelRefusal('not-in', finance), finance)),
  message(
    'A channel that takes no posts',
    messages.refused(channelRefusal('shared', finance), finance, { mayTryAgain: false }),
  ),
  message('The post in a channel', post.message),
  message('Posted', messages.posted(finance, address)),
  message('Posted, and Slack tells no address', messages.posted(finance, undefined)),
  message('Discarded', messages.discarded()),
  message('Posted before', messages.used(finance)),
  message('No channel', noChannelMessage('finanse')),
  message('Refused by Slack', messages.unsent({ kind: 'refused', code: 'restricted_action' }, finance)),
  message('Not taken just now', messages.unsent({ kind: 'not-now', retryAfterMs: undefined }, finance)),
  message('Perhaps posted', messages.unsent({ kind: 'unknown' }, finance)),
]
